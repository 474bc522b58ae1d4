import fc from 'fast-check';
import type { Client } from 'pg';
import { STATUSES } from '../../../src/model/shipment-status.js';
import type { Answer, Api, Json } from '../http/api.js';
import { UNKNOWN_ID } from './records.js';

/** A shipment before a bulk, and whether it was changed after its first version. */
export interface Prior {
  readonly status: string;
  readonly hasAddress: boolean;
  readonly change: 'none' | 'remarks' | 'weight';
}

type IfMatch = 'current' | 'first' | 'quoted' | 'list' | 'weak' | 'any' | 'missing' | 'malformed' | 'unknown' | 'empty';

export interface PlannedItem {
  readonly op: 'create' | 'update' | 'updateStatus' | 'delete';
  readonly target: 'prior' | 'unknown' | 'no id';
  readonly ifMatch: IfMatch;
  readonly body: Json;
}

export interface Plan {
  readonly atomic: boolean;
  readonly priors: readonly Prior[];
  /** One for each prior, by position; a creation leaves its own alone. */
  readonly items: readonly PlannedItem[];
}

const PATCHES: readonly Json[] = [
  {},
  { actualWeight: 5 },
  { customerRemarks: 'mine', estimatedWeight: null },
  { actualWeight: 0, customerRemarks: 7 },
  { pickupDate: '2026-05-01' },
  { pickupDate: '2026-03-01', deliveryDate: '2026-03-02' },
  { destinationAddress: { city: 'Rome' } },
  { destinationAddress: null },
  { destinationAddress: { streetAddress1: 'a', city: 'b', state: 'c', postalCode: 'd' } },
  { status: 'APPROVED' },
  { colour: 'red' },
  ['no object'],
  null,
];

const CREATIONS: readonly Json[] = [
  { shipmentType: 'HHG' },
  { shipmentType: 'HHG', moveID: '<move id>' },
  { shipmentType: 'HHG', moveID: '<move code>', pickupAddress: { city: 'incomplete' } },
  { shipmentType: 'HHG', moveID: '<move code>' },
  { shipmentType: 'HHG', moveID: UNKNOWN_ID },
  { shipmentType: 'HHG', moveID: 'ZZZZZZ' },
  { shipmentType: 'HHG', moveID: 'nonsense' },
  { id: UNKNOWN_ID },
  'no object',
];

const IF_MATCHES: readonly IfMatch[] = [
  ...(['current', 'current', 'current', 'current', 'first', 'first', 'quoted', 'list', 'any'] as const),
  ...(['weak', 'missing', 'malformed', 'unknown', 'empty'] as const),
];

const of = <T>(...values: readonly T[]) => fc.constantFrom(...values);

const item = of<PlannedItem['op']>('create', 'update', 'update', 'updateStatus', 'delete').chain((op) =>
  fc.record({
    op: fc.constant(op),
    target: of<PlannedItem['target']>(...Array<'prior'>(12).fill('prior'), 'unknown', 'no id'),
    ifMatch: of(...IF_MATCHES),
    body: op === 'create' ? of(...CREATIONS) : op === 'update' ? of(...PATCHES) : statusChange(),
  }),
);

function statusChange() {
  return fc.record(
    { status: of(...STATUSES, 'LOST'), rejectionReason: of<string | null>('full', null) },
    { requiredKeys: [] },
  );
}

const prior = fc.record({
  status: of('SUBMITTED', 'SUBMITTED', 'APPROVED', 'DELIVERED'),
  hasAddress: fc.boolean(),
  change: of<Prior['change']>('none', 'none', 'remarks', 'weight'),
});

export const plans: fc.Arbitrary<Plan> = fc
  .tuple(fc.boolean(), fc.array(fc.tuple(prior, item), { minLength: 1, maxLength: 6 }))
  .map(([atomic, pairs]) => ({ atomic, priors: pairs.map(([one]) => one), items: pairs.map(([, one]) => one) }));

/** A shipment created for a plan, with its first and current version. */
export interface Twin {
  readonly id: string;
  readonly first: string;
  readonly current: string;
}

/** Inserts the same shipments twice, directly: one set for the bulk, one for the single requests. */
export async function makeTwins(sql: Client, move: Json, priors: readonly Prior[]): Promise<[Twin[], Twin[]]> {
  const all = [...priors, ...priors];
  const { rows: made } = await sql.query<{ id: string; first: string }>(
    `INSERT INTO shipments (id, move_id, shipment_type, status, delivery_date, destination_address_id,
       destination_address_street_address1, destination_address_city, destination_address_state, destination_address_postal_code)
     SELECT gen_random_uuid(), $1, 'HHG', status, '2026-04-15', CASE WHEN whole THEN gen_random_uuid() END,
       CASE WHEN whole THEN 'street' END, CASE WHEN whole THEN 'city' END, CASE WHEN whole THEN 'IL' END,
       CASE WHEN whole THEN '1' END
     FROM unnest($2::text[], $3::boolean[]) WITH ORDINALITY AS prior (status, whole, position) ORDER BY position
     RETURNING id, etag_of(updated_at) AS first`,
    [move.id, all.map(({ status }) => status), all.map(({ hasAddress }) => hasAddress)],
  );
  await sql.query(
    `UPDATE shipments SET customer_remarks = CASE WHEN change = 'remarks' THEN 'theirs' END,
       actual_weight = CASE WHEN change = 'weight' THEN 5 END
     FROM unnest($1::uuid[], $2::text[]) AS change (shipment, change) WHERE id = shipment AND change <> 'none'`,
    [made.map(({ id }) => id), all.map(({ change }) => change)],
  );
  const { rows: now } = await sql.query<{ current: string }>(
    `SELECT etag_of(updated_at) AS current FROM shipments JOIN unnest($1::uuid[]) WITH ORDINALITY AS made (id, position)
     USING (id) ORDER BY position`,
    [made.map(({ id }) => id)],
  );
  const twins = made.map((each, index) => ({ ...each, current: now[index]?.current ?? '' }));
  return [twins.slice(0, priors.length), twins.slice(priors.length)];
}

export function ifMatchOf(kind: IfMatch, { first, current }: Twin): string | undefined {
  const values: Record<IfMatch, string | undefined> = {
    current,
    first,
    quoted: `"${current}"`,
    list: `"${first}", "${'0'.repeat(64)}"`,
    weak: `W/"${current}"`,
    any: '*',
    missing: undefined,
    malformed: 'no tag',
    unknown: '0'.repeat(64),
    empty: '',
  };
  return values[kind];
}

export const nameOf = ({ target }: PlannedItem, { id }: Twin, position: number) =>
  ({ prior: id, unknown: `${UNKNOWN_ID.slice(0, -2)}${10 + position}`, 'no id': `no-id-${position}` })[target];

export function itemFor(planned: PlannedItem, twin: Twin, position: number): Json {
  const { op, body } = planned;
  const ifMatch = ifMatchOf(planned.ifMatch, twin);
  const about = { op, id: nameOf(planned, twin, position), ...(ifMatch !== undefined && { ifMatch }) };
  if (op === 'create') return { op, values: body };
  if (op === 'update') return { ...about, patch: body };
  return op === 'updateStatus' ? { ...about, ...body } : about;
}

export function sendSingle(
  api: Api,
  planned: PlannedItem,
  twin: Twin,
  position: number,
  headers: Json,
): Promise<Answer<Json>> {
  const { op, body } = planned;
  const path = `/v1/shipments/${nameOf(planned, twin, position)}`;
  const ifMatch = ifMatchOf(planned.ifMatch, twin);
  const all = { ...headers, ...(ifMatch !== undefined && { 'If-Match': ifMatch }) };
  const text = JSON.stringify(body);
  if (op === 'create') return api.post('/v1/shipments', text, headers);
  if (op === 'delete') return api.delete(path, all);
  return api.send('PATCH', op === 'update' ? path : `/prime${path}/updateStatus`, text, all);
}
