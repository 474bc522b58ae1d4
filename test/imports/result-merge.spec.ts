import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { csvLines } from '../../src/files/csv.js';
import type { Json } from '../support/http/api.js';
import { applied, CSV, imported, JSON_LINES, resultOf } from '../support/records/imports.js';
import { repetitions } from '../support/repository/sweeps.js';
import { useService } from '../support/service/service.js';

/**
 * Rows of every kind meet changes by others, are rejected, come back in the result file and are sent again as they are. In the end each shipment
 * has what its row changed, and everywhere else what others have written.
 */
const service = useService();

const REQUIRED = { streetAddress1: ['1 A', "'s B"], city: ['X', '＝Y'], state: ['IL'], postalCode: ['62701', '007'] };
const MEMBERS = { ...REQUIRED, streetAddress2: [null, '=F', 'G'] };
const VALUES = {
  customerRemarks: [null, '', "'", '-1', 'x'],
  estimatedWeight: [null, 1, 900],
  pickupDate: [null, '2026-04-01', '2026-04-02'],
};
const ADDRESSES = ['pickupAddress', 'destinationAddress'] as const;
const MEMBER_NAMES = Object.keys(MEMBERS) as readonly (keyof typeof MEMBERS)[];

const oneOf = <T>(choices: Readonly<Record<string, readonly T[]>>) =>
  fc.record(Object.fromEntries(Object.entries(choices).map(([name, each]) => [name, fc.constantFrom(...each)])));
const address = fc.option(oneOf<string | null>(MEMBERS), { freq: 3 });
const shipment = fc.record({
  ...Object.fromEntries(Object.entries(VALUES).map(([name, each]) => [name, fc.constantFrom<unknown>(...each)])),
  pickupAddress: address,
  destinationAddress: address,
}) as fc.Arbitrary<Json>;
/** A shipment, the one that others make of it, and the one that a row means. */
const story = fc.tuple(shipment, shipment, shipment, fc.nat(), fc.nat());
/** The fields that others change, and those that the row does, by bits. */
const FIELDS = [...Object.keys(VALUES), ...ADDRESSES];
const chosen = (fields: readonly string[], bits: number) => fields.filter((_, index) => (bits & (1 << index)) !== 0);

/** The shipment with some fields of another one; of an address those members that `members` names, if both have an address. */
function mixed(base: Json, other: Json, fields: readonly string[], members: readonly string[]): Json {
  const values = fields.map((field) => {
    const [mine, theirs] = [base[field], other[field]];
    if (!ADDRESSES.includes(field as never) || mine === null || theirs === null) return [field, theirs];
    return [field, { ...mine, ...Object.fromEntries(members.map((member) => [member, theirs[member]])) }];
  });
  return { ...base, ...Object.fromEntries(values) };
}

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** Of a record, only the fields of this spec, in one order. */
function known(record: Json): Json {
  const of = (value: Json | null) => value && Object.fromEntries(MEMBER_NAMES.map((name) => [name, value[name]]));
  return Object.fromEntries(
    FIELDS.map((field) => [field, ADDRESSES.includes(field as never) ? of(record[field]) : record[field]]),
  );
}

const GUARDED = /^'*(?:$|[=+\-@＝＋－＠])/;
const cell = (value: unknown) => {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' && GUARDED.test(value) ? `'${value}` : String(value as number);
};

interface Row {
  readonly id: string;
  readonly eTag: string;
  readonly mine: Json;
  /** The fields that the row mentions. */
  readonly fields: readonly string[];
}

interface Format {
  readonly headers: Record<string, string>;
  readonly write: (rows: readonly Row[]) => string;
  /** Whether all rows mention the same fields. */
  readonly hasColumns: boolean;
}

const COLUMNS: Format = {
  headers: CSV,
  hasColumns: true,
  write: (rows) => {
    const fields = rows[0]?.fields ?? [];
    const paths = fields.flatMap((field) =>
      ADDRESSES.includes(field as never) ? MEMBER_NAMES.map((member) => [field, member] as const) : [[field] as const],
    );
    const lines = rows.map(({ id, eTag, mine }) => [
      id,
      eTag,
      ...paths.map(([field, member]) => cell(member === undefined ? mine[field] : mine[field]?.[member])),
    ]);
    return csvLines([['id', 'eTag', ...paths.map((path) => path.join('.'))], ...lines]);
  },
};

const LINES: Format = {
  headers: JSON_LINES,
  hasColumns: false,
  write: (rows) =>
    rows
      .map(({ id, eTag, mine, fields }) => {
        return JSON.stringify({ id, eTag, ...Object.fromEntries(fields.map((field) => [field, mine[field]])) });
      })
      .join('\n'),
};

async function bulk(items: readonly object[]): Promise<Json[]> {
  const { status, body } = await service.api.post('/v1/shipments/bulk', { items });
  expect([status, body]).toEqual([200, expect.anything()]);
  return body.items.map((item: Json) => item.shipment);
}

test.each([
  ['CSV', COLUMNS],
  ['JSON Lines', LINES],
])('a result in %s that is sent again changes what its rows changed, and nothing else', async (_, format) => {
  let refusals = 0;
  const property = fc.asyncProperty(fc.array(story, { minLength: 20, maxLength: 40 }), async (stories) => {
    const made = await bulk(stories.map(([base]) => ({ op: 'create', values: { shipmentType: 'HHG', ...base } })));
    const told = stories.map(([base, other, wanted, theirBits, myBits], index) => {
      // The members of addresses are chosen by higher bits.
      const theirs = mixed(base, other, chosen(FIELDS, theirBits), chosen(MEMBER_NAMES, theirBits >> 5));
      const own = chosen(FIELDS, myBits);
      const mine = mixed(base, wanted, own, chosen(MEMBER_NAMES, myBits >> 5));
      const { id, eTag } = made[index] as { id: string; eTag: string };
      const fields = format.hasColumns ? FIELDS : FIELDS.filter((field) => own.includes(field) || index % 2 === 0);
      return { base, theirs, row: { id, eTag, mine, fields } };
    });
    await bulk(told.map(({ theirs, row }) => ({ op: 'update', id: row.id, ifMatch: row.eTag, patch: theirs })));

    const first = await imported(service.api, format.write(told.map(({ row }) => row)), format.headers);
    refusals += first.refused;
    await applied(service.api, first);
    if (first.refused > 0) {
      const again = await imported(service.api, await resultOf(service.url, first), format.headers);
      expect(await applied(service.api, again)).toMatchObject({ refused: 0, rows: first.refused });
    }
    for (const { base, theirs, row } of told) {
      const changed = FIELDS.filter((field) => !same(known(base)[field], known(row.mine)[field]));
      const expected = {
        ...known(theirs),
        ...Object.fromEntries(changed.map((field) => [field, known(row.mine)[field]])),
      };
      const { body } = await service.api.get(`/v1/shipments/${row.id}`);
      expect({ base, theirs, row, now: known(body) }).toEqual({ base, theirs, row, now: expected });
    }
  });
  await fc.assert(property, { numRuns: repetitions(60, 3), seed: 20_261_119 });
  expect(refusals).toBeGreaterThan(20);
});
