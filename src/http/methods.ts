import type { Request, Response } from 'express';
import { Problem } from '../problem/problem.js';
import { MEDIA_TYPES } from './media-types.js';

/** One method of one path, with the expression that matches the path. */
export interface ServedRoute {
  readonly method: string;
  readonly path: string;
  readonly expression: RegExp;
}

/**
 * For a request that no route took: answers OPTIONS, or throws 405, when the path is known to other methods.
 * False when the path is not known at all.
 */
export function refuseMethod(routes: readonly ServedRoute[], request: Request, response: Response): boolean {
  const methods = methodsOf(routes, request.path);
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

/** The methods that a path takes. */
function methodsOf(routes: readonly ServedRoute[], path: string): string[] {
  const methods = new Set(routes.filter(({ expression }) => expression.test(path)).map(({ method }) => method));
  if (methods.size === 0) return [];
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods.add('OPTIONS')].sort();
}
