import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { archive } from '../../tools/archive/archive.js';
import { MonthFile } from '../../tools/archive/month-file.js';
import { Month } from '../../tools/archive/month.js';
import { restore } from '../../tools/archive/restore.js';
import type { Json } from '../support/http/api.js';
import { useSecuredService } from '../support/http/tokens.js';
import { erased, tablesWith } from '../support/records/erasing.js';
import { allNumbered } from '../support/records/events.js';
import { applied, csvOf, imported } from '../support/records/imports.js';
import { createMove } from '../support/records/records.js';

/** An import that is uploaded in May, applied by somebody else in June, and done today. */

const SCOPES = 'moves:read moves:write shipments:read shipments:write';
const [MAY, JUNE] = ['history_2024_05', 'history_2024_06'];

const { service, as } = useSecuredService({ JWT_NAME_CLAIM: 'name' });
let subject: string;
let name: string;
let folder: string;

beforeEach(async () => {
  const mark = randomUUID().slice(0, 8);
  [subject, name] = [`uploader-${mark}`, `Flo ${mark}`];
  folder = await mkdtemp(join(tmpdir(), 'waybill-months-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function importOfThreeMonths(isActiveToday: boolean): Promise<Json> {
  const [flo, ben] = [
    await as({ subject, scope: SCOPES, claims: { name } }),
    await as({ subject: 'b-2', scope: SCOPES, claims: { name: 'Ben Ode' } }),
  ];
  const file = csvOf(['shipmentType'], [['HHG']]);
  const ready = await imported(flo, file, { 'Idempotency-Key': randomUUID() });
  await applied(ben, ready);
  if (isActiveToday) await createMove(flo);
  await allNumbered(service.sql);
  await service.sql.query(`
    SELECT prepare_history('2024-05-01', '2024-06-01');
    SET session_replication_role = replica;
    WITH entries AS (SELECT position, row_number() OVER (ORDER BY position) AS number FROM history WHERE root_id = '${ready.id}')
    UPDATE history h SET changed_at = CASE number WHEN 1 THEN '2024-05-17' ELSE '2024-06-17' END::timestamptz
    FROM entries e WHERE e.position = h.position AND number < 3;
    UPDATE events e SET moment = h.changed_at FROM history h WHERE h.position = e.position AND e.moment <> h.changed_at;
    RESET session_replication_role`);
  expect(await tablesWith(service.sql, name)).toEqual(
    expect.arrayContaining(['imports', 'idempotency_keys', MAY, JUNE]),
  );
  return ready;
}

const bringBack = (table: string) => restore(service.sql, MonthFile.in(folder, table), () => undefined);

/** Leaves these months in the database, and the other ones in files. */
async function keepOnly(kept: readonly string[]): Promise<void> {
  const order = { before: Month.parse('2024-07'), folder, dryRun: false, say: () => undefined };
  await archive(service.sql, order);
  for (const table of kept) await bringBack(table);
}

const CASES: [kept: string[], restored: string[], isActiveToday: boolean][] = [
  [[MAY, JUNE], [], false],
  [[MAY], [JUNE], false],
  [[JUNE], [MAY], false],
  [[JUNE], [MAY], true],
  [[], [MAY, JUNE], false],
  [[], [JUNE, MAY], false],
  [[], [JUNE, MAY], true],
];

test.each(CASES)('erased while %j are kept, and then %j restored: the uploader is named nowhere', async (...args) => {
  const [kept, restored, isActiveToday] = args;
  const { id } = await importOfThreeMonths(isActiveToday);
  await keepOnly(kept);
  const { said } = await erased(service, { subject });
  const isWhole = kept.includes(MAY) && kept.includes(JUNE);
  expect(said).toContain(
    isWhole ? 'Nothing is left in this database.' : 'Nothing is left that the months in this database show',
  );
  // Only the archived entry of the upload shows whose name it is.
  const isKnown = isActiveToday || kept.includes(MAY);
  expect((await tablesWith(service.sql, name)).length === 0).toBe(isKnown);

  for (const table of restored) await bringBack(table);

  for (const text of [name, subject]) expect(await tablesWith(service.sql, text)).toEqual([]);
  const { rows } = await service.sql.query(
    `SELECT changed_by, record ->> 'created_by' AS creator, erased FROM history WHERE root_id = $1 AND type <> 'erased' ORDER BY position`,
    [id],
  );
  expect(rows.slice(0, 3)).toEqual(
    ['erased', 'Ben Ode', 'Ben Ode'].map((author) => ({ changed_by: author, creator: 'erased', erased: true })),
  );
  expect((await erased(service, { subject })).entries).toBe(0);
});

test('a file without the erasure is erased when it is restored again, and so is what it was lacking', async () => {
  await importOfThreeMonths(false);
  await keepOnly([]);
  await bringBack(JUNE);
  await erased(service, { subject });
  await bringBack(MAY);
  expect(await tablesWith(service.sql, name)).toEqual([]);
});

test('the import of another person with the same name keeps it', async () => {
  const other = await as({ subject: 'namesake', scope: SCOPES, claims: { name } });
  const kept = await imported(other, csvOf(['shipmentType'], [['HHG']]));
  await importOfThreeMonths(true);
  await keepOnly([JUNE]);
  await erased(service, { subject });
  expect((await other.get(`/v1/imports/${kept.id}`)).body.createdBy).toBe(name);
});

test('a month is not restored while an erasure runs', async () => {
  await importOfThreeMonths(false);
  await keepOnly([JUNE]);
  const other = await service.connect();
  await other.query(`SELECT pg_advisory_lock(hashtext('history_erase'))`);
  await expect(bringBack(MAY)).rejects.toThrow('Another erasure is running');
  await other.end();
});
