import type { Express, Request, Response } from 'express';
import { Problem } from '../problem/problem.js';
import { MEDIA_TYPES } from './media-types.js';

/**
 * For a request that no route took: answers OPTIONS, or throws 405, when the path is known to other methods.
 * False when the path is not known at all.
 */
export function refuseMethod(app: Express, request: Request, response: Response): boolean {
  const methods = methodsOf(app, request.path);
  if (methods.length === 0) return false;
  const headers: Record<string, string> = { Allow: methods.join(', ') };
  if (methods.includes('PATCH')) headers['Accept-Patch'] = MEDIA_TYPES.PATCH.join(', ');
  if (request.method !== 'OPTIONS') {
    throw new Problem(
      'METHOD_NOT_ALLOWED',
      `This path does not take ${request.method}. It takes ${methods.join(', ')}.`,
      { headers },
    );
  }
  response.writeHead(204, headers).end();
  return true;
}

/** What Express's types leave out. */
type Layer = Express['router']['stack'][number] & { match(path: string): boolean };

/** The methods that a path takes, from Express's own routes, so that no second list can disagree with them. */
function methodsOf(app: Express, path: string): string[] {
  const methods = new Set<string>();
  for (const layer of app.router.stack as Layer[]) {
    if (layer.route === undefined || !layer.match(path)) continue;
    for (const { method } of layer.route.stack) methods.add(method.toUpperCase());
  }
  if (methods.size === 0) return [];
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods.add('OPTIONS')].sort();
}
