import { readFileSync } from 'node:fs';
import type { Json } from '../support/http/api.js';
import { freePort } from '../support/http/free-port.js';
import { Receiver } from '../support/http/receiver.js';
import { bearer, jwtEnvironment, KeySetServer, newKey, signToken } from '../support/http/tokens.js';
import { eventually } from '../support/races/eventually.js';
import { createShipment, UNKNOWN_ID } from '../support/records/records.js';
import { LOOPBACK } from '../support/records/webhooks.js';
import { useReplica } from '../support/service/replica.js';

const SCOPES = 'moves:read moves:write shipments:read shipments:write webhooks:read webhooks:write';
const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8')) as { paths: Record<string, object> };

let keySet: KeySetServer;
let receiver: Receiver;
let token: { Authorization: string };
let readerToken: { Authorization: string };

beforeAll(async () => {
  const key = await newKey('only');
  keySet = await KeySetServer.start(key);
  receiver = await Receiver.start();
  token = bearer(await signToken(key, { scope: SCOPES }));
  readerToken = bearer(await signToken(key, { scope: 'shipments:read' }));
});
afterAll(async () => {
  await receiver.stop();
  await keySet.stop();
});

const service = useReplica(() => ({
  LOG_LEVEL: 'debug',
  DRAIN_DELAY_MS: '0',
  ...jwtEnvironment(keySet.url),
  ...LOOPBACK,
}));

test('a secret is in no log, no GET and no event, whatever happens to the webhook and its deliveries', async () => {
  const { replica, sql } = service;
  const [api, reader] = [replica.api.as(token), replica.api.as(readerToken)];
  const attempts = async (webhook: Json): Promise<Json[]> => {
    const { body } = await api.get<Json[]>(`/v1/webhooks/${webhook.id}/deliveries`);
    return body.flatMap((delivery) => delivery.attempts as Json[]);
  };
  const attempted = (webhook: Json, isSuch: (attempt: Json) => boolean) =>
    eventually(async () => (await attempts(webhook)).some(isSuch), 15_000, 'the attempt');
  const create = async (url: string) => {
    const { body } = await api.post('/v1/webhooks', { url }, { 'Idempotency-Key': crypto.randomUUID() });
    return body;
  };
  const rotate = async ({ id }: Json) =>
    (await api.send('POST', `/v1/webhooks/${id}/rotateSecret`)).body.secret as string;

  // Deliveries that succeed, fail and find nobody; twice with two secrets.
  const webhook = await create(receiver.url);
  const unreachable = await create(`http://127.0.0.1:${await freePort()}/`);
  const secrets = [webhook.secret, unreachable.secret, await rotate(webhook), await rotate(unreachable)] as string[];
  const path = `/v1/webhooks/${webhook.id}`;
  await api.send('POST', `${path}/ping`);
  const shipment = await createShipment(api);
  await attempted(webhook, ({ status }) => status === 204);
  receiver.respond = ({ headers, body }, response) =>
    response.writeHead(500, headers).end(JSON.stringify(headers) + body);
  await api.post(`${path}/replay`, { after: null, until: null });
  const [delivery] = (await api.get<Json[]>(`${path}/deliveries`)).body;
  await api.send('POST', `${path}/deliveries/${delivery.id}/redeliver`);
  await attempted(webhook, ({ status }) => status === 500);
  await attempted(unreachable, ({ error }) => error !== null);

  // Requests that are refused, with the secret in them or not.
  const [secret = ''] = secrets;
  const refused = [
    await api.post('/v1/webhooks', { url: receiver.url, secret }),
    await api.post('/v1/webhooks', `{"secret": "${secret}"`),
    await api.patch(path, webhook.eTag, { description: secret }),
    await api.patch(path, '*', { secret }),
    await api.get(`/v1/webhooks?secret=${encodeURIComponent(secret)}`),
    await api.get(`/v1/webhooks/${encodeURIComponent(secret)}`),
    await reader.get(path),
    await replica.api.get(path),
    await reader.send('POST', `${path}/rotateSecret`),
  ];
  expect(refused.map(({ status }) => status)).toEqual([422, 400, 412, 422, 400, 404, 403, 401, 403]);

  // The database refuses a secret and repeats it in its message.
  await sql.query(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION USING ERRCODE = 'XX000', MESSAGE = NEW.secret, DETAIL = NEW.secret, HINT = NEW.secret; END $$`);
  await sql.query('CREATE TRIGGER refuses BEFORE INSERT ON webhook_secrets FOR EACH ROW EXECUTE FUNCTION refuse()');
  expect((await api.send('POST', `${path}/rotateSecret`)).status).toBe(500);
  await sql.query('DROP TRIGGER refuses ON webhook_secrets');

  const { moveID, id: shipmentID } = shipment;
  const answers = await everyGet({ webhookID: webhook.id, deliveryID: delivery.id, shipmentID, moveID });
  expect(answers.length).toBeGreaterThan(20);
  expect(await replica.stop()).toBe(0);
  const isShown = (text: string) => secrets.some((each) => text.includes(each.slice('whsec_'.length)));
  expect(answers.filter(({ text }) => isShown(text)).map(({ about }) => about)).toEqual([]);
  expect(replica.lines.filter((line) => line.includes('"msg":"request"')).length).toBeGreaterThan(40);
  expect(replica.lines.filter(isShown)).toEqual([]);
});

/** Every GET of the API, also as a file; of the stream, its beginning. */
async function everyGet(ids: Readonly<Record<string, string>>): Promise<{ about: string; text: string }[]> {
  const read = Object.keys(paths).filter((path) => 'get' in (paths[path] ?? {}));
  const targets = read.map((path) => path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? UNKNOWN_ID));
  const calls = [
    ...targets.map((target) => ({ target, accept: '*/*' })),
    ...['text/csv', 'application/jsonl'].map((accept) => ({ target: '/v1/shipments', accept })),
  ];
  const statuses = new Map<string, number>();
  const answers: { about: string; text: string }[] = [];
  for (const { target, accept } of calls) {
    const query = target === '/v1/overview' ? '?from=2026-01-01&to=2026-01-31' : '';
    const response = await fetch(`${service.replica.url}${target}${query}`, { headers: { ...token, Accept: accept } });
    statuses.set(`${target} ${accept}`, response.status);
    const text = target === '/v1/events/stream' ? await beginningOf(response) : await response.text();
    answers.push({ about: `${target} ${accept}`, text });
  }
  const shown = [...statuses].filter(([, status]) => status === 200).map(([about]) => about);
  expect(shown).toEqual(expect.arrayContaining(readOfWebhook(ids).map((target) => `${target} */*`)));
  return answers;
}

function readOfWebhook({ webhookID = '', deliveryID = '' }: Readonly<Record<string, string>>): string[] {
  const own = `/v1/webhooks/${webhookID}`;
  return [
    own,
    `${own}/history`,
    `${own}/deliveries`,
    `${own}/deliveries/${deliveryID}`,
    '/v1/events',
    '/v1/events/stream',
  ];
}

async function beginningOf(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array);
    if (text.includes('webhook.updated')) break;
  }
  return text;
}
