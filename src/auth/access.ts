import { SetMetadata } from '@nestjs/common';

/** What a token can allow. */
export const SCOPES = ['moves:read', 'moves:write', 'shipments:read', 'shipments:write', 'shipments:status'] as const;
export type Scope = (typeof SCOPES)[number];

/** What a route asks of its callers. */
export type Access = Scope | 'public';

const ACCESS = 'waybill:access';

/** The scope that a caller of this route needs. Each route says this or `Public`; the service does not start otherwise. */
export function NeedsScope(scope: Scope): MethodDecorator {
  return SetMetadata(ACCESS, scope);
}

/** Everybody may call this route, also without a token. */
export function Public(): MethodDecorator {
  return SetMetadata(ACCESS, 'public');
}

export function accessOf(handler: object): Access | undefined {
  return Reflect.getMetadata(ACCESS, handler) as Access | undefined;
}
