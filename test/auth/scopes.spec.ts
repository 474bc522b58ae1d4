import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { accessOf, requireDeclaredAccess, type Access, type Scope } from '../../src/auth/access.js';
import { SCOPES } from '../../src/auth/scopes.js';
import { cursorOf } from '../../src/records/paging.js';
import { queryTypeOf } from '../../src/http/query.guard.js';
import { routesOf, type Route } from '../../src/http/routes.js';
import { schemaOfProperty } from '../../src/validation/json-schema.decorator.js';
import { expectProblem } from '../support/http/problem.js';
import { CHILDREN, childrenOf, UNKNOWN_ID } from '../support/records/records.js';
import { shareOf } from '../support/repository/sweeps.js';
import { bearer, signToken, useSecuredService } from '../support/http/tokens.js';

const { service, key } = useSecuredService();
let routes: Route[];

beforeAll(() => {
  routes = routesOf(service.app);
});

/** The scopes that each route requires, as documented. A route that is missing here fails the test. */
const EXPECTED: Record<string, Access> = {
  'GET /': 'public',
  'GET /docs': 'public',
  'GET /docs/assets/:name': 'public',
  'GET /openapi.json': 'public',
  'GET /problems': 'public',
  'GET /problems/:code': 'public',
  'GET /health/live': 'public',
  'GET /health/ready': 'public',
  'GET /metrics': 'public',
  'GET /console': 'public',
  'GET /console/*view': 'public',
  'GET /console/assets/:name': 'public',
  'GET /v1/events': ['shipments:read', 'moves:read'],
  'GET /v1/events/stream': ['shipments:read', 'moves:read'],
  'GET /v1/moves': 'moves:read',
  'POST /v1/moves': 'moves:write',
  'GET /v1/moves/:moveID': 'moves:read',
  'GET /v1/moves/:moveID/history': 'moves:read',
  'PATCH /v1/moves/:moveID': 'moves:write',
  'PUT /v1/moves/:moveID': 'moves:write',
  'DELETE /v1/moves/:moveID': 'moves:write',
  'GET /v1/deletions': ['shipments:read', 'moves:read'],
  'POST /v1/moves/:moveID/undelete': 'moves:write',
  'POST /v1/shipments/:shipmentID/undelete': 'shipments:write',
  'GET /v1/shipments': 'shipments:read',
  'GET /v1/overview': 'shipments:read',
  'POST /v1/shipments': 'shipments:write',
  'POST /v1/shipments/bulk': ['shipments:write', 'shipments:status'],
  'GET /v1/imports': 'shipments:read',
  'POST /v1/imports': 'shipments:write',
  'GET /v1/imports/:importID': 'shipments:read',
  'GET /v1/imports/:importID/rows': 'shipments:write',
  'POST /v1/imports/:importID/apply': 'shipments:write',
  'POST /v1/imports/:importID/settle': 'shipments:write',
  'GET /v1/imports/:importID/result': 'shipments:write',
  'GET /v1/keys': 'keys:read',
  'POST /v1/keys': 'keys:write',
  'GET /v1/keys/:keyID': 'keys:read',
  'GET /v1/keys/:keyID/history': 'keys:read',
  'PATCH /v1/keys/:keyID': 'keys:write',
  'PUT /v1/keys/:keyID': 'keys:write',
  'DELETE /v1/keys/:keyID': 'keys:write',
  'POST /v1/keys/:keyID/rotateKey': 'keys:write',
  'GET /v1/webhooks': 'webhooks:read',
  'POST /v1/webhooks': 'webhooks:write',
  'GET /v1/webhooks/:webhookID': 'webhooks:read',
  'GET /v1/webhooks/:webhookID/history': 'webhooks:read',
  'PATCH /v1/webhooks/:webhookID': 'webhooks:write',
  'PUT /v1/webhooks/:webhookID': 'webhooks:write',
  'DELETE /v1/webhooks/:webhookID': 'webhooks:write',
  'POST /v1/webhooks/:webhookID/rotateSecret': 'webhooks:write',
  'POST /v1/webhooks/:webhookID/ping': 'webhooks:write',
  'POST /v1/webhooks/:webhookID/replay': 'webhooks:write',
  'GET /v1/webhooks/:webhookID/deliveries': 'webhooks:read',
  'GET /v1/webhooks/:webhookID/deliveries/:deliveryID': 'webhooks:read',
  'POST /v1/webhooks/:webhookID/deliveries/:deliveryID/redeliver': 'webhooks:write',
  'POST /prime/v1/shipments': 'shipments:write',
  'GET /v1/shipments/:shipmentID': 'shipments:read',
  'GET /v1/shipments/:shipmentID/history': 'shipments:read',
  'PATCH /v1/shipments/:shipmentID': 'shipments:write',
  'PUT /v1/shipments/:shipmentID': 'shipments:write',
  'DELETE /v1/shipments/:shipmentID': 'shipments:write',
  'PATCH /prime/v1/shipments/:shipmentID/updateStatus': 'shipments:status',
  'GET /v1/mto-shipment/:shipmentID/address/:addressID': 'shipments:read',
  'PUT /v1/mto-shipment/:shipmentID/address/:addressID': 'shipments:write',
  ...Object.fromEntries(
    CHILDREN.flatMap((kind) => [
      [`GET ${childrenOf({ id: ':shipmentID' }, kind)}`, 'shipments:read'],
      [`POST ${childrenOf({ id: ':shipmentID' }, kind)}`, 'shipments:write'],
      [`GET ${kind.path}/:${kind.name}ID`, 'shipments:read'],
      [`POST ${kind.path}/:${kind.name}ID/undelete`, 'shipments:write'],
      ...['PATCH', 'PUT', 'DELETE'].map((method) => [`${method} ${kind.path}/:${kind.name}ID`, 'shipments:write']),
    ]),
  ),
};

function call(route: Route, headers: Record<string, string>, query = '') {
  const path = route.path.replace(/:\w+/g, UNKNOWN_ID) + query;
  const isFile = route.method === 'POST' && route.path === '/v1/imports';
  // A webhook without types would need further scopes.
  const sent = isFile ? 'shipmentType\nHHG' : { types: [] };
  const body = ['POST', 'PUT', 'PATCH'].includes(route.method) ? sent : undefined;
  // A stream would go on for ever, so that a cursor is sent which it refuses.
  const cursor = { 'Last-Event-ID': cursorOf('1.0000000000000000') };
  const type: Record<string, string> = isFile ? { 'Content-Type': 'text/csv' } : {};
  return service.api.send(route.method, path, body, { ...headers, ...cursor, ...type, 'If-Match': '*' });
}

test('every route asks for the scope that it should', () => {
  const declared = routes.map(({ method, path, handler }) => [`${method} ${path}`, accessOf(handler)]);
  expect(Object.fromEntries(declared)).toEqual(EXPECTED);
});

const signed = new Map<string, string>();

/** The header with a token for these scopes. */
async function holding(scopes: readonly string[]): Promise<{ Authorization: string }> {
  const scope = scopes.join(' ');
  const token = signed.get(scope) ?? (await signToken(key, { scope }));
  signed.set(scope, token);
  return bearer(token);
}

test('every route lets its own scope in, and all the others together out', async () => {
  for (const route of routes) {
    const needed = [accessOf(route.handler) ?? 'undeclared'].flat();
    const about = `${route.method} ${route.path}`;
    for (const scope of needed) {
      const { status } = await call(route, await holding([scope]));
      expect([about, scope, [401, 403].includes(status)]).toEqual([about, scope, false]);
    }
    if (needed.includes('public')) continue;
    const answer = await call(route, await holding(SCOPES.filter((scope) => !needed.includes(scope))));
    expect([about, answer.status]).toEqual([about, 403]);
    expect(expectProblem(answer, 403, 'FORBIDDEN').missingScope).toBe(needed[0]);
    expect(answer.headers.get('WWW-Authenticate')).toContain(`error="insufficient_scope", scope="${needed[0]}"`);
  }
});

/** The scope that each expansion requires, as documented. */
const SCOPE_OF_EXPANSION: Record<string, Scope> = {
  move: 'moves:read',
  shipments: 'shipments:read',
  ...Object.fromEntries(CHILDREN.map(({ name }) => [`${name}s`, 'shipments:read'])),
};

/** Every route that expands, with every set of things that it can expand. */
function expansions(): [Route, string[]][] {
  return routes.flatMap((route) => {
    const names = schemaOfProperty(queryTypeOf(route.handler), 'expand').enum ?? [];
    const sets = (names as string[]).reduce<string[][]>(
      (all, name) => [...all, ...all.map((set) => [...set, name])],
      [[]],
    );
    return sets.slice(1).map((set): [Route, string[]] => [route, set]);
  });
}

test('an expansion is let in with the scope to read what it shows, beside that of the route, and out without it', async () => {
  const cases = expansions();
  expect(cases).toHaveLength(3 * (2 ** (CHILDREN.length + 1) - 1) + 3 * 1);
  const sets = [
    [],
    ...SCOPES.map((scope) => [scope]),
    ...SCOPES.map((scope) => SCOPES.filter((each) => each !== scope)),
    SCOPES,
  ];
  for (const [place, held] of sets.entries()) {
    const headers = await holding(held);
    for (const [route, names] of shareOf(cases, place, 4)) {
      const needed = [accessOf(route.handler), ...names.map((name) => SCOPE_OF_EXPANSION[name])];
      const isAllowed = needed.every((scope) => held.some((each) => each === scope));
      for (const query of [`?expand=${names.join(',')}`, `?${names.map((name) => `expand=${name}`).join('&')}`]) {
        const answer = await call(route, headers, query);
        const about = `${route.method} ${route.path}${query} with ${held.join(' ')}`;
        expect([about, answer.status === 403]).toEqual([about, !isAllowed]);
        if (!isAllowed) expect(needed).toContain(expectProblem(answer, 403, 'FORBIDDEN').missingScope);
      }
    }
  }
});

test('every route that is not public answers 401 without a token, and only those', async () => {
  for (const route of routes) {
    const { status } = await call(route, {});
    expect([route.path, status === 401]).toEqual([route.path, accessOf(route.handler) !== 'public']);
  }
});

@Controller('forgotten')
class ForgottenController {
  @Get()
  read(): object {
    return {};
  }
}

@Module({ controllers: [ForgottenController] })
class ForgottenModule {}

test('the service does not start with a route without a scope', async () => {
  const app = await NestFactory.createApplicationContext(ForgottenModule, { logger: false });
  expect(() => requireDeclaredAccess(routesOf(app))).toThrow('GET /forgotten (ForgottenController.read)');
});
