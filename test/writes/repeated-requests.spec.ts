import { conflictingImport } from '../support/records/imports.js';
import { SCOPES } from '../../src/auth/scopes.js';
import { writeRuleOf } from '../../src/writes/write-rule.js';
import { routesOf } from '../../src/http/routes.js';
import { Api, type Answer, type Json } from '../support/http/api.js';
import { expectProblem } from '../support/http/problem.js';
import { deleted } from '../support/records/deletions.js';
import {
  ADDRESS,
  CHILDREN,
  childrenOf,
  collectionOf,
  createMove,
  createShipment,
  type Kind,
} from '../support/records/records.js';
import { shareOf } from '../support/repository/sweeps.js';
import { bearer, signToken, useSecuredService } from '../support/http/tokens.js';

/** A write that succeeds, and what is varied of it when its key is used again. */
interface Write {
  readonly path: string;
  readonly body?: object | string;
  readonly otherBody?: object | string;
  /** The media type of the body, when it is not JSON. */
  readonly type?: string;
  /** The eTag of the record that is changed; a creation has none. */
  readonly eTag?: string;
}

type Prepare = (api: Api) => Promise<Write>;

async function change(path: string, made: Promise<Json>, body?: object, otherBody?: object): Promise<Write> {
  const { id, eTag } = await made;
  return { path: path.replace(':id', id), eTag, ...(body && { body }), ...(otherBody && { otherBody }) };
}

async function restoration(api: Api, path: string, made: Promise<Json>): Promise<Write> {
  const ofRecord = path.replace(':id', (await made).id);
  const { deletionETag } = await deleted(api, ofRecord);
  return { path: `${ofRecord}/undelete`, eTag: deletionETag };
}

const MOVE = [{ remarks: 'one' }, { remarks: 'two' }] as const;
const WEBHOOK = [{ url: 'https://one.example/' }, { url: 'https://two.example/' }] as const;
const KEY = [
  { name: 'One', scopes: ['moves:read'] },
  { name: 'Two', scopes: ['moves:read'] },
] as const;
const SHIPMENT = [{ shipmentType: 'ONE' }, { shipmentType: 'TWO' }] as const;

function writesOf(kind: Kind): Record<string, Prepare> {
  const bodies = [kind.full, { ...kind.full, [kind.optional]: 'another' }] as const;
  const [item, at] = [`${kind.path}/:${kind.name}ID`, `${kind.path}/:id`];
  return {
    [`POST ${childrenOf({ id: ':shipmentID' }, kind)}`]: async (api) =>
      creation(await collectionOf(api, kind), ...bodies),
    [`PATCH ${item}`]: (api) => change(at, kind.create(api), ...bodies),
    [`PUT ${item}`]: (api) => change(at, kind.create(api), ...bodies),
    [`DELETE ${item}`]: (api) => change(at, kind.create(api)),
    [`POST ${item}/undelete`]: (api) => restoration(api, at, kind.create(api)),
  };
}

/** Every route that writes; one that is not here fails the first test. */
const WRITES: Record<string, Prepare> = {
  'POST /v1/moves': () => creation('/v1/moves', ...MOVE),
  'PATCH /v1/moves/:moveID': (api) => change('/v1/moves/:id', createMove(api), ...MOVE),
  'PUT /v1/moves/:moveID': (api) => change('/v1/moves/:id', createMove(api), ...MOVE),
  'DELETE /v1/moves/:moveID': (api) => change('/v1/moves/:id', createMove(api)),
  'POST /v1/moves/:moveID/undelete': (api) => restoration(api, '/v1/moves/:id', createMove(api)),
  'POST /v1/shipments': () => creation('/v1/shipments', ...SHIPMENT),
  'POST /v1/shipments/bulk': () =>
    creation(
      '/v1/shipments/bulk',
      { atomic: false, items: [{ op: 'create', values: SHIPMENT[0] }] },
      { atomic: false, items: [{ op: 'create', values: SHIPMENT[1] }] },
    ),
  'POST /v1/imports': () =>
    Promise.resolve({
      path: '/v1/imports',
      body: 'shipmentType\r\nONE\r\n',
      otherBody: 'shipmentType\r\nTWO\r\n',
      type: 'text/csv',
    }),
  'POST /v1/imports/:importID/settle': (api) => change('/v1/imports/:id/settle?line=2', conflictingImport(api)),
  'POST /prime/v1/shipments': () => creation('/prime/v1/shipments', ...SHIPMENT),
  'PATCH /v1/shipments/:shipmentID': (api) => change('/v1/shipments/:id', createShipment(api), ...SHIPMENT),
  'PUT /v1/shipments/:shipmentID': (api) => change('/v1/shipments/:id', createShipment(api), ...SHIPMENT),
  'DELETE /v1/shipments/:shipmentID': (api) => change('/v1/shipments/:id', createShipment(api)),
  'POST /v1/shipments/:shipmentID/undelete': (api) => restoration(api, '/v1/shipments/:id', createShipment(api)),
  'PATCH /prime/v1/shipments/:shipmentID/updateStatus': (api) =>
    change(
      '/prime/v1/shipments/:id/updateStatus',
      createShipment(api),
      { status: 'APPROVED' },
      { status: 'REJECTED', rejectionReason: 'full' },
    ),
  'PUT /v1/mto-shipment/:shipmentID/address/:addressID': async (api) => {
    const { id, eTag, pickupAddress } = await createShipment(api, { pickupAddress: ADDRESS });
    const path = `/v1/mto-shipment/${id}/address/${pickupAddress.id}`;
    return { path, eTag, body: ADDRESS, otherBody: { ...ADDRESS, city: 'Shelbyville' } };
  },
  'POST /v1/webhooks': () => creation('/v1/webhooks', ...WEBHOOK),
  'PATCH /v1/webhooks/:webhookID': (api) => change('/v1/webhooks/:id', createWebhook(api), ...WEBHOOK),
  'PUT /v1/webhooks/:webhookID': (api) => change('/v1/webhooks/:id', createWebhook(api), ...WEBHOOK),
  'DELETE /v1/webhooks/:webhookID': (api) => change('/v1/webhooks/:id', createWebhook(api)),
  'POST /v1/webhooks/:webhookID/rotateSecret': (api) => change('/v1/webhooks/:id/rotateSecret', createWebhook(api)),
  'POST /v1/keys': () => creation('/v1/keys', ...KEY),
  'PATCH /v1/keys/:keyID': (api) => change('/v1/keys/:id', createKey(api), ...KEY),
  'PUT /v1/keys/:keyID': (api) => change('/v1/keys/:id', createKey(api), ...KEY),
  'DELETE /v1/keys/:keyID': (api) => change('/v1/keys/:id', createKey(api)),
  'POST /v1/keys/:keyID/rotateKey': (api) => change('/v1/keys/:id/rotateKey', createKey(api)),
  ...Object.assign({}, ...CHILDREN.map(writesOf)),
};

async function createKey(api: Api): Promise<Json> {
  return (await api.post('/v1/keys', KEY[0])).body;
}

async function createWebhook(api: Api): Promise<Json> {
  return (await api.post('/v1/webhooks', WEBHOOK[0])).body;
}

function creation(path: string, body: object, otherBody: object): Promise<Write> {
  return Promise.resolve({ path, body, otherBody });
}

const SCOPE = SCOPES.join(' ');

const { service, key: signingKey, as } = useSecuredService();
let alice: Api;
let bob: Record<string, string>;

beforeAll(async () => {
  alice = await as({ scope: SCOPE, subject: 'alice' });
  bob = bearer(await signToken(signingKey, { scope: SCOPE, subject: 'bob' }));
});

async function changesMade(): Promise<number> {
  const { rows } = await service.sql.query<{ count: number }>('SELECT count(*)::int AS count FROM history');
  return rows[0]?.count ?? -1;
}

type Headers = Record<string, string>;

/** The differences of the second request from the first. */
interface Again {
  readonly method?: string;
  readonly path?: string;
  readonly body?: object | string;
  readonly headers?: Headers;
}

type Vary = (write: Write, method: string) => Again | undefined;

function statusOf(route: string): number {
  if (route.endsWith('/undelete')) return 200;
  if (route.endsWith('/bulk')) return 207;
  if (/\/(rotate(Secret|Key)|settle)$/.test(route)) return 200;
  return { DELETE: 204, POST: 201 }[route.split(' ', 1)[0] ?? ''] ?? 200;
}

/** Does each write once, repeats it with something changed, and tells how the second attempt was answered. */
async function secondAnswers(
  vary: Vary,
  routes: readonly [string, Prepare][],
): Promise<[route: string, answer: Answer<Json>, changes: number][]> {
  const answers: [string, Answer<Json>, number][] = [];
  for (const [route, prepare] of routes) {
    const method = route.split(' ', 1)[0] ?? '';
    const write = await prepare(alice);
    const again = vary(write, method);
    if (again === undefined) continue;
    const headers: Headers = {
      'Idempotency-Key': crypto.randomUUID(),
      ...(write.eTag !== undefined && { 'If-Match': write.eTag }),
      ...(write.type !== undefined && { 'Content-Type': write.type }),
    };
    const first = await alice.send(method, write.path, write.body, headers);
    expect([route, first.status]).toEqual([route, statusOf(route)]);
    const before = await changesMade();
    const second = await alice.send(again.method ?? method, again.path ?? write.path, again.body ?? write.body, {
      ...headers,
      ...again.headers,
    });
    answers.push([route, second, (await changesMade()) - before]);
    expect([route, isReplay(first)]).toEqual([route, false]);
    if (!isReplay(second)) continue;
    for (const name of ['ETag', 'Location', 'Content-Type']) {
      expect([route, name, second.headers.get(name)]).toEqual([route, name, first.headers.get(name)]);
    }
    // An API key is shown once.
    const once = first.body?.key && { key: null, notice: second.body.notice };
    expect([route, second.body]).toEqual([route, once ? { ...first.body, ...once } : first.body]);
  }
  expect(answers.length).toBeGreaterThan(0);
  return answers;
}

const isReplay = ({ headers }: Answer<Json>) => headers.get('Idempotency-Replayed') === 'true';

/** Go on after their answer, so that changes cannot be counted here: test/imports/import-apply.spec.ts, test/deliveries/redelivery.spec.ts. */
const IN_THE_BACKGROUND = [
  'POST /v1/imports/:importID/apply',
  'POST /v1/webhooks/:webhookID/deliveries/:deliveryID/redeliver',
  'POST /v1/webhooks/:webhookID/ping',
  'POST /v1/webhooks/:webhookID/replay',
];

test('every route that writes is tried', () => {
  const writing = routesOf(service.app).filter(({ handler }) => writeRuleOf(handler) !== undefined);
  const tried = [...Object.keys(WRITES), ...IN_THE_BACKGROUND];
  expect(writing.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(tried.sort());
});

/** Each variation with a share of the routes, and the first of a table with all of them. */
function withRoutes(variations: readonly [string, Vary][]): [string, Vary, readonly [string, Prepare][]][] {
  return variations.map(([name, vary], place) => [
    name,
    vary,
    place === 0 ? Object.entries(WRITES) : shareOf(Object.entries(WRITES), place, 4),
  ]);
}

test.each(
  withRoutes([
    ['as it was', () => ({})],
    ['with a trailing slash', ({ path }) => ({ path: path.replace(/(?=\?|$)/, '/') })],
    ['with an empty query', ({ path }) => (path.includes('?') ? undefined : { path: `${path}?` })],
    [
      'with percent-encoded ids',
      ({ path }) => ({ path: path.replaceAll(/(?<=\/)0(?=[\da-f]{7}-)/g, '%30').replaceAll('-7', '%2D7') }),
    ],
    ['with ids in capitals', ({ path }) => ({ path: path.replaceAll(/[\da-f]{8}(-[\da-f]{4,12}){4}/g, inCapitals) })],
    ['with the eTag in quotes', ({ eTag }) => (eTag ? { headers: { 'If-Match': `"${eTag}"` } } : undefined)],
    ['with the eTag twice', ({ eTag }) => (eTag ? { headers: { 'If-Match': `"${eTag}" , "${eTag}"` } } : undefined)],
  ]),
)('the first answer again for a request that is repeated %s', async (_, vary, routes) => {
  for (const [route, answer, changes] of await secondAnswers(vary, routes)) {
    expect([route, answer.status < 300, isReplay(answer), changes]).toEqual([route, true, true, 0]);
  }
});

function inCapitals(id: string): string {
  return id.toUpperCase();
}

const STALE = '0'.repeat(64);

test.each(
  withRoutes([
    ['another body', ({ otherBody }) => (otherBody === undefined ? undefined : { body: otherBody })],
    [
      'another query',
      ({ path }, method) => (takesQuery(method, path) ? { path: `${path}?expand=${relationOf(path)}` } : undefined),
    ],
    ['another eTag in If-Match', () => ({ headers: { 'If-Match': STALE } })],
    ['* in If-Match', () => ({ headers: { 'If-Match': '*' } })],
    ['a weak tag in If-Match', ({ eTag }) => ({ headers: { 'If-Match': `W/"${eTag ?? STALE}"` } })],
    ['one more eTag in If-Match', ({ eTag }) => ({ headers: { 'If-Match': `"${eTag ?? ''}", "${STALE}"` } })],
    ['If-None-Match', () => ({ headers: { 'If-None-Match': `"${STALE}"` } })],
  ]),
)('422 and no change for a key that comes again with %s', async (_, vary, routes) => {
  for (const [route, answer, changes] of await secondAnswers(vary, routes)) {
    expect([route, answer.status, changes]).toEqual([route, 422, 0]);
    expectProblem(answer, 422, 'IDEMPOTENCY_MISMATCH');
  }
});

function takesQuery(method: string, path: string): boolean {
  return method === 'PATCH' && /^\/v1\/(moves|shipments)\/[^/]+$/.test(path);
}

function relationOf(path: string): string {
  return path.startsWith('/v1/moves') ? 'shipments' : 'agents';
}

const OTHER_METHOD: Record<string, string> = { PATCH: 'PUT', PUT: 'PATCH', DELETE: 'PATCH', POST: 'PUT' };

test.each(
  withRoutes([
    ['another caller', () => ({ headers: bob })],
    ['another method', (_, method) => ({ method: OTHER_METHOD[method] ?? '', body: {} })],
  ]),
)('no answer of the first request for a key that comes with %s', async (_, vary, routes) => {
  for (const [route, answer] of await secondAnswers(vary, routes)) {
    expect([route, isReplay(answer)]).toEqual([route, false]);
  }
});
