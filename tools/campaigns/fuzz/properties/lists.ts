import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type { Json } from '../../../../test/support/http/api.js';
import type { Operation } from '../description.js';
import { placeOf, type Fixture } from '../fixture.js';
import { validQueries, written, type KnownValues, type Pairs } from '../generate/queries.js';
import { batches } from '../property.js';
import type { Target } from '../target.js';

interface Listing {
  readonly operation: Operation;
  readonly pairs: Pairs;
}

function isList({ parameters }: Operation): boolean {
  return parameters.some(({ name }) => name === 'limit');
}

function listings({ description, fixture }: Target): fc.Arbitrary<Listing>[] {
  const known = knownValues(fixture);
  return description.operations.filter(isList).flatMap((operation) => [
    ...validQueries(description, operation, known).map((queries) => queries.map((pairs) => ({ operation, pairs }))),
    // A page of one has another after it.
    fc.constant({ operation, pairs: [['limit', '1']] as Pairs }),
    ...(operation.parameters.some(({ name }) => name === 'excel')
      ? [fc.constantFrom('true', 'false').map((excel) => ({ operation, pairs: [['excel', excel]] as Pairs }))]
      : []),
  ]);
}

const BYTE_ORDER_MARK = '\uFEFF';

/** A file for Excel, and for others. */
async function isFile({ operation, pairs }: Listing, { client, fixture }: Target): Promise<void> {
  const path = placeOf(operation.path, fixture).path + written(pairs);
  const answer = await client.send({ method: 'GET', path, headers: { Accept: 'text/csv' } });
  const isForExcel = pairs[0]?.[1] === 'true';
  const isGood = answer.status === 200 && answer.text.startsWith(`${isForExcel ? BYTE_ORDER_MARK : ''}id,`);
  client.expect('files begin as asked for', answer, isGood, 'another beginning');
}

/** Filters that find the records of the fixture. */
function knownValues({ move, shipment, deletions }: Fixture): KnownValues {
  return {
    moveID: [move.id, move.moveCode],
    orderID: [move.orderID],
    shipmentType: [shipment.shipmentType],
    updatedSince: [shipment.updatedAt, shipment.createdAt],
    pickupDateFrom: [shipment.pickupDate].filter(Boolean),
    pickupDateTo: [shipment.pickupDate].filter(Boolean),
    q: [shipment.shipmentCode, move.moveCode],
    deliveryDateFrom: [shipment.deliveryDate],
    deliveryDateTo: [shipment.deliveryDate],
    code: [deletions['move'].values.moveCode, deletions['shipment'].values.shipmentCode],
    resourceID: [deletions['move'].resourceID, deletions['shipment'].resourceID],
    deletedBy: [deletions['move'].deletedBy],
    deletedSince: [deletions['move'].deletedAt],
  };
}

/** Whether an item of a list is what each filter asks for. */
const FILTERS: Readonly<Record<string, (item: Json, values: readonly string[]) => boolean>> = {
  moveID: (item, [id]) => item.moveID === id,
  orderID: (item, [id]) => item.orderID === id,
  status: (item, statuses) => statuses.includes(item.status),
  shipmentType: (item, [type]) => item.shipmentType === type,
  pickupDateFrom: (item, [day = '']) => item.pickupDate >= day,
  pickupDateTo: (item, [day = '']) => item.pickupDate !== null && item.pickupDate <= day,
  deliveryDateFrom: (item, [day = '']) => item.deliveryDate >= day,
  deliveryDateTo: (item, [day = '']) => item.deliveryDate !== null && item.deliveryDate <= day,
  updatedSince: (item, [moment = '']) => Date.parse(item.updatedAt) >= Date.parse(moment),
  resource: (item, kinds) => kinds.includes(item.resource),
  resourceID: (item, [id]) => item.resourceID === id,
  code: (item, [code]) => [item.values.moveCode, item.values.shipmentCode].includes(code),
  deletedBy: (item, [name]) => item.deletedBy === name,
  deletedSince: (item, [moment = '']) => Date.parse(item.deletedAt) >= Date.parse(moment),
  expand: (item, names) => names.every((name) => item[name] !== undefined),
};

/** The field that a list is sorted by when no `sort` says another. */
function sortOf(pairs: Pairs): string {
  const names = pairs.map(([name]) => name);
  const byRange = names.includes('updatedSince') ? 'updatedAt' : '-createdAt';
  const sort = pairs.find(([name]) => name === 'sort')?.[1];
  const byDate = ['pickupDate', 'deliveryDate'].find((field) => names.some((name) => name.startsWith(field)));
  return sort ?? byDate ?? byRange;
}

/** Whether items are in the order asked for; what is created at the same moment has the order of its ids. */
function isSorted(items: readonly Json[], pairs: Pairs): boolean {
  const sort = sortOf(pairs);
  const field = sort.replace(/^-/, '');
  const keys = items.map((item) => (field === 'createdAt' ? item.id : `${item[field] ?? 'none'} ${item.id}`));
  const ascending = keys.toSorted();
  return isDeepStrictEqual(keys, sort.startsWith('-') ? ascending.reverse() : ascending);
}

/** Parameters that take several values. */
const LISTED = ['status', 'expand', 'resource'];

/** A list has the requested records and continues where the page before ended. */
export const lists = batches({
  name: 'lists',
  runs: 2,
  covers: ({ kind, operation, outcome }) => kind === 'query parameter' && outcome === 'accepted' && isList(operation),
  kinds: listings,
  holds: async (listing, target) => {
    const { operation, pairs } = listing;
    const { client, fixture } = target;
    if (pairs[0]?.[0] === 'excel') return isFile(listing, target);
    const place = placeOf(operation.path, fixture).path;
    const answer = await client.send({ method: 'GET', path: place + written(pairs) });
    client.expect('valid parameters are accepted', answer, answer.status === 200, 'refused');
    const items: Json[] = answer.body;
    // A moveCode stands for the id of its move; one that is made up is that of no move.
    const codes = new Map<string, string>([[fixture.move.moveCode, fixture.move.id]]);
    const asked = pairs.map(([name, value]) => [name, codes.get(value) ?? value] as const);
    const filters = Object.keys(FILTERS).filter((name) => asked.some(([given]) => given === name));
    const stranger = filters.find((name) => !items.every((item) => passes(item, name, asked)));
    client.expect('lists hold what was asked for', answer, stranger === undefined, `not all by ${stranger}`);
    const isOfChanges = ['/history', '/deletions'].some((end) => operation.path.endsWith(end));
    const isInOrder = isOfChanges || isSorted(items, pairs);
    client.expect('lists have the order asked for', answer, isInOrder, `not by ${sortOf(pairs)}`);
    const limit = Number(pairs.find(([name]) => name === 'limit')?.[1] ?? 50);
    client.expect('lists are no longer than asked for', answer, items.length <= limit, `${items.length} items`);
    if (asked.some(([name, value]) => name === 'count' && value === 'true')) {
      const [, counted, more] = /^(\d+)(\+?)$/.exec(answer.headers.get('Waybill-Count') ?? '') ?? [];
      const isWhole = answer.headers.get('Link') === null;
      const isRight = isWhole ? counted === String(items.length) && more === '' : Number(counted) >= items.length;
      client.expect('lists are counted', answer, isRight, `counted ${counted}${more}`);
    }
    const [, next] = /^<([^>]+)>; rel="next"$/.exec(answer.headers.get('Link') ?? '') ?? [];
    if (next !== undefined) {
      const isFull = items.length === limit;
      // A search may end a page early, and so may a list of deletions.
      const isSearch = operation.path === '/v1/deletions' || pairs.some(([name]) => name === 'q');
      client.expect(
        'lists go on when they are full',
        answer,
        isFull || isSearch,
        'there is more, but the page is not full',
      );
      const page = await client.send({ method: 'GET', path: next });
      const goesOn = page.status === 200 && !overlaps(items, page.body);
      client.expect('lists go on where they ended', page, goesOn, 'items again');
    } else if (operation.id === 'listShipments' && !pairs.some(([name]) => name === 'q')) {
      // The fixture stays as it is, so that a list which ends here has it, or its filters exclude it.
      const isAsked = filters.every((name) => name === 'expand' || passes(fixture.shipment, name, asked));
      const isFound = items.some(({ id }) => id === fixture.shipment.id);
      client.expect('lists leave nothing out', answer, isFound || !isAsked, `${fixture.shipment.id} is missing`);
    }
  },
});

function passes(item: Json, name: string, pairs: Pairs): boolean {
  const given = pairs.filter(([parameter]) => parameter === name).map(([, value]) => value);
  const values = LISTED.includes(name) ? given.flatMap((value) => value.split(',')) : given;
  return FILTERS[name]?.(item, values) === true;
}

function overlaps(one: readonly Json[], other: readonly Json[]): boolean {
  const known = new Set(one.map(keyOf));
  return other.some((item) => known.has(keyOf(item)));
}

/** Entries of history have no id: a record, what was done to it and the version it led to. */
function keyOf(item: Json): string {
  return item.id ?? `${item.resourceID} ${item.type} ${item.eTag}`;
}
