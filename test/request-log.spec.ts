import { Writable } from 'node:stream';
import { pino } from 'pino';
import { createApp, openDatabase, type App } from '../src/app.setup.js';
import { readConfig } from '../src/config/config.js';
import { Api, type Json } from './support/api.js';
import { createTestDatabase, POOLER_ENVIRONMENT, type TestDatabase } from './support/test-database.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

const lines: Json[] = [];
let database: TestDatabase;
let app: App;
let api: Api;

beforeAll(async () => {
  const sink = new Writable({
    write: (chunk: Buffer, _, done) => {
      lines.push(JSON.parse(String(chunk)));
      done();
    },
  });
  database = await createTestDatabase();
  const config = readConfig({ NODE_ENV: 'test', ...POOLER_ENVIRONMENT });
  const logger = pino({ level: 'info', base: null }, sink);
  app = await createApp(config, await openDatabase(config, database.serviceUrl), logger);
  await app.listen(0, '127.0.0.1');
  api = new Api(await app.getUrl());
});
afterAll(async () => {
  await app.close();
  await database.drop();
});
beforeEach(() => {
  lines.length = 0;
});

/** The line of the one request that was made; it is written when the connection is done with it. */
async function onlyLine(): Promise<Json> {
  for (let turn = 0; turn < 100 && lines.length === 0; turn += 1)
    await new Promise((resolve) => setTimeout(resolve, 10));
  expect(lines).toHaveLength(1);
  return lines[0];
}

test('one line with exactly these fields for each request', async () => {
  const { headers } = await api.get('/v1/moves?orderID=not-for-the-log');
  expect(await onlyLine()).toEqual({
    level: 30,
    time: expect.any(Number) as number,
    msg: 'request',
    method: 'GET',
    route: '/v1/moves',
    status: 200,
    durationMs: expect.any(Number) as number,
    requestID: headers.get('X-Request-ID'),
    subject: 'anonymous',
  });
});

test('the trace that a request belongs to, and its own id when it is sane', async () => {
  await api.get('/v1/moves', { traceparent: `00-${TRACE}-${SPAN}-01`, 'X-Request-ID': 'from-the-client' });
  expect(await onlyLine()).toMatchObject({ traceID: TRACE, parentSpanID: SPAN, requestID: 'from-the-client' });
});

test.each([
  ['malformed', 'nonsense'],
  ['of the forbidden version', `ff-${TRACE}-${SPAN}-01`],
  ['all zeros', `00-${'0'.repeat(32)}-${SPAN}-01`],
])('no trace when traceparent is %s', async (_, traceparent) => {
  await api.get('/v1/moves', { traceparent });
  expect(Object.keys(await onlyLine())).not.toContain('traceID');
});

test.each([
  ['GET', '/v1/moves/some-id', '/v1/moves/:moveID', 404],
  ['GET', '/no/such/path', 'unmatched', 404],
  ['POST', '/v1/moves', '/v1/moves', 415],
])('the pattern and the status of a refused request: %s %s', async (method, path, route, status) => {
  await api.send(method, path);
  expect(await onlyLine()).toMatchObject({ method, route, status });
});
