import { SetMetadata } from '@nestjs/common';
import { patternOf, type Route } from '../http/routes.js';
import type { SCOPES } from './scopes.js';

export type Scope = (typeof SCOPES)[number];

/** The scopes that a route requires: one, any of several, or none. */
export type Access = Scope | readonly Scope[] | 'public';

const ACCESS = 'waybill:access';

/** The scope that a route requires, or several of which any suffices. Without this or `Public`, the service does not start. */
export function NeedsScope(scope: Scope | readonly Scope[]): MethodDecorator {
  return SetMetadata(ACCESS, scope);
}

/** Anyone may call this route, even without a token. */
export function Public(): MethodDecorator {
  return SetMetadata(ACCESS, 'public');
}

export function accessOf(handler: object): Access | undefined {
  return Reflect.getMetadata(ACCESS, handler) as Access | undefined;
}

/** Fails the start if a route does not declare its access. */
export function requireDeclaredAccess(routes: readonly Route[]): void {
  const undeclared = routes.filter(({ handler }) => accessOf(handler) === undefined);
  if (undeclared.length === 0) return;
  const names = undeclared.map(({ method, path, name }) => `  ${method} ${path} (${name})`).join('\n');
  throw new Error(`These routes must declare their access with @NeedsScope or @Public:\n${names}`);
}

export function publicPaths(routes: readonly Route[]): (path: string) => boolean {
  const find = patternOf(routes.filter(({ handler }) => accessOf(handler) === 'public'));
  return (path) => find(path) !== undefined;
}
