import { ImportWorker } from '../../src/imports/import-worker.js';
import { Housekeeping } from '../../src/operations/housekeeping.js';
import { expectProblem } from '../support/http/problem.js';
import { csvOf, imported, untilApplied } from '../support/records/imports.js';
import { untilBlocked } from '../support/database/activity.js';
import { useService } from '../support/service/service.js';
import type { Json } from '../support/http/api.js';

const service = useService();

const DAY_MS = 86_400_000;
const file = (rows: number) => csvOf(['shipmentType'], Array(rows).fill(['HHG']));

const path = ({ id }: Json, of = '') => `/v1/imports/${id}${of}`;
const apply = (of: Json) => service.api.send('POST', path(of, '/apply'));
const tidy = () => service.app.get(Housekeeping).tidy();

/** Changes an import without a new version, as if it had been made long ago. */
async function alter({ id }: Json, change: string): Promise<void> {
  await service.sql.query('ALTER TABLE imports DISABLE TRIGGER imports_version');
  await service.sql.query(`UPDATE imports SET ${change} WHERE id = $1`, [id]);
  await service.sql.query('ALTER TABLE imports ENABLE TRIGGER imports_version');
}

const expire = (of: Json) => alter(of, `expires_at = now() - interval '1 hour'`);

/** The import as a replica leaves it that dies right after `apply`. */
async function abandon(of: Json): Promise<void> {
  await service.sql.query('BEGIN');
  await service.sql.query(`SET LOCAL waybill.author = E'request-9 ann\\x1fAnn Porter'`);
  await service.sql.query(`UPDATE imports SET state = 'applying' WHERE id = $1`, [of.id]);
  await service.sql.query('COMMIT');
  await alter(of, `updated_at = now() - interval '40 days', expires_at = now() - interval '33 days'`);
}

async function rowsLeft({ id }: Json): Promise<number> {
  const { rows } = await service.sql.query('SELECT count(*)::int AS count FROM import_rows WHERE import_id = $1', [id]);
  return rows[0].count;
}

test('an import that is being applied outlives its seven days, and its result has seven more', async () => {
  const ready = await imported(service.api, file(150));
  await abandon(ready);
  await tidy();
  expect((await service.api.get(path(ready))).body.state).toBe('applying');
  await service.app.get(ImportWorker).resumeStalled();
  const done = await untilApplied(service.api, ready.id);
  expect(done).toMatchObject({ created: 150, toCreate: 0 });
  expect(Date.parse(done.expiresAt) - Date.now()).toBeGreaterThan(6.9 * DAY_MS);
});

test('an unfinished import is resumed when its month was archived, without naming anybody', async () => {
  const ready = await imported(service.api, file(1));
  await abandon(ready);
  await service.sql.query('SET session_replication_role = replica');
  await service.sql.query('DELETE FROM history WHERE root_id = $1', [ready.id]);
  await service.sql.query('RESET session_replication_role');
  await service.app.get(ImportWorker).resumeStalled();
  await untilApplied(service.api, ready.id);
  const { body } = await service.api.get(path(ready, '/rows'));
  const { body: entries } = await service.api.get(`/v1/shipments/${body[0].resourceID}/history`);
  expect(entries).toMatchObject([{ changedBy: 'imports' }]);
});

test('apply moves expiresAt on, a second one does not', async () => {
  const ready = await imported(service.api, file(1));
  await alter(ready, `expires_at = now() + interval '1 hour'`);
  const { body: started } = await apply(ready);
  expect(Date.parse(started.expiresAt) - Date.now()).toBeGreaterThan(6.9 * DAY_MS);
  const done = await untilApplied(service.api, ready.id);
  expect(Date.parse(done.expiresAt) - Date.now()).toBeGreaterThan(6.9 * DAY_MS);
  await alter(ready, `expires_at = now() + interval '1 hour'`);
  const { body } = await apply(ready);
  expect(Date.parse(body.expiresAt) - Date.now()).toBeLessThan(DAY_MS);
});

test.each([
  ['before', () => undefined],
  ['after', tidy],
])('410 for everything of an expired import %s it is deleted, 404 for one that never was', async (_, meanwhile) => {
  const ready = await imported(service.api, file(1));
  await expire(ready);
  await meanwhile();
  for (const answer of [
    await service.api.get(path(ready)),
    await service.api.get(path(ready, '/rows')),
    await service.api.get(path(ready, '/result')),
    await apply(ready),
  ]) {
    expectProblem(answer, 410, 'NOT_KEPT');
  }
  const unknown = { id: '0199c3a0-8a10-7f41-8c95-2bae7f3e4d5c' };
  expectProblem(await service.api.get(path(unknown)), 404, 'NOT_FOUND');
  expectProblem(await apply(unknown), 404, 'NOT_FOUND');
});

test('an apply that holds the lock first keeps an import that housekeeping has seen as expired', async () => {
  const ready = await imported(service.api, file(1));
  await expire(ready);
  const other = await service.connect();
  await other.query('BEGIN');
  await other.query(`UPDATE imports SET expires_at = now() + interval '7 days' WHERE id = $1`, [ready.id]);
  const tidied = tidy();
  await untilBlocked(service.sql);
  await other.query('COMMIT');
  await other.end();
  await tidied;
  expect((await service.api.get(path(ready))).status).toBe(200);
  expect(await rowsLeft(ready)).toBe(2);
});

test('a page of rows or a result file that lost rows to the deletion of its import is not passed off as complete', async () => {
  const refused = csvOf(['shipmentType'], [['HHG'], ['x'.repeat(99)]]);
  for (const part of ['/rows', '/result']) {
    const ready = await imported(service.api, refused);
    const other = await service.connect();
    await other.query('BEGIN; LOCK TABLE import_rows');
    const outcome = fetch(service.url + path(ready, part))
      .then(async (answer) => [answer.status, await answer.text()].join(' '))
      .catch(() => 'cut');
    await untilBlocked(service.sql);
    await other.query('DELETE FROM import_rows WHERE import_id = $1', [ready.id]);
    await other.query('DELETE FROM imports WHERE id = $1', [ready.id]);
    await other.query('COMMIT');
    await other.end();
    expect(await outcome).toMatch(/^(cut$|410 )/);
  }
});

test('a large import is deleted in bounded steps', async () => {
  const ready = await imported(service.api, file(2500));
  await expire(ready);
  await service.sql.query(`
    CREATE TABLE steps (rows int);
    GRANT INSERT ON steps TO PUBLIC;
    CREATE FUNCTION note_step() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN INSERT INTO steps SELECT count(*) FROM gone; RETURN NULL; END $$;
    CREATE TRIGGER steps AFTER DELETE ON import_rows REFERENCING OLD TABLE AS gone
      FOR EACH STATEMENT EXECUTE FUNCTION note_step()`);
  await tidy();
  const { rows } = await service.sql.query('SELECT max(rows) AS most, sum(rows)::int AS rows FROM steps');
  await service.sql.query('DROP TRIGGER steps ON import_rows; DROP FUNCTION note_step; DROP TABLE steps');
  expect(rows).toEqual([{ most: 1000, rows: 2501 }]);
  expect(await rowsLeft(ready)).toBe(0);
});
