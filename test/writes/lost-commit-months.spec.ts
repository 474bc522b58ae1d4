// Not through PgBouncer: it counts statements and injects faults on the connection between service and PostgreSQL.
import { randomUUID } from 'node:crypto';
import { untilBlocked } from '../support/database/activity.js';
import type { Answer, Json } from '../support/http/api.js';
import { eventually } from '../support/races/eventually.js';
import { forgetMonths, prepareMonthOf } from '../support/database/history-months.js';
import { createShipment } from '../support/records/records.js';
import { sabotage } from '../support/races/sabotage.js';
import { useProxiedService } from '../support/service/proxied-service.js';

/**
 * After a COMMIT that was not answered the service looks in history for what the transaction wrote. Meanwhile the entries can be
 * moved to the partition of their month.
 */

const { proxy, service } = useProxiedService();
let shipment: Json;

beforeEach(async () => {
  shipment = await createShipment(service.api);
  await forgetMonths(service.sql);
});

type Headers = Record<string, string>;

const WRITES = {
  PATCH: (headers: Headers) =>
    service.api.patch(`/v1/shipments/${shipment.id}`, shipment.eTag, { actualWeight: 7 }, headers),
  DELETE: (headers: Headers) => service.api.delete(`/v1/shipments/${shipment.id}`, headers),
  POST: (headers: Headers) => service.api.post('/v1/moves', { orderID: 'MOVED' }, headers),
};

/** The answer to a write whose COMMIT loses its answer; `meanwhile` runs after COMMIT and before the search. */
async function answerTo(
  write: (headers: Headers) => Promise<Answer<Json>>,
  meanwhile: (recordID: string) => Promise<void>,
): Promise<Answer<Json>> {
  let mayLook = false;
  proxy.plan = (text) => {
    if (text.startsWith('COMMIT')) return { lose: 'answer' };
    return !mayLook && text.includes('transaction_status') ? { refuse: '57014' } : undefined;
  };
  const requestID = randomUUID();
  const answer = write({ 'X-Request-ID': requestID });
  let recordID: string | undefined;
  const isCommitted = async () => {
    const { rows } = await service.sql.query(
      `SELECT record_id AS id FROM history WHERE request_id = $1 AND tableoid = 'history_default'::regclass`,
      [requestID],
    );
    recordID = rows[0]?.id;
    return recordID !== undefined;
  };
  await eventually(isCommitted, 30_000, 'the write is committed');
  await meanwhile(recordID ?? '');
  mayLook = true;
  return answer;
}

const told = ({ status, body }: Answer<Json>) => (status < 300 ? 'written' : body.code);

test.each(Object.entries(WRITES))('a %s is found after its entry was moved', async (_, write) => {
  const answer = await answerTo(write, (id) => prepareMonthOf(service.sql, id));
  expect(told(answer)).toBe('written');
});

describe('while its entry is being moved', () => {
  /** The search begins after the entry was moved, and before that is committed. */
  async function answerWhileMoved(): Promise<Answer<Json>> {
    const answer = answerTo(WRITES.PATCH, async (id) => {
      await service.sql.query('BEGIN');
      await prepareMonthOf(service.sql, id);
    });
    await untilBlocked(service.sql);
    await service.sql.query('COMMIT');
    return answer;
  }

  test('a PATCH is found, because the search waits', async () => {
    expect(told(await answerWhileMoved())).toBe('written');
  });

  test('a PATCH would be missed if only history_default were locked', async () => {
    const lock = 'LOCK TABLE ONLY history IN ACCESS EXCLUSIVE MODE;';
    const restore = await sabotage(service.sql, 'prepare_history', lock, 'NULL;');
    const answer = await answerWhileMoved();
    await restore();
    expect(told(answer)).toBe('UNAVAILABLE');
  });
});
