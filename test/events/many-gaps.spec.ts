import { useService } from '../support/service/service.js';

const service = useService();

/** Of the feed's last event: positions that a long transaction may still write, each between two that others have written. */
const GAPS = 30_000;

/** Numbers entries with these distances between their positions, and rolls back. Returns the time it took, at best. */
async function timeToNumber(distance: number): Promise<number> {
  const { sql } = service;
  const times = [];
  for (let turn = 0; turn < 3; turn += 1) {
    await sql.query('BEGIN');
    const began = performance.now();
    const { rows } = await sql.query('SELECT number_events() AS numbered');
    times.push(performance.now() - began);
    expect([distance, rows]).toEqual([distance, [{ numbered: 1000 }]]);
    await sql.query('ROLLBACK');
  }
  return Math.min(...times);
}

async function add(distance: number): Promise<void> {
  await service.sql.query(
    `INSERT INTO history (root_id, record_kind, record_id, type, changed_by, changed_at, position) OVERRIDING SYSTEM VALUE
     SELECT id, 'move', id, 'deleted', 'test', now(), (SELECT max(position) FROM events) + 1000000 + $1::int * n
     FROM generate_series(1, 1000) n, gen_random_uuid() AS id`,
    [distance],
  );
}

test('numbering takes as long for scattered positions as for adjacent ones, however many gaps are remembered', async () => {
  const { sql } = service;
  await sql.query(`SELECT pg_advisory_lock(hashtext('number_events'))`);
  await sql.query('SET session_replication_role = replica');
  await sql.query(
    `UPDATE events SET gaps = (
       SELECT jsonb_agg(jsonb_build_object('missing', int8range(position + 2 * n, position + 2 * n + 1), 'seen_by', pg_current_xact_id()))
       FROM generate_series(1, $1::int) n
     ) WHERE number = (SELECT max(number) FROM events)`,
    [GAPS],
  );
  await add(1);
  const adjacent = await timeToNumber(1);
  await sql.query('TRUNCATE history');
  await add(2);
  const ratio = (await timeToNumber(2)) / adjacent;
  expect(ratio).toBeLessThan(2.5);
});
