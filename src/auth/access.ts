import { SetMetadata } from '@nestjs/common';

/** What a token can allow. */
export const SCOPES = ['moves:read', 'moves:write', 'shipments:read', 'shipments:write', 'shipments:status'] as const;
export type Scope = (typeof SCOPES)[number];

/** What a route asks of its callers: one scope, any of several, or nothing. */
export type Access = Scope | readonly Scope[] | 'public';

const ACCESS = 'waybill:access';

/** The scope that a caller of this route needs. Each route says this or `Public`; the service does not start otherwise. */
export function NeedsScope(scope: Scope): MethodDecorator {
  return SetMetadata(ACCESS, scope);
}

/** A caller of this route needs one of these scopes; what it is shown depends on which. */
export function NeedsAnyScope(...scopes: Scope[]): MethodDecorator {
  return SetMetadata(ACCESS, scopes);
}

/** Everybody may call this route, also without a token. */
export function Public(): MethodDecorator {
  return SetMetadata(ACCESS, 'public');
}

export function accessOf(handler: object): Access | undefined {
  return Reflect.getMetadata(ACCESS, handler) as Access | undefined;
}
