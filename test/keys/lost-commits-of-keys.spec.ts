import { randomUUID } from 'node:crypto';
import { Api, type Answer, type Json } from '../support/http/api.js';
import { bearer } from '../support/http/tokens.js';
import { useProxiedService } from '../support/service/proxied-service.js';
import { startApp } from '../support/service/service.js';

/** The COMMIT of an operation on keys gets no response. */
const { proxy, service } = useProxiedService({ WEBHOOKS: 'off' });

const FIELDS = { name: 'Carrier North', scopes: ['moves:read'] };

/** Answers with the key that is shown, if any. */
type Operation = (headers: Record<string, string>) => Promise<Answer<Json>>;

let rotated: Json;
const OPERATIONS: [string, number, Operation][] = [
  ['a creation', 201, (headers) => service.api.send('POST', '/v1/keys', FIELDS, headers)],
  ['a rotation', 200, (headers) => service.api.send('POST', `/v1/keys/${rotated.id}/rotateKey`, undefined, headers)],
];

let other: Awaited<ReturnType<typeof startApp>>;
beforeAll(async () => {
  other = await startApp({ AUTH_MODE: 'keys' }, service.databaseUrl);
});
afterAll(() => other.app.close());
beforeEach(async () => {
  ({ body: rotated } = await service.api.post('/v1/keys', FIELDS));
});

const count = async () => (await service.sql.query('SELECT FROM key_hashes')).rowCount;

describe.each(OPERATIONS)('%s', (_, status, send) => {
  test('whose COMMIT was lost says so, and has added nothing', async () => {
    const before = await count();
    proxy.plan = (text) => (text.startsWith('COMMIT') ? { lose: 'before' } : undefined);
    const { status: answered, body } = await send({});
    proxy.plan = () => undefined;
    expect([answered, body.code]).toEqual([503, 'UNAVAILABLE']);
    expect(await count()).toBe(before);
  });

  test.each([
    ['without an Idempotency-Key', {}],
    ['with an Idempotency-Key', { 'Idempotency-Key': randomUUID() }],
  ])('shows the key that works, although the answer to COMMIT was lost, %s', async (__, headers) => {
    const before = await count();
    proxy.plan = (text) => (text.startsWith('COMMIT') ? { lose: 'answer' } : undefined);
    const { status: answered, body } = await send(headers);
    proxy.plan = () => undefined;
    expect([answered, await count()]).toEqual([status, (before ?? 0) + 1]);
    expect((await new Api(other.url).get('/v1/moves', bearer(body.key))).status).toBe(200);
  });
});
