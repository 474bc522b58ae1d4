import { createShipment } from '../support/records/records.js';
import { during, faultOf, WRITES, type Write } from '../support/races/faulty-writes.js';
import { requireRowLocks, TABLES } from '../support/races/write-witness.js';
import { shareOf } from '../support/repository/sweeps.js';
import { useProxiedService } from '../support/service/proxied-service.js';
import { timeoutsWithin } from '../support/service/timeouts.js';

/**
 * The connection is lost between any two bytes of the last batch of a write, which ends in COMMIT, or of its answer: an accepted write is
 * there once, and a refused one has left nothing.
 */
const proxied = useProxiedService(timeoutsWithin(20_000));
const { service, proxy } = proxied;

beforeAll(() => requireRowLocks(service.sql));
beforeEach(() => service.sql.query(`TRUNCATE ${TABLES.join(', ')}`));

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
