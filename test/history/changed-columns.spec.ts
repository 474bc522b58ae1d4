import fc from 'fast-check';
import type { Client } from 'pg';
import { changedColumns, NO_ROW } from '../../src/history/changed-columns.js';
import { connect, urlOf } from '../support/database/test-database.js';

let sql: Client;
beforeAll(async () => {
  sql = await connect(urlOf('waybill'));
});
afterAll(() => sql.end());

const COLUMNS = ['a', 'b', 'aa', 'ab', 'status', 'move_id', 'shipment_code', 'estimated_weight'];
/** What a scanner could take for the end of a value, a member or a row. */
const TRAPS = [
  '"',
  '\\',
  '\\"',
  '", "a": ',
  '}',
  ']',
  ': ',
  ', ',
  '\n',
  '\u0001',
  'é',
  '🚚',
  '',
  'null',
  '"erased": true',
];

const text = fc.array(fc.oneof(fc.constantFrom(...TRAPS), fc.string()), { maxLength: 4 }).map((parts) => {
  // jsonb has no U+0000.
  return parts.join('').replaceAll('\0', '');
});
const value = fc.oneof(text, fc.integer(), fc.boolean(), fc.array(text, { maxLength: 3 }));
const row = fc.dictionary(fc.constantFrom(...COLUMNS), value, { maxKeys: COLUMNS.length });
/** Most versions have most values of the one before. */
const versions = fc.tuple(row, row, fc.subarray(COLUMNS)).map(([before, other, kept]) => {
  const same = Object.fromEntries(Object.entries(before).filter(([column]) => kept.includes(column)));
  return [before, { ...other, ...same }] as const;
});

/** The columns that differ for PostgreSQL, with its own texts of the values. */
async function expected(before: object, after: object) {
  const { rows } = await sql.query<{ before: string; after: string; changes: Record<string, unknown> }>(
    `SELECT before::text, after::text, (
       SELECT coalesce(jsonb_object_agg(name, jsonb_build_object(
         'from', coalesce((before -> name)::text, 'null'), 'to', coalesce((after -> name)::text, 'null'))), '{}')
       FROM jsonb_object_keys(before || after) AS name WHERE before -> name IS DISTINCT FROM after -> name
     ) AS changes
     FROM (SELECT $1::jsonb AS before, $2::jsonb AS after) versions`,
    [JSON.stringify(before), JSON.stringify(after)],
  );
  return rows[0] ?? { before: '', after: '', changes: {} };
}

test('two versions of a row differ in the columns in which they differ for PostgreSQL', async () => {
  const property = fc.asyncProperty(versions, async ([one, other]) => {
    const { before, after, changes } = await expected(one, other);
    expect(Object.fromEntries(changedColumns(before, after))).toEqual(changes);
  });
  await fc.assert(property, { numRuns: 200, seed: 20_261_119 });
});

test('a row without another one has all its columns', async () => {
  const { after } = await expected({}, { code: 'x', weight: 3 });
  expect([...changedColumns(NO_ROW, after)]).toEqual([
    ['code', { from: 'null', to: '"x"' }],
    ['weight', { from: 'null', to: '3' }],
  ]);
  expect([...changedColumns(after, NO_ROW).keys()]).toEqual(['code', 'weight']);
  expect(changedColumns(after, after).size).toBe(0);
});
