import type { Request, RequestHandler } from 'express';
import { FILE_TYPES } from '../http/media-types.js';
import { isRead } from '../http/accept.guard.js';
import { collectionName } from '../records/resource.js';
import { CHILDREN_OF_SHIPMENTS } from '../model/relations.js';
import { qualities, wantsPage } from './page.js';

const CHILDREN = CHILDREN_OF_SHIPMENTS.map(collectionName);

/** The console view for each path of a record, list or history. Agents and services have none, because their paths lack the shipment. */
const VIEWS: readonly [path: RegExp, view: string][] = [
  [/^\/v1\/shipments\/?$/, 'list'],
  [/^\/v1\/moves\/?$/, 'list'],
  [/^\/v1\/deletions\/?$/, 'deleted'],
  [/^\/v1\/moves\/([^/]+)(\/history)?\/?$/, 'moves/$1'],
  [new RegExp(`^/v1/shipments/([^/]+)(/(history|${CHILDREN.join('|')}))?/?$`), 'shipments/$1'],
  [/^\/v1\/mto-shipment\/([^/]+)\/address\/[^/]+\/?$/, 'shipments/$1'],
  [/^\/v1\/imports\/([^/]+)(\/rows)?\/?$/, 'imports/$1'],
];

/** Redirects browsers from a record, list or history to the console. Runs before authentication, because the console can sign in. */
export function redirectToConsole(publicUrl = ''): RequestHandler {
  return (request, response, next) => {
    const view = isRead(request) ? viewOf(request.path) : undefined;
    if (view === undefined || !wantsPage(request) || prefersFile(request)) {
      next();
      return;
    }
    // The console's list supports the filters of the API.
    const query =
      request.path.startsWith('/v1/shipments') && view === 'list' ? request.url.slice(request.path.length) : '';
    const location = `${publicUrl}/console/${view}${query}`;
    response.writeHead(303, { Location: location, 'Cache-Control': 'no-cache' }).end();
  };
}

function viewOf(path: string): string | undefined {
  const found = VIEWS.find(([pattern]) => pattern.test(path));
  return found === undefined ? undefined : path.replace(...found);
}

function prefersFile({ headers: { accept = '' } }: Request): boolean {
  const quality = qualities(accept);
  return Object.values(FILE_TYPES).some((type) => quality(type) > quality('text/html'));
}
