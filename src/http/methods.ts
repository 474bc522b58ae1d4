import type { Request, Response } from 'express';
import { Problem } from '../problem/problem.js';
import { MEDIA_TYPES } from './media-types.js';

export interface ServedRoute {
  readonly method: string;
  readonly expression: RegExp;
}

/** Handles a request without a matching route: responds to OPTIONS or throws 405 if the path has other methods; false if it is unknown. */
export function refuseMethod(routes: readonly ServedRoute[], request: Request, response: Response): boolean {
  const methods = methodsOf(routes, request.path);
  if (methods.length === 0) return false;
  const headers: Record<string, string> = { Allow: methods.join(', ') };
  if (methods.includes('PATCH')) headers['Accept-Patch'] = MEDIA_TYPES.PATCH.join(', ');
  if (request.method !== 'OPTIONS') {
    const detail = `This path does not support ${request.method}. It supports ${methods.join(', ')}.`;
    throw new Problem('METHOD_NOT_ALLOWED', detail, { headers });
  }
  response.writeHead(204, headers).end();
  return true;
}

function methodsOf(routes: readonly ServedRoute[], path: string): string[] {
  const methods = new Set(routes.filter(({ expression }) => expression.test(path)).map(({ method }) => method));
  if (methods.size === 0) return [];
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods.add('OPTIONS')].sort();
}
