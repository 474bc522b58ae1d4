// Not through PgBouncer: it counts statements and injects faults on the connection between service and PostgreSQL.
import { randomUUID } from 'node:crypto';
import type { Fault } from '../support/database/postgres-proxy.js';
import { during, faultOf, WRITES, type Write } from '../support/races/faulty-writes.js';
import { shareOf } from '../support/repository/sweeps.js';
import { useProxiedService } from '../support/service/proxied-service.js';
import { emptyTables, requireRowLocks, Stored } from '../support/races/write-witness.js';
import { timeoutsWithin } from '../support/service/timeouts.js';

/**
 * Every statement of every write fails, is cancelled, or loses its connection, at every position. Whatever happens, an
 * accepted write is there once, with its author and history and under its row lock, and a refused one left nothing behind.
 */

/** Answers as BEGIN does, and begins nothing. */
const NO_BEGIN = 'SELECT pg_current_xact_id()::text AS id';

const FAULTS: readonly (readonly [string, Fault])[] = [
  ['is cancelled', { refuse: '57014' }],
  ['cannot be serialized', { refuse: '40001' }],
  ['finds the disk full', { refuse: '53100' }],
  ['fails in PostgreSQL itself', { refuse: 'XX000' }],
  ['loses its connection before it arrives', { lose: 'before' }],
  ['loses its connection while it is under way', { lose: 'in flight' }],
  ['loses its connection before its answer', { lose: 'answer' }],
];

const proxied = useProxiedService(timeoutsWithin(20_000));
const { proxy, service } = proxied;

beforeAll(() => requireRowLocks(service.sql));

// Every case looks at all records before and after it, so the fewer there are, the better.
beforeEach(() => emptyTables(service.sql));

/**
 * All that goes wrong when a write meets faults at each of its statements, and how many cases were tried. The statement at each position
 * meets every fault in some of the writes.
 */
async function faultsOf(write: Write, keyed: boolean, writes: readonly Write[]) {
  const record = await write.prepare(service.api);
  const headers: Record<string, string> = keyed ? { 'Idempotency-Key': randomUUID() } : {};
  const statements = await during(proxied, () => write.send(service.api, record, headers), 0);
  const found: string[] = [];
  const places = Math.min(writes.length, FAULTS.length);
  let tried = 0;
  for (let position = 1; position <= statements; position += 1) {
    for (const [name, fault] of shareOf(FAULTS, position + writes.indexOf(write), places)) {
      tried += 1;
      const wrong = await faultOf(proxied, write, keyed, position, fault);
      if (wrong !== undefined) found.push(`statement ${position} of ${statements} ${name}: ${wrong}`);
    }
  }
  return { found, tried };
}

/** With a key every write takes the same steps more, so some of them are enough. */
const WITH_A_KEY = ['PATCH', 'PUT address', 'DELETE', 'POST with a move of its own'];

describe.each([
  ['without a key', false, WRITES, 3],
  ['with an Idempotency-Key', true, WRITES.filter(({ name }) => WITH_A_KEY.includes(name)), 6],
])('%s', (_, keyed, writes, leastStatements) => {
  test.each(writes.map((write) => [write.name, write] as const))('%s', async (__, write) => {
    const { found, tried } = await faultsOf(write, keyed, writes);
    expect(found).toEqual([]);
    expect(tried).toBeGreaterThanOrEqual(leastStatements);
  });
});

/** Which of the reads fails, and how. */
const FAILING_READS = [1, 2, 3].flatMap((failing) => ['57014', '40001'].map((refuse) => [failing, refuse] as const));

test.each(WRITES.map((write) => [write.name, write] as const))(
  '%s whose COMMIT got no answer is told the truth, also when the reads that look for it fail at first',
  async (_, write) => {
    for (const [failing, refuse] of shareOf(FAILING_READS, WRITES.indexOf(write), 3)) {
      const record = await write.prepare(service.api);
      const before = await Stored.read(service.sql);
      const requestID = randomUUID();
      let sinceCommit = -1;
      proxy.plan = (text) => {
        if (sinceCommit < 0 && !text.startsWith('COMMIT')) return undefined;
        sinceCommit += 1;
        if (sinceCommit === 0) return { lose: 'answer' };
        return sinceCommit === failing ? { refuse } : undefined;
      };
      const { status, body } = await write.send(service.api, record, { 'X-Request-ID': requestID });
      proxy.plan = () => undefined;
      expect(status).toBeLessThan(300);
      expect(await before.faultNow(service.sql, { accepted: true, requestID, eTag: body?.eTag })).toBeUndefined();
    }
  },
);

test.each(WRITES.filter(({ name }) => !name.startsWith('POST')).map((write) => [write.name, write] as const))(
  'the check finds a %s whose transaction never began',
  async (_, write) => {
    const record = await write.prepare(service.api);
    proxy.plan = (text) => (text.startsWith('BEGIN') ? { replaceBy: NO_BEGIN } : undefined);
    const { status } = await write.send(service.api, record, {});
    proxy.plan = () => undefined;
    expect(status).toBe(500);
  },
);

test.each([
  ['PATCH', false, 2],
  ['PATCH', true, 5],
  ['POST with a move of its own', false, 2],
])('%s, keyed: %p, takes %i round trips to PostgreSQL', async (name, keyed, roundTrips) => {
  const write = WRITES.find((each) => each.name === name);
  const record = await write?.prepare(service.api);
  const before = proxy.roundTrips;
  await write?.send(service.api, record, keyed ? { 'Idempotency-Key': randomUUID() } : {});
  expect(proxy.roundTrips - before).toBe(roundTrips);
});
