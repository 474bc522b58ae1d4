import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { archive } from '../../tools/archive/archive.js';
import { Month } from '../../tools/archive/month.js';
import { MonthFile } from '../../tools/archive/month-file.js';
import { restore } from '../../tools/archive/restore.js';
import { ifMatchAmongTwo, type Json } from '../support/http/api.js';
import { allNumbered } from '../support/records/events.js';
import { useService } from '../support/service/service.js';

const service = useService();

const MONTHS = ['2024-04', '2024-05', '2024-06', '2024-07'];
const NOBODY = { orderID: null, remarks: null };

/** The versions of a move; each has an author of its own. A value goes away and comes back. */
const VERSIONS = [
  { at: '2024-04-01', orderID: 'A', remarks: 'one' },
  { at: '2024-04-30', orderID: 'A', remarks: 'two' },
  { at: '2024-05-02', orderID: 'B', remarks: 'two' },
  { at: '2024-05-31', orderID: 'B', remarks: null },
  { at: '2024-06-01', orderID: 'B', remarks: 'two' },
  { at: '2024-06-02', orderID: 'C', remarks: 'two' },
  { at: '2024-07-01', orderID: 'C', remarks: 'four' },
  { at: '2024-07-02', orderID: 'D', remarks: 'four' },
].map((version, index) => ({ ...NOBODY, ...version, at: `${version.at}T00:00:00.000Z`, author: `author ${index}` }));
const NEWEST = VERSIONS.length - 1;
const FIELDS = ['orderID', 'remarks'] as const;

/** Every choice of the months, in an order that is not theirs. */
const KEPT = Array.from({ length: 2 ** MONTHS.length }, (_, bits) => ({
  months: MONTHS.filter((_, index) => (bits & (1 << index)) !== 0).toReversed(),
}));

let folder: string;
let id: string;
const eTags: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waybill-months-'));
  const { sql } = service;
  await sql.query(`SELECT prepare_history('2024-04-01', '2024-07-01')`);
  const { at, orderID, remarks } = VERSIONS[NEWEST] ?? { at: '', ...NOBODY };
  await sql.query('SET session_replication_role = replica');
  const { rows } = await sql.query<{ id: string }>(
    `INSERT INTO moves (id, move_code, order_id, remarks, created_at, updated_at)
     VALUES (gen_random_uuid(), 'MNTHS2', $1, $2, $3, $4) RETURNING id`,
    [orderID, remarks, VERSIONS[0]?.at, at],
  );
  await sql.query('RESET session_replication_role');
  id = rows[0]?.id ?? '';
  for (const [index, version] of VERSIONS.entries()) {
    const { rows: written } = await sql.query<{ tag: string }>(
      `INSERT INTO history (root_id, record_kind, record_id, type, e_tag, record, changed_by, changed_at)
       VALUES ($1, 'move', $1, $2, decode(etag_of($3), 'hex'), jsonb_strip_nulls($4), $5, $3) RETURNING encode(e_tag, 'hex') AS tag`,
      [
        id,
        index === 0 ? 'created' : 'updated',
        version.at,
        {
          id,
          move_code: 'MNTHS2',
          order_id: version.orderID,
          remarks: version.remarks,
          created_at: VERSIONS[0]?.at,
          updated_at: version.at,
        },
        version.author,
      ],
    );
    eTags.push(written[0]?.tag ?? '');
  }
  await allNumbered(sql);
});
afterAll(() => rm(folder, { recursive: true }));

async function keepOnly(months: readonly string[]): Promise<void> {
  await archive(service.sql, { before: Month.parse('2024-08'), folder, dryRun: false, say: () => undefined });
  for (const month of months) {
    await restore(service.sql, MonthFile.in(folder, Month.parse(month).partition), () => undefined);
  }
}

const isKept = (months: readonly string[], index: number) => months.includes(VERSIONS[index]?.at.slice(0, 7) ?? '');

/** What history may say about version `index`. */
function changesOf(months: readonly string[], index: number): Json[] {
  const [before, now] = [VERSIONS[index - 1] ?? NOBODY, VERSIONS[index] ?? NOBODY];
  const isKnown = index === 0 || isKept(months, index - 1);
  return FIELDS.filter((field) => !isKnown || before[field] !== now[field]).map((field) =>
    isKnown ? { field, from: before[field], to: now[field] } : { field, to: now[field] },
  );
}

/** The version that gave a field its newest value: known only if no entry between it and the newest one is missing. */
function authorOf(months: readonly string[], base: number, field: (typeof FIELDS)[number]) {
  for (let index = NEWEST; index > base && isKept(months, index) && isKept(months, index - 1); index -= 1) {
    const [before, now] = [VERSIONS[index - 1], VERSIONS[index]];
    if (before?.[field] !== now?.[field]) return { changedBy: now?.author, changedAt: now?.at };
  }
  return {};
}

describe.each(KEPT)('with the months $months', ({ months }) => {
  beforeAll(() => keepOnly(months));

  test('an entry has previous values only if the entry before it is there', async () => {
    const { body } = await service.api.get(`/v1/moves/${id}/history`);
    const kept = VERSIONS.map((_, index) => index).filter((index) => isKept(months, index));
    expect(
      body.toReversed().map(({ changedBy, changes }: Json) => ({
        changedBy,
        changes: changes.filter(({ field }: Json) => field !== 'moveCode'),
      })),
    ).toEqual(kept.map((index) => ({ changedBy: `author ${index}`, changes: changesOf(months, index) })));
  });

  test('a 412 names an author only if no entry after the change is missing', async () => {
    for (const [base, version] of VERSIONS.entries()) {
      const path = `/v1/moves/${id}`;
      expect((await service.api.get(`${path}?version=${eTags[base]}`)).status).toBe(
        isKept(months, base) || base === NEWEST ? 200 : 404,
      );
      if (base === NEWEST) continue;
      const { body } = await service.api.patch(path, undefined, {}, ifMatchAmongTwo(eTags[base] ?? ''));
      expect(body.currentETag).toBe(eTags[NEWEST]);
      const current = VERSIONS[NEWEST];
      const changed = FIELDS.filter((field) => version[field] !== current?.[field]).map((field) => ({
        field,
        base: version[field],
        current: current?.[field],
        ...authorOf(months, base, field),
        conflicting: false,
      }));
      expect(body.changes).toEqual(isKept(months, base) ? changed : undefined);
    }
  });
});
