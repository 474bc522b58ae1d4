import fc from 'fast-check';
import type { Json } from '../../support/api.js';
import type { Operation } from '../description.js';
import { placeOf } from '../fixture.js';
import { validQueries, written, type Pairs } from '../generate/queries.js';
import { batches } from '../property.js';
import type { Target } from '../target.js';

interface Listing {
  readonly operation: Operation;
  readonly pairs: Pairs;
}

function listings({ description }: Target): fc.Arbitrary<Listing> {
  const lists = description.operations.filter(({ parameters }) => parameters.some(({ name }) => name === 'limit'));
  return fc.oneof(
    ...lists.map((operation) => validQueries(description, operation).map((pairs) => ({ operation, pairs }))),
  );
}

/** Whether an item of a list is what each filter asks for. */
const FILTERS: Readonly<Record<string, (item: Json, values: readonly string[]) => boolean>> = {
  // A made-up moveCode is that of no move.
  moveID: (item, [id]) => item.moveID === id,
  orderID: (item, [id]) => item.orderID === id,
  status: (item, statuses) => statuses.includes(item.status),
  shipmentType: (item, [type]) => item.shipmentType === type,
  deliveryDateFrom: (item, [day = '']) => item.deliveryDate >= day,
  deliveryDateTo: (item, [day = '']) => item.deliveryDate !== null && item.deliveryDate <= day,
  updatedSince: (item, [moment = '']) => Date.parse(item.updatedAt) >= Date.parse(moment),
  expand: (item, names) => names.every((name) => item[name] !== undefined),
};

/** Parameters that take several values. */
const LISTED = ['status', 'expand'];

/** A list has what was asked for, newest first, and goes on where it ended. */
export const lists = batches('lists', 2, listings, async ({ operation, pairs }, { client, fixture }) => {
  const place = placeOf(operation.path, fixture).path;
  const answer = await client.send({ method: 'GET', path: place + written(pairs) });
  client.expect('valid parameters are accepted', answer, answer.status === 200, 'refused');
  const items: Json[] = answer.body;
  for (const [name, holds] of Object.entries(FILTERS)) {
    const given = pairs.filter(([parameter]) => parameter === name).map(([, value]) => value);
    const values = LISTED.includes(name) ? given.flatMap((value) => value.split(',')) : given;
    if (values.length === 0) continue;
    client.expect(
      'lists hold what was asked for',
      answer,
      items.every((item) => holds(item, values)),
      `not all by ${name}`,
    );
  }
  const limit = Number(pairs.find(([name]) => name === 'limit')?.[1] ?? 50);
  client.expect('lists are no longer than asked for', answer, items.length <= limit, `${items.length} items`);
  const [, next] = /^<([^>]+)>; rel="next"$/.exec(answer.headers.get('Link') ?? '') ?? [];
  if (next === undefined) return;
  client.expect(
    'lists go on when they are full',
    answer,
    items.length === limit,
    'there is more, but the page is not full',
  );
  const page = await client.send({ method: 'GET', path: next });
  client.expect(
    'lists go on where they ended',
    page,
    page.status === 200 && !overlaps(items, page.body),
    'items again',
  );
});

function overlaps(one: readonly Json[], other: readonly Json[]): boolean {
  const known = new Set(one.map(keyOf));
  return other.some((item) => known.has(keyOf(item)));
}

/** Entries of history have no id: a record, what was done to it and the version it led to. */
function keyOf(item: Json): string {
  return item.id ?? `${item.resourceID} ${item.type} ${item.eTag}`;
}
