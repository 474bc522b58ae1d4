import type { Client } from 'pg';
import type { Statement } from '../../src/database/statement.js';
import { RecordSql } from '../../src/records/record-sql.js';
import { Verification } from '../../tools/campaigns/checker/verification.js';
import { ifMatchAmongTwo, type Answer, type Json } from '../support/http/api.js';
import { eventually } from '../support/races/eventually.js';
import { RecordedWrites, replyWith } from '../support/races/race.js';
import { useService } from '../support/service/service.js';

const WRITERS = 6;
/** The advisory lock at which every UPDATE of a shipment waits, in place of a race that might or might not be lost. */
const BARRIER = 4711;

const service = useService({
  POOL_SIZE: String(WRITERS),
});

beforeAll(() =>
  service.sql.query(`
    CREATE FUNCTION wait_at_barrier() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_advisory_xact_lock_shared(${BARRIER}); RETURN NULL; END $$;
    CREATE TRIGGER barrier BEFORE UPDATE ON shipments FOR EACH STATEMENT EXECUTE FUNCTION wait_at_barrier()`),
);
afterEach(() => {
  jest.restoreAllMocks();
});

type Method = 'lockVersion' | 'lockAll' | 'update' | 'updateMany';

/** The row lock, or the version in the WHERE of the UPDATE, taken out of every statement that the service sends. */
function takeOut(method: Method, part: string, instead: string): void {
  const intact = RecordSql.prototype[method] as (...parameters: unknown[]) => Statement;
  const without = function (this: RecordSql, ...parameters: unknown[]) {
    const { name = '', text, ...options } = intact.apply(this, parameters);
    if (!text.includes(part)) throw new Error(`The statement has no ${part}: ${text}`);
    return { ...options, name: `${name}_without`, text: text.replace(part, instead) };
  };
  jest.spyOn(RecordSql.prototype, method).mockImplementation(without);
}

/** A way to write, and how to take out what protects it. */
interface Way {
  readonly send: (writes: RecordedWrites, shipments: readonly Json[], writer: number) => Promise<Answer<Json>>;
  /** How a writer who comes too late is refused. */
  readonly refusal: number;
  readonly takeOutLock: () => void;
  readonly takeOutVersion: () => void;
}

const PATCH: Way = {
  send: (writes, [{ id, eTag }], writer) => {
    const body = { estimatedWeight: writer + 1 };
    const request = { method: 'PATCH', path: `/v1/shipments/${id}`, body, shipmentID: id, spent: eTag };
    return writes.send('patch', request, ifMatchAmongTwo(eTag));
  },
  refusal: 412,
  takeOutLock: () => takeOut('lockVersion', 'FOR NO KEY UPDATE', ''),
  takeOutVersion: () => takeOut('update', 'r.updated_at = $2', '$2::timestamptz IS NOT NULL'),
};

const BULK: Way = {
  send: async ({ ledger }, shipments, writer) => {
    const request = { method: 'POST', path: '/v1/shipments/bulk', requestID: `bulk-${ledger.writes.length}` };
    const opened = shipments.map(({ id, eTag }) => ledger.open('patch', { ...request, shipmentID: id, spent: eTag }));
    const patch = { estimatedWeight: writer + 1 };
    const items = shipments.map(({ id, eTag }) => ({ op: 'update', id, ifMatch: eTag, patch }));
    const answer = await service.api.post(request.path, { items }, { 'X-Request-ID': request.requestID });
    opened.forEach((write, index) => {
      const { status, shipment } = answer.body.items?.[index] ?? answer;
      write.reply = replyWith(status, shipment);
    });
    return answer;
  },
  refusal: 409,
  takeOutLock: () => takeOut('lockAll', 'FOR NO KEY UPDATE', ''),
  takeOutVersion: () => takeOut('updateMany', 'r.updated_at = new_row.updated_at', 'true'),
};

/** How many writers are held up, at the barrier or by another's row lock. */
async function waiting(sql: Client): Promise<number> {
  const { rows } = await sql.query<{ count: number }>(`
    SELECT count(DISTINCT pid)::int AS count FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`);
  return rows[0]?.count ?? 0;
}

describe.each([
  ['a PATCH', PATCH],
  ['a bulk', BULK],
])('of writers that have all read the version before one of them writes by %s', (_, way) => {
  test.each<[string, number, () => void]>([
    ['the row lock and the version in the UPDATE are in place', 1, () => undefined],
    ['the version in the UPDATE is taken out and the row lock is in place', 1, way.takeOutVersion],
    ['the row lock is taken out and the version in the UPDATE is in place', 1, way.takeOutLock],
    [
      'both are taken out, which shows that the checks above can fail',
      WRITERS,
      () => {
        way.takeOutLock();
        way.takeOutVersion();
      },
    ],
  ])('when %s, so many win: %d', async (__, winners, prepare) => {
    const { api, sql } = service;
    const writes = new RecordedWrites(api);
    const shipments = [await writes.createShipment(), await writes.createShipment()];
    prepare();
    await sql.query('SELECT pg_advisory_lock($1)', [BARRIER]);
    const sent = Promise.all(Array.from({ length: WRITERS }, (___, writer) => way.send(writes, shipments, writer)));
    try {
      await eventually(async () => (await waiting(sql)) === WRITERS, 30_000, 'that all writers wait');
    } finally {
      await sql.query('SELECT pg_advisory_unlock($1)', [BARRIER]);
    }
    const statuses = (await sent).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(winners);
    expect(statuses.filter((status) => status === way.refusal)).toHaveLength(WRITERS - winners);
    const faults = await (await Verification.of(writes.ledger, sql)).unbrokenChains();
    if (winners === 1) expect(faults).toEqual([]);
    else expect(faults).toContain(`the versions of ${shipments[0].id} break after 2 of ${WRITERS + 1}`);
  });
});
