import { patternOf, type Route } from '../http/routes.js';
import { accessOf } from './access.js';

/** Fails the start if a route does not declare its access. */
export function requireDeclaredAccess(routes: readonly Route[]): void {
  const undeclared = routes.filter(({ handler }) => accessOf(handler) === undefined);
  if (undeclared.length === 0) return;
  const names = undeclared.map(({ method, path, name }) => `  ${method} ${path} (${name})`).join('\n');
  throw new Error(`These routes must declare their access with @NeedsScope or @Public:\n${names}`);
}

/** Returns whether a path is public. */
export function publicPaths(routes: readonly Route[]): (path: string) => boolean {
  const find = patternOf(routes.filter(({ handler }) => accessOf(handler) === 'public'));
  return (path) => find(path) !== undefined;
}
