import fc from 'fast-check';
import type { Json } from './support/api.js';
import { itemFor, makeTwins, plans, sendSingle, type Plan, type Twin } from './support/bulk-twins.js';
import { createMove } from './support/records.js';
import { useService } from './support/service.js';

/**
 * A bulk against single requests: the same items are sent in a bulk to one set of shipments, and one by one to its twin.
 * Item by item, everything must be the same afterwards. All or nothing, it must be the same or nothing must have happened.
 */
const BULKS = Number(process.env.TEST_BULKS ?? 200);
/** The suite tries the same bulks each time; with TEST_BULKS there are as many others as one likes. */
const SEED = process.env.TEST_BULKS === undefined ? { seed: 18 } : {};

const service = useService();
const REQUEST = { 'X-Request-ID': 'twins' };

let move: Json;
beforeAll(async () => {
  move = await createMove(service.api);
});

/** What is made anew for each record is no difference. */
function withoutNames(value: unknown): Json {
  const text = JSON.stringify(value)
    .replaceAll(/[0-9a-f]{64}|\\\\x[0-9a-f]{64}/g, 'eTag')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)/g, 'time')
    .replaceAll(/"no-id-\d+|no-id-\d+/g, 'no-id')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) =>
      id === move.id ? 'move' : 'id',
    )
    .replaceAll(/"instance":"[^"]*",/g, '');
  return JSON.parse(text);
}

/** Records with their history, in this order. */
async function storedOf(ids: readonly string[]): Promise<Json[]> {
  const { rows } = await service.sql.query(
    `SELECT to_jsonb(s) AS record,
       (SELECT jsonb_agg(jsonb_build_array(h.type, h.changed_by, h.request_id, h.record) ORDER BY h.position)
        FROM history h WHERE h.record_id = asked.id) AS history
     FROM unnest($1::uuid[]) WITH ORDINALITY AS asked (id, position) LEFT JOIN shipments s USING (id) ORDER BY position`,
    [ids],
  );
  return rows;
}

const idsOf = (twins: readonly Twin[], shipments: readonly Json[]) => [
  ...twins.map(({ id }) => id),
  ...shipments
    .map((shipment) => shipment?.id)
    .filter((id) => id !== undefined && !twins.some((twin) => twin.id === id)),
];

/** How often each outcome came about, as "atomic op status". */
const seen = new Map<string, number>();

async function judge({ atomic, priors, items }: Plan): Promise<void> {
  const [forBulk, forSingles] = await makeTwins(service.sql, move, priors);
  const planned = items.map((item) => ({ ...item, body: withMove(item.body) }));
  const before = await storedOf(forBulk.map(({ id }) => id));

  const singles: { status: number; shipment?: Json; problem?: Json }[] = [];
  for (const [index, item] of planned.entries()) {
    const { status, body } = await sendSingle(service.api, item, twinAt(forSingles, index), index, REQUEST);
    singles.push({ status, ...(body !== undefined && (status < 300 ? { shipment: body } : { problem: body })) });
  }
  const body = { atomic, items: planned.map((item, index) => itemFor(item, twinAt(forBulk, index), index)) };
  const answer = await service.api.post('/v1/shipments/bulk', body, REQUEST);

  const isRefused = atomic && singles.some(({ status }) => status >= 300);
  planned.forEach(({ op }, index) => {
    const outcome = `${atomic ? 'atomic' : 'each'} ${op} ${singles[index]?.status}`;
    seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
  });
  expect(answer.status).toBe(isRefused ? 409 : atomic ? 200 : 207);
  const expected = singles.map((single) => (isRefused && single.status < 300 ? { status: 424 } : single));
  expect(withoutNames(answer.body.items)).toEqual(withoutNames(expected));

  const madeByBulk = answer.body.items.map(({ shipment }: Json) => shipment);
  const after = await storedOf(idsOf(forBulk, madeByBulk));
  if (isRefused) expect(after).toEqual(before);
  else {
    const ids = idsOf(
      forSingles,
      singles.map(({ shipment }) => shipment),
    );
    expect(withoutNames(after)).toEqual(withoutNames(await storedOf(ids)));
  }
}

function twinAt(twins: readonly Twin[], index: number): Twin {
  const twin = twins[index];
  if (twin === undefined) throw new Error(`There is no twin ${index}`);
  return twin;
}

function withMove(body: Json): Json {
  const text = JSON.stringify(body).replace('<move id>', move.id).replace('<move code>', move.moveCode);
  return JSON.parse(text);
}

test(`${BULKS} bulks do what their single requests do, or nothing`, async () => {
  await fc.assert(fc.asyncProperty(plans, judge), { numRuns: BULKS, endOnFailure: true, ...SEED });
});

test('each outcome was among them', () => {
  const outcomes = {
    create: [201, 422],
    update: [200, 400, 404, 412, 422, 428],
    updateStatus: [200, 400, 404, 409, 412, 422, 428],
    delete: [204, 400, 404, 412],
  };
  const expected = Object.entries(outcomes).flatMap(([op, statuses]) =>
    statuses.flatMap((status) => [`atomic ${op} ${status}`, `each ${op} ${status}`]),
  );
  expect([...seen.keys()].sort()).toEqual(expected.sort());
});
