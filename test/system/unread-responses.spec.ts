import { connect, type Socket } from 'node:net';
import { Client } from 'pg';
import { MAX_WAITING } from '../../src/server/pipelining.js';
import { eventually } from '../support/races/eventually.js';
import { insertLargeShipments, LARGE_LIST } from '../support/database/large-lists.js';
import { PostgresServer } from '../support/database/postgres-server.js';
import { Replica } from '../support/service/replica.js';

/** The Helm chart's limit: Kubernetes kills a replica that takes more. */
const MEMORY_LIMIT_MB = 384;

let server: PostgresServer;
let replica: Replica;
const sockets: Socket[] = [];

beforeAll(async () => {
  server = await PostgresServer.start();
  // In a container with that limit, Node gives half of it to its heap.
  const NODE_OPTIONS = `--max-old-space-size=${MEMORY_LIMIT_MB / 2}`;
  const environment = { LOG_LEVEL: 'warn', WRITE_TIMEOUT_MS: '5000', NODE_OPTIONS };
  replica = await Replica.start({ DATABASE_URL: server.url, ...environment });
  const client = new Client({ connectionString: server.url });
  await client.connect();
  await insertLargeShipments(client);
  await client.end();
  // The pool opens its connections to the database, and memory gets to its usual size.
  await Promise.all(Array.from({ length: 20 }, () => replica.api.get(LARGE_LIST)));
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});
afterAll(async () => {
  await replica.stop();
  await server.remove();
});

/** Sends so many requests at once on each of so many connections, and reads nothing of the answers. */
function askWithoutReading(count: number, requests: number): void {
  for (let index = 0; index < count; index += 1) {
    const socket = connect(replica.port, '127.0.0.1').on('error', () => undefined);
    socket.pause().write(`GET ${LARGE_LIST} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(requests));
    sockets.push(socket);
  }
}

/** A sample of the replica's metrics. */
async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${replica.url}/metrics`)).text();
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${name} `));
  return Number(line?.slice(name.length));
}

const memoryInMB = async () => (await metric('process_resident_memory_bytes')) / 1e6;
const connections = () => metric('nodejs_active_resources{type="TCPSocketWrap"}');

test.each([
  [5, 150],
  [25, MAX_WAITING],
])('%d connections with %d large lists each, which nobody reads', async (count, requests) => {
  const usual = await connections();
  askWithoutReading(count, requests);
  let most = 0;
  const others = new Set<number>();
  const areClosed = async () => {
    most = Math.max(most, await memoryInMB());
    others.add((await replica.api.get('/v1/moves?limit=1')).status);
    return sockets.every(({ connecting }) => !connecting) && (await connections()) <= usual;
  };
  await eventually(areClosed, 120_000, 'the connections are closed');
  expect(most).toBeLessThan(MEMORY_LIMIT_MB);
  expect([...others]).toEqual([200]);
});
