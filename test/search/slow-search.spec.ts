// Not through PgBouncer: reads get the role's statement timeout there, not that of the service.
import { expectProblem, faultsOf } from '../support/http/problem.js';
import { eventually } from '../support/races/eventually.js';
import { createShipment } from '../support/records/records.js';
import { startService, useService, type TestService } from '../support/service/service.js';

/** A search for this word takes a minute. */
const SLOW = 'slow';
const PATHS = [`/v1/shipments?q=${SLOW}`, `/v1/moves?q=${SLOW}`, `/v1/shipments?q=${SLOW}&count=true`];

/** It waits shorter for a lock than a statement may take. */
const service = useService({ STATEMENT_TIMEOUT_MS: '500', LOCK_TIMEOUT_MS: '200' });

let patient: TestService;
// Before the service that it shares a database with.
afterAll(() => patient.stop());

beforeAll(async () => {
  patient = await startService({}, () => service.databaseUrl);
  // PostgreSQL evaluates the words only if there is a record to compare.
  await createShipment(service.api);
  await service.sql.query(`
    CREATE OR REPLACE FUNCTION search_query_with_codes(written text) RETURNS tsquery LANGUAGE plpgsql VOLATILE STRICT AS $$
    BEGIN
      PERFORM pg_sleep(60) WHERE written = '${SLOW}';
      RETURN to_tsquery('simple', written);
    END
    $$`);
});

test.each(PATHS)('400 for a search that takes too long: %s', async (path) => {
  const answer = await service.api.get(path);
  const problem = expectProblem(answer, 400, 'INVALID_PARAMETER');
  expect(faultsOf(problem)).toEqual(['?q TOO_BROAD']);
  expect(problem.detail).toMatch(/add a word/);
  expect(answer.headers.get('Retry-After')).toBeNull();
});

test('200 for the next search on the same connection', async () => {
  expect((await service.api.get(PATHS[0] ?? '')).status).toBe(400);
  expect((await service.api.get('/v1/shipments?q=quick')).status).toBe(200);
});

test('503 for a search that somebody else has ended', async () => {
  const searching = patient.api.get(PATHS[0] ?? '');
  const cancel = async () => {
    const { rowCount } = await service.sql.query(
      `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'`,
    );
    return rowCount === 1;
  };
  await eventually(cancel, 30_000, 'the search runs');
  expectProblem(await searching, 503, 'UNAVAILABLE');
});

test('503 for a search that waits for a lock', async () => {
  await service.sql.query('BEGIN; LOCK TABLE search');
  const answer = await service.api.get('/v1/shipments?q=quick');
  await service.sql.query('ROLLBACK');
  expectProblem(answer, 503, 'UNAVAILABLE');
});

test('503 for a list without search that takes too long', async () => {
  await service.sql.query(`
    ALTER TABLE moves RENAME TO all_moves;
    CREATE VIEW moves AS SELECT m.* FROM (SELECT pg_sleep(60) OFFSET 0) nothing, all_moves m;
    GRANT SELECT ON moves TO PUBLIC`);
  const answer = await service.api.get('/v1/moves');
  await service.sql.query('DROP VIEW moves; ALTER TABLE all_moves RENAME TO moves');
  expectProblem(answer, 503, 'UNAVAILABLE');
});
