// Not through PgBouncer: it counts statements and injects faults on the connection between service and PostgreSQL.
import { untilBlocked } from '../support/database/activity.js';
import type { Fault } from '../support/database/postgres-proxy.js';
import { createShipment } from '../support/records/records.js';
import { faultOf, WRITES, type Write } from '../support/races/faulty-writes.js';
import { emptyTables, requireRowLocks } from '../support/races/write-witness.js';
import { shareOf } from '../support/repository/sweeps.js';
import { useProxiedService } from '../support/service/proxied-service.js';
import { timeoutsWithin } from '../support/service/timeouts.js';

/**
 * The connection is lost between any two bytes of each batch of a write, or of its answer: an accepted write is there once, and a refused
 * one has left nothing. The last batch ends in COMMIT.
 */
const proxied = useProxiedService({ POOL_SIZE: '4', ...timeoutsWithin(20_000) });
const { service, proxy } = proxied;

beforeAll(() => requireRowLocks(service.sql));
beforeEach(() => emptyTables(service.sql));

/** The faults of a write, each with the position of the statement that it meets. */
async function cutsOf(write: Write): Promise<(readonly [position: number, fault: Fault])[]> {
  const record = await write.prepare(service.api);
  proxy.batches = [];
  await write.send(service.api, record, {});
  expect(proxy.batches).toHaveLength(2);
  let position = 0;
  return proxy.batches.flatMap(({ statements, sent, answered }) => {
    expect(Math.min(sent, answered)).toBeGreaterThan(30);
    const last = (position += statements);
    return [
      ...Array.from({ length: sent }, (_, after) => [last, { cutBatchAfter: after }] as const),
      ...Array.from({ length: answered }, (_, after) => [last, { cutAnswerAfter: after }] as const),
    ];
  });
}

const CUT = ['PATCH', 'DELETE', 'POST with a move of its own', 'POST below a record'];

test.each(WRITES.filter(({ name }) => CUT.includes(name)).map((write) => [write.name, write] as const))(
  '%s of whose batches one is cut after any byte is told the truth',
  async (_, write) => {
    // The statements are prepared, as those of most writes are.
    await cutsOf(write);
    const found: string[] = [];
    for (const [position, fault] of shareOf(await cutsOf(write), CUT.indexOf(write.name), 41)) {
      const wrong = await faultOf(proxied, write, false, position, fault);
      if (wrong !== undefined) found.push(`statement ${position}, ${JSON.stringify(fault)}: ${wrong}`);
    }
    expect(found).toEqual([]);
  },
);

test('a connection whose ROLLBACK failed is not used again', async () => {
  const { id, eTag } = await createShipment(service.api);
  const send = () => service.api.patch(`/v1/shipments/${id}`, eTag, { actualWeight: 7 });
  const refused = { refuse: '57014' };
  proxy.plan = (text) => (/^\s*UPDATE|^ROLLBACK/.test(text) ? refused : undefined);
  for (let turn = 0; turn < 12; turn += 1) expect((await send()).status).toBe(503);
  proxy.plan = () => undefined;
  expect((await send()).status).toBe(200);
});

test('a connection that is lost before BEGIN is answered casts doubt on the others, which are not used again', async () => {
  const { sql } = service;
  const write = () => createShipment(service.api);
  const pids = async () => {
    const { rows } = await sql.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE application_name = 'waybill' AND datname = current_database()`,
    );
    return rows.map(({ pid }) => pid);
  };
  await sql.query('BEGIN; LOCK TABLE shipments IN EXCLUSIVE MODE');
  const writes = Array.from({ length: 4 }, write);
  await untilBlocked(sql, 4);
  await sql.query('COMMIT');
  await Promise.all(writes);
  const before = await pids();
  let losses = 0;
  proxy.plan = (text) => (text.startsWith('BEGIN') && ++losses === 1 ? { lose: 'before' } : undefined);
  expect((await service.api.post('/v1/shipments', { shipmentType: 'HHG' })).status).toBe(503);
  for (const _ of before) await write();
  expect((await pids()).filter((pid) => before.includes(pid))).toEqual([]);
});
