import { readFileSync } from 'node:fs';
import { eventually } from '../support/races/eventually.js';
import { Nginx } from '../support/http/nginx.js';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.js';
import { RawStream } from '../support/http/raw-stream.js';
import { createMove } from '../support/records/records.js';
import { Replica } from '../support/service/replica.js';
import { bearer, jwtEnvironment, KeySetServer, newKey, signToken, type SigningKey } from '../support/http/tokens.js';

/** Streams of events through the load balancer as it is deployed, to two replicas. */
const PATH = '/v1/events/stream';

let database: TestDatabase;
let keySet: KeySetServer;
let key: SigningKey;
let replicas: [Replica, Replica];
let nginx: Nginx;
let ca: string;

beforeAll(async () => {
  database = await createTestDatabase();
  key = await newKey('streams');
  keySet = await KeySetServer.start(key);
  const environment = {
    DATABASE_URL: database.url,
    ...jwtEnvironment(keySet.url),
    JWT_LEEWAY_SECONDS: '0',
    DRAIN_DELAY_MS: '2000',
  };
  replicas = [await Replica.start(environment), await Replica.start(environment)];
  nginx = await Nginx.start([replicas[0].port, replicas[1].port]);
  ca = readFileSync(nginx.certificate.certFile, 'utf8');
}, 120_000);
afterAll(async () => {
  await nginx.stop();
  for (const replica of replicas) await replica.kill();
  await keySet.stop();
  await database.drop();
});

const token = async (expires = 300) =>
  bearer(await signToken(key, { scope: 'moves:read moves:write shipments:read', expires }));

async function open(query = '?after=now', headers: Record<string, string> = {}): Promise<RawStream> {
  return RawStream.open({ port: nginx.port, ca }, `${PATH}${query}`, { ...(await token()), ...headers }).opened();
}

const newMove = async () => createMove(replicas[0].api.as(await token()));

test('the first bytes, each event, a comment after 15 seconds of silence, a bookmark where a filter hides events, and a wait of 30 seconds', async () => {
  const quiet = '?after=now&resource=service';
  const [stream, hiding] = [await open(), await open(quiet)];
  const wait = RawStream.open({ port: nginx.port, ca }, `/v1/events${quiet}&wait=30`, await token());
  expect([stream.status, stream.events]).toEqual([200, []]);
  const { id } = await newMove();
  await stream.until(({ events }) => events.length === 1, 'the event');
  expect(stream.events[0].data.resourceID).toBe(id);
  await stream.until(({ comments }) => comments.length > 0, 'a comment', 30_000);
  await hiding.until(({ lastID }) => lastID === stream.lastID, 'a bookmark', 30_000);
  expect(wait.body).toBe('');
  await wait.until(({ body }) => body !== '', 'the answer', 50_000);
  expect([wait.status, wait.body]).toEqual([200, '[]']);
  for (const each of [stream, hiding, wait]) each.close();
}, 120_000);

test('410 for a foreign cursor, and the end of a stream whose token expires', async () => {
  const foreign = Buffer.from(`1.${'0'.repeat(16)}`).toString('base64url');
  const refused = await open('', { 'Last-Event-ID': foreign });
  expect([refused.status, JSON.parse(refused.body).code]).toEqual([410, 'EVENTS_GONE']);
  const short = await open('?after=now', await token(3));
  await short.until(({ isComplete }) => isComplete, 'the end of the stream');
  expect(short.comments).toEqual([': the token has expired']);
  refused.close();
  short.close();
});

test('SIGTERM ends streams first, and clients that reconnect to the other replica miss nothing', async () => {
  const streams = await Promise.all(Array.from({ length: 8 }, () => open()));
  replicas[1].signal('SIGTERM');
  await eventually(() => streams.some(({ isComplete }) => isComplete), 20_000, 'streams that end');
  const ended = streams.filter(({ isComplete }) => isComplete);
  for (const { comments } of ended) expect(comments).toEqual([': the service is stopping']);
  const moves = [await newMove(), await newMove(), await newMove()];
  const [first] = ended as [RawStream];
  const again = await open('?after=now', { 'Last-Event-ID': first.lastID });
  expect(again.status).toBe(200);
  await again.until(({ events }) => events.length === 3, 'what was missed');
  expect(again.events.map(({ data }) => data.resourceID)).toEqual(moves.map(({ id }) => id));
  expect(await replicas[1].exit).toBe(0);
  for (const stream of [...streams, again]) stream.close();
}, 60_000);
