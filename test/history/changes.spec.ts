import fc from 'fast-check';
import type { Client } from 'pg';
import { changesOf } from '../../src/history/changes.js';
import { connect, urlOf } from '../support/database/test-database.js';

let sql: Client;
beforeAll(async () => {
  sql = await connect(urlOf('waybill'));
});
afterAll(() => sql.end());

const FIELDS = new Map([
  ['remarks', 'remarks'],
  ['city', 'address/city'],
  ['address_id', 'address/id'],
  ['weight', 'weight'],
  ['types', 'types'],
]);

const text = fc.oneof(
  fc.string({ unit: 'binary' }).map((any) => any.replaceAll('\0', '')), // jsonb has no U+0000.
  fc.constantFrom('"', '\\', '\\"', '", "city": "', '\u0001', '\u007f', '\u2028', '🚚', '', 'null'),
);
const value = fc.oneof(text, fc.integer(), fc.boolean(), fc.array(text, { maxLength: 3 }));
const row = fc.dictionary(fc.constantFrom(...FIELDS.keys(), 'column_of_a_later_version'), value);
/** Most versions have most values of the one before. */
const versions = fc.tuple(row, row, fc.subarray([...FIELDS.keys()])).map(([before, other, kept]) => {
  const same = Object.fromEntries(Object.entries(before).filter(([column]) => kept.includes(column)));
  return [before, { ...other, ...same }] as const;
});

/** The rows as PostgreSQL stores them, and the columns in which they differ for it. */
async function stored(before: object, after: object) {
  const { rows } = await sql.query<{ before: string; after: string; changes: Record<string, object> }>(
    `SELECT before::text, after::text, (
       SELECT coalesce(jsonb_object_agg(name, jsonb_build_object('from', before -> name, 'to', after -> name)), '{}')
       FROM jsonb_object_keys(before || after) AS name WHERE before -> name IS DISTINCT FROM after -> name
     ) AS changes
     FROM (SELECT $1::jsonb AS before, $2::jsonb AS after) versions`,
    [JSON.stringify(before), JSON.stringify(after)],
  );
  return rows[0] ?? { before: '', after: '', changes: {} };
}

test('changes are the fields in which two versions differ for PostgreSQL, without ids of parts and unknown columns', async () => {
  const property = fc.asyncProperty(versions, async ([one, other]) => {
    const { before, after, changes } = await stored(one, other);
    const differing = [...FIELDS].filter(([column, field]) => column in changes && !field.endsWith('/id'));
    const expected = differing.map(([column, field]) => ({ field, ...changes[column] }));
    expect(JSON.parse(`[${changesOf({ type: 'updated', row: after, before }, FIELDS)}]`)).toEqual(expected);
  });
  await fc.assert(property, { numRuns: 200, seed: 20_261_119 });
});

test('a created record has all its values as changes, and a deleted one had them', async () => {
  const { after } = await stored({}, { remarks: 'x', weight: 3, address_id: 'y' });
  expect(changesOf({ type: 'created', row: after, before: undefined }, FIELDS)).toBe(
    '{"field":"remarks","from":null,"to":"x"},{"field":"weight","from":null,"to":3}',
  );
  expect(changesOf({ type: 'deleted', row: null, before: after }, FIELDS)).toBe(
    '{"field":"remarks","from":"x","to":null},{"field":"weight","from":3,"to":null}',
  );
});
