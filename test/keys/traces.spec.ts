// Not through PgBouncer: it checks what is stored and sent, which no connection affects.
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hashOf, isKey } from '../../src/auth/key-text.js';
import { cursorOf } from '../../src/records/paging.js';
import { Api, type Answer, type Json } from '../support/http/api.js';
import { Collector } from '../support/http/collector.js';
import { freePort } from '../support/http/free-port.js';
import { nextOf } from '../support/http/paging.js';
import { exchange } from '../support/http/plain-http.js';
import { rawRequest, sendRaw } from '../support/http/raw-http.js';
import { RawStream } from '../support/http/raw-stream.js';
import { Receiver } from '../support/http/receiver.js';
import { bearer } from '../support/http/tokens.js';
import { eventually } from '../support/races/eventually.js';
import { UNKNOWN_ID } from '../support/records/records.js';
import { Traces } from '../support/records/traces.js';
import { LOOPBACK } from '../support/records/webhooks.js';
import { useReplica } from '../support/service/replica.js';

const PATIENCE_MS = 30_000;
const TEXT = 'xyzzy';

let collector: Collector;
let receiver: Receiver;
let managementPort: number;
beforeAll(async () => {
  collector = await Collector.start();
  receiver = await Receiver.start();
  managementPort = await freePort();
});
afterAll(async () => {
  await receiver.stop();
  await collector.stop();
});

const service = useReplica(() => ({
  AUTH_MODE: 'keys',
  LOG_LEVEL: 'debug',
  RATE_LIMIT: '0',
  DRAIN_DELAY_MS: '0',
  MANAGEMENT_PORT: String(managementPort),
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  OTEL_BSP_SCHEDULE_DELAY: '100',
  ...LOOPBACK,
}));

/** Everything that the service has answered, except the responses that show a key for the first time. */
const answered: string[] = [];

class RecordingApi extends Api {
  override async send<Body = Json>(...request: Parameters<Api['send']>): Promise<Answer<Body>> {
    const answer = await super.send<Body>(...request);
    const { key } = (answer.body ?? {}) as { key?: unknown };
    if (typeof key !== 'string') answered.push(JSON.stringify([[...answer.headers], answer.body]));
    return answer;
  }
}

function apiWith(key: string, headers: Record<string, string> = {}): RecordingApi {
  return new RecordingApi(service.replica.url, undefined, { ...bearer(key), ...headers });
}

function firstKey(databaseUrl: string): string {
  const env = { PATH: process.env['PATH'], DATABASE_URL: databaseUrl };
  const words = ['dist/tools/keys/main.js', 'create', '--name', 'Admin'];
  const { stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8', env });
  answered.push(stderr);
  return stdout.trim();
}

/** Every operation of the document, most of them for a record that does not exist. */
async function callEverything(key: string): Promise<number> {
  const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8')) as { paths: Record<string, object> };
  const statuses: number[] = [];
  for (const [path, item] of Object.entries(paths)) {
    for (const method of ['get', 'post', 'put', 'patch', 'delete'].filter((each) => each in item)) {
      const target = path.replaceAll(/\{\w+ID\}/g, UNKNOWN_ID).replace('{code}', 'NOT_FOUND');
      const headers = {
        ...bearer(key),
        'Last-Event-ID': cursorOf('1.0000000000000000'),
        'If-Match': '*',
        'Content-Type': 'application/json',
      };
      const options = { method: method.toUpperCase(), headers };
      const body = method === 'get' || method === 'delete' ? undefined : '{"nonsense": 1}';
      const { status, headersDistinct, body: text } = await exchange(service.replica.url + target, options, body);
      answered.push(JSON.stringify(headersDistinct), text);
      statuses.push(status);
    }
  }
  return statuses.filter((status) => status === 401).length;
}

/** Where no key belongs. */
async function sendWherever(key: string): Promise<void> {
  const { url, port } = service.replica;
  const wrong: [string, Record<string, string>][] = [
    ...[`?access_token=${key}`, `?q=${key}`, `?cursor=${key}`, `?${key}=1`].map(
      (query): [string, Record<string, string>] => [`/v1/shipments${query}`, bearer(key)],
    ),
    ...[`/v1/moves/${key}`, `/${key}`].map((path): [string, Record<string, string>] => [path, bearer(key)]),
    ...['Basic', 'Token', 'Bearer x', ''].map((scheme): [string, Record<string, string>] => [
      '/v1/moves',
      { Authorization: `${scheme} ${key}` },
    ]),
    ['/v1/moves', bearer(`${key}x`)],
    ['/v1/moves', { ...bearer(key), 'If-None-Match': key, Accept: key }],
    ['/v1/moves', { 'X-Api-Key': key, Cookie: `key=${key}` }],
  ];
  for (const [path, headers] of wrong) await exchange(url + path, { headers }, undefined);
  await sendRaw(port, rawRequest('GET', `/v1/moves?${key.repeat(400)}`, [['Authorization', `Bearer ${key}`]]));
  await sendRaw(port, `GET /v1/moves HTTP/1.1\r\nAuthorization: Bearer ${key}\r\nbroken\r\n\r\n`);
}

/** What others may read, after everything. */
async function readEverything(key: string): Promise<void> {
  const api = apiWith(key);
  const lists = ['moves', 'shipments', 'webhooks', 'keys', 'imports', 'deletions', 'events', 'overview'];
  for (const list of lists) await api.get(`/v1/${list}`);
  let count = 1;
  for (let path = '/v1/events?limit=200'; count > 0;) {
    const { body, headers } = await api.get<Json[]>(path);
    count = body.length;
    path = nextOf(headers) ?? path;
  }
  for (const { id } of (await api.get<Json[]>('/v1/keys')).body) {
    await api.get(`/v1/keys/${id}`);
    await api.get(`/v1/keys/${id}/history`);
  }
  for (const { id } of (await api.get<Json[]>('/v1/webhooks')).body) await api.get(`/v1/webhooks/${id}/deliveries`);
  for (const { id } of (await api.get<Json[]>('/v1/imports')).body) await api.get(`/v1/imports/${id}/rows`);
  for (const accept of ['text/csv', 'application/jsonl']) {
    const headers = { ...bearer(key), Accept: accept };
    answered.push((await exchange(`${service.replica.url}/v1/shipments`, { headers }, undefined)).body);
  }
}

/** Each table with its rows as texts. */
async function storedTexts(): Promise<[table: string, rows: string][]> {
  const { rows } = await service.sql.query<{ name: string }>(
    `SELECT oid::regclass::text AS name FROM pg_class WHERE relkind IN ('r', 'm') AND relnamespace = 'public'::regnamespace`,
  );
  const found: [string, string][] = [];
  for (const { name } of rows) {
    const { rows: texts } = await service.sql.query<{ text: string }>(`SELECT t::text AS text FROM ${name} t`);
    found.push([name, texts.map(({ text }) => text).join('\n')]);
  }
  return found;
}

test('a key and its hash are nowhere but in its first response and in key_hashes, whatever it was used for', async () => {
  const { replica } = service;
  const { user = '', host, port, database = '' } = service.sql;
  const first = firstKey(`postgresql://${user}@/${database}?host=${host}&port=${port}`);
  const admin = apiWith(first);
  const once = { 'Idempotency-Key': randomUUID() };
  const scopes = (await admin.get<Json[]>('/v1/keys')).body[0].scopes;
  const create = () => admin.post('/v1/keys', { name: 'Carrier', scopes }, once);
  const [{ body: created }, { body: repeated }] = [await create(), await create()];
  expect([isKey(created.key), repeated.key]).toEqual([true, null]);
  const rotate = () =>
    admin.send('POST', `/v1/keys/${created.id}/rotateKey`, undefined, { ...once, 'If-Match': created.eTag });
  const [{ body: rotated }, again] = [await rotate(), await rotate()];
  expect([isKey(rotated.key), again.body.key]).toEqual([true, null]);

  const keys: string[] = [first, created.key, rotated.key];
  const api = apiWith(rotated.key);
  const stream = await RawStream.open(replica, '/v1/events/stream', bearer(rotated.key)).opened();
  const { body: webhook } = await api.post('/v1/webhooks', { url: receiver.url, types: ['move.created'] });
  const traces = new Traces(api, true, TEXT);
  await traces.single();
  await traces.bulk();
  await traces.files();
  await eventually(() => receiver.received.length > 0, PATIENCE_MS, 'the webhook delivers');
  await api.post(`/v1/webhooks/${webhook.id}/ping`, undefined);
  for (const key of keys) {
    expect(await callEverything(key)).toBe(0);
    await sendWherever(key);
  }
  expect(stream.status).toBe(200);
  await eventually(() => stream.body.includes('move.created'), PATIENCE_MS, 'the stream has events');
  await traces.remove();
  expect((await admin.delete(`/v1/keys/${created.id}`)).status).toBe(204);
  await stream.until(({ isComplete }) => isComplete, 'the stream ends', PATIENCE_MS);
  await readEverything(first);
  const metrics = (await exchange(`http://127.0.0.1:${managementPort}/metrics`, {}, undefined)).body;
  expect(metrics).toContain('name="Carrier"');
  await eventually(
    () => collector.spans.some(({ name: span }) => span === 'GET /v1/imports'),
    PATIENCE_MS,
    'the spans',
  );
  const stored = await storedTexts();
  expect(await replica.stop()).toBe(0);

  const places: [string, string][] = [
    ...stored,
    ['log', replica.lines.join('\n')],
    ['responses', answered.join('\n')],
    ['stream', stream.body],
    ['webhook', JSON.stringify(receiver.received)],
    ['metrics', metrics],
    ['spans', collector.bodies.join('\n')],
  ];
  for (const [place, text] of places.slice(-6)) {
    expect([place, /Carrier|shipments|move\.created/.test(text)]).toEqual([place, true]);
  }
  // Parts of a key are traces, too.
  const parts = keys.flatMap((key) => [key.slice(3, 15), key.slice(20, 32), key.slice(-12)]);
  const forms = (['hex', 'base64', 'base64url'] as const).flatMap((form) =>
    keys.map((key) => hashOf(key).toString(form).slice(0, 20)),
  );
  const found = places.flatMap(([place, text]) =>
    [...parts, ...forms].filter((trace) => text.includes(trace)).map((trace) => [place, trace]),
  );
  // Those of the revoked key are gone.
  expect(found).toEqual([['key_hashes', hashOf(first).toString('hex').slice(0, 20)]]);
});
