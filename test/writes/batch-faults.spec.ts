// Not through PgBouncer: it counts statements and injects faults on the connection between service and PostgreSQL.
import { untilBlocked } from '../support/database/activity.js';
import { createShipment } from '../support/records/records.js';
import { during, faultOf, WRITES, type Write } from '../support/races/faulty-writes.js';
import { emptyTables, requireRowLocks } from '../support/races/write-witness.js';
import { shareOf } from '../support/repository/sweeps.js';
import { useProxiedService } from '../support/service/proxied-service.js';
import { timeoutsWithin } from '../support/service/timeouts.js';

/**
 * The connection is lost between any two bytes of the last batch of a write, which ends in COMMIT, or of its answer: an accepted write is
 * there once, and a refused one has left nothing.
 */
const proxied = useProxiedService({ POOL_SIZE: '4', ...timeoutsWithin(20_000) });
const { service, proxy } = proxied;

beforeAll(() => requireRowLocks(service.sql));
beforeEach(() => emptyTables(service.sql));

/** The position of COMMIT, and the bytes of its batch and of the answer. */
async function lastBatchOf(write: Write): Promise<{ commit: number; sent: number; answered: number }> {
  const record = await write.prepare(service.api);
  const commit = await during(proxied, () => write.send(service.api, record, {}), 0);
  return { commit, sent: proxy.lastBatch.sent, answered: proxy.lastBatch.answered };
}

const CUT = ['PATCH', 'DELETE', 'POST with a move of its own', 'POST below a record'];

test.each(WRITES.filter(({ name }) => CUT.includes(name)).map((write) => [write.name, write] as const))(
  '%s whose last batch is cut after any byte is told the truth',
  async (_, write) => {
    // The statements are prepared, as those of most writes are.
    await lastBatchOf(write);
    const { commit, sent, answered } = await lastBatchOf(write);
    expect(Math.min(sent, answered)).toBeGreaterThan(30);
    const cuts = [
      ...Array.from({ length: sent }, (__, after) => ({ cutBatchAfter: after })),
      ...Array.from({ length: answered }, (__, after) => ({ cutAnswerAfter: after })),
    ];
    const found: string[] = [];
    for (const fault of shareOf(cuts, CUT.indexOf(write.name), 41)) {
      const wrong = await faultOf(proxied, write, false, commit, fault);
      if (wrong !== undefined) found.push(`${JSON.stringify(fault)}: ${wrong}`);
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
