import type { Client } from 'pg';
import { RecordSql } from '../src/records/record-sql.js';
import { Verification } from './checker/verification.js';
import { ifMatchAmongTwo } from './support/api.js';
import { eventually } from './support/eventually.js';
import { RecordedWrites } from './support/race.js';
import { useService } from './support/service.js';

const WRITERS = 6;
/** The advisory lock at which every UPDATE of a shipment waits, in place of a race that might or might not be lost. */
const BARRIER = 4711;
const LONG = '60000';

const service = useService({
  POOL_SIZE: String(WRITERS),
  POOL_ACQUIRE_TIMEOUT_MS: LONG,
  LOCK_TIMEOUT_MS: LONG,
  STATEMENT_TIMEOUT_MS: LONG,
  REQUEST_DEADLINE_MS: LONG,
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

/** The row lock, or the version in the WHERE of the UPDATE, taken out of every statement that the service sends. */
function takeOut(method: 'lockVersion' | 'update', part: string, instead: string): void {
  const intact = RecordSql.prototype[method] as (...parameters: unknown[]) => { name?: string; text: string };
  const without = function (this: RecordSql, ...parameters: unknown[]) {
    const { name, text } = intact.apply(this, parameters);
    if (!text.includes(part)) throw new Error(`The statement has no ${part}: ${text}`);
    return { ...(name !== undefined && { name: `${name}_without` }), text: text.replace(part, instead) };
  };
  jest.spyOn(RecordSql.prototype, method).mockImplementation(without);
}

const takeOutLock = () => takeOut('lockVersion', 'FOR NO KEY UPDATE', '');
const takeOutVersion = () => takeOut('update', 'r.updated_at = $2', '$2::timestamptz IS NOT NULL');

/** How many writers are held up, at the barrier or by another's row lock. */
async function waiting(sql: Client): Promise<number> {
  const { rows } = await sql.query<{ count: number }>(`
    SELECT count(DISTINCT pid)::int AS count FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`);
  return rows[0]?.count ?? 0;
}

test.each<[string, number, () => void]>([
  ['the row lock and the version in the UPDATE are in place', 1, () => undefined],
  ['the version in the UPDATE is taken out and the row lock is in place', 1, takeOutVersion],
  ['the row lock is taken out and the version in the UPDATE is in place', 1, takeOutLock],
  [
    'both are taken out, which shows that the checks above can fail',
    WRITERS,
    () => {
      takeOutLock();
      takeOutVersion();
    },
  ],
])(
  'of writers that have all read the version before one of them writes, when %s, so many win: %d',
  async (_, winners, prepare) => {
    const { api, sql } = service;
    const writes = new RecordedWrites(api);
    const { id: shipmentID, eTag: spent } = await writes.createShipment();
    prepare();
    const path = `/v1/shipments/${shipmentID}`;
    await sql.query('SELECT pg_advisory_lock($1)', [BARRIER]);
    const patches = Promise.all(
      Array.from({ length: WRITERS }, (__, writer) => {
        const body = { estimatedWeight: writer + 1 };
        return writes.send('patch', { method: 'PATCH', path, body, shipmentID, spent }, ifMatchAmongTwo(spent));
      }),
    );
    try {
      await eventually(async () => (await waiting(sql)) === WRITERS, 30_000, 'that all writers wait');
    } finally {
      await sql.query('SELECT pg_advisory_unlock($1)', [BARRIER]);
    }
    const answers = await patches;
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(winners);
    expect(answers.filter(({ status }) => status === 412)).toHaveLength(WRITERS - winners);
    const faults = await (await Verification.of(writes.ledger, sql)).unbrokenChains();
    if (winners === 1) expect(faults).toEqual([]);
    else expect(faults).toContain(`the versions of ${shipmentID} break after 2 of ${WRITERS + 1}`);
  },
);
