import { patternOf, type Route } from '../http/routes.js';
import { accessOf } from './access.js';

/** Stops the start when a route does not say who may call it. */
export function requireDeclaredAccess(routes: readonly Route[]): void {
  const silent = routes.filter(({ handler }) => accessOf(handler) === undefined);
  if (silent.length === 0) return;
  const names = silent.map(({ method, path, name }) => `  ${method} ${path} (${name})`).join('\n');
  throw new Error(`These routes must say who may call them, with @NeedsScope or @Public:\n${names}`);
}

/** Whether a path is one that everybody may call. */
export function publicPaths(routes: readonly Route[]): (path: string) => boolean {
  const find = patternOf(routes.filter(({ handler }) => accessOf(handler) === 'public'));
  return (path) => find(path) !== undefined;
}
