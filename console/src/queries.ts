import {
  hashKey,
  keepPreviousData,
  QueryClient,
  queryOptions,
  infiniteQueryOptions,
  type InfiniteData,
} from '@tanstack/react-query';
import {
  isProblem,
  type Event,
  type Move,
  type Page,
  type Shipment,
  type ShipmentQuery,
  type ShipmentStatus,
} from '@waybill/client';
import { client } from './api.js';
import { afterEvent } from './live/apply.js';
import { arrivals } from './live/arrivals.js';
import { live } from './live/live.js';
import { isFinal } from './model/status.js';
import { session } from './session/session.js';

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // The event feed keeps the data up to date.
      staleTime: Infinity,
      gcTime: 600_000,
      retry: false,
      refetchOnWindowFocus: false,
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});

/** A shipment in a list. A deleted one stays in place, marked. */
export type Row = Shipment & { readonly isDeleted?: true };
/** A page of a list that contains all arrivals up to `readAfter`. */
interface RowPage extends Page<Row> {
  readonly readAfter: number;
}
export type Rows = InfiniteData<RowPage, string | undefined>;

function withMove(): { expand?: ['move'] } {
  return session.can('moves:read') ? { expand: ['move'] } : {};
}

export function shipmentsQuery(query: ShipmentQuery) {
  return infiniteQueryOptions({
    queryKey: ['shipments', query],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }): Promise<RowPage> => {
      await live.started;
      const readAfter = arrivals.count;
      const expanded = query.q === undefined ? withMove() : { expand: ['move', 'agents', 'services'] as const };
      const page = await client.shipments.list({ ...query, ...expanded, signal }).page(pageParam);
      return { ...page, readAfter };
    },
    getNextPageParam: ({ next }) => next,
  });
}

export function columnQuery(status: ShipmentStatus) {
  // The most urgent shipments first; of finished ones, the latest. The limit is about twice the height of a tall screen.
  return shipmentsQuery({ status: [status], sort: isFinal(status) ? '-updatedAt' : 'deliveryDate', limit: 20 });
}

export function shipmentQuery(id: string) {
  return queryOptions({
    queryKey: ['shipment', id],
    queryFn: async ({ signal }): Promise<Shipment> => {
      await live.started;
      const expand = [
        ...(session.can('moves:read') ? (['move'] as const) : []),
        'agents' as const,
        'services' as const,
      ];
      return client.shipments.get(id, { expand, signal });
    },
  });
}

/** An earlier version. It never changes, but can be erased. */
export function formerShipmentQuery(id: string, version: string) {
  return queryOptions({
    queryKey: ['version', id, version],
    queryFn: ({ signal }): Promise<Shipment> => client.shipments.get(id, { version, signal }),
  });
}

export function formerMoveQuery(id: string, version: string) {
  return queryOptions({
    queryKey: ['version', id, version],
    queryFn: ({ signal }): Promise<Move> => client.moves.get(id, { version, signal }),
  });
}

export function moveQuery(id: string) {
  return queryOptions({
    queryKey: ['move', id],
    queryFn: async ({ signal }): Promise<Move> => {
      await live.started;
      const expand = session.can('shipments:read') ? (['shipments'] as const) : [];
      return client.moves.get(id, { expand, signal });
    },
  });
}

export function movesQuery(words: string) {
  return infiniteQueryOptions({
    queryKey: ['moves', words],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      await live.started;
      return client.moves.list({ ...(words !== '' && { q: words }), limit: 100, signal }).page(pageParam);
    },
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  });
}

/** The newest moves, or the newest that contain these words. */
export function foundMovesQuery(words: string) {
  return queryOptions({
    queryKey: ['found-moves', words],
    queryFn: ({ signal }) =>
      client.moves.list({ ...(words !== '' && { q: words }), limit: words === '' ? 5 : 8, signal }).page(),
    staleTime: 5_000,
    placeholderData: keepPreviousData,
  });
}

/** The record that a history belongs to. */
export interface HistoryOf {
  readonly kind: 'shipment' | 'move';
  readonly id: string;
}

export function historyQuery({ kind, id }: HistoryOf) {
  return infiniteQueryOptions({
    queryKey: ['history', kind, id],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      await live.started;
      const records = kind === 'shipment' ? client.shipments : client.moves;
      return records.history(id, { limit: 30, signal }).page(pageParam);
    },
    getNextPageParam: ({ next }) => next,
  });
}

export function importKey(id: string): readonly [string, string] {
  return ['import', id];
}

/** Applies events to all cached data. */
export function follow(events: readonly Event[]): void {
  const byShipment = new Map<string, Event[]>();
  for (const event of events) {
    const { resource, resourceID, shipmentID, moveID } = event.data;
    if (event.type.endsWith('.erased')) queryClient.removeQueries({ queryKey: ['version', resourceID] });
    if (resource === 'move') void queryClient.invalidateQueries({ queryKey: ['moves'] });
    if (resource === 'import') void queryClient.invalidateQueries({ queryKey: importKey(resourceID) });
    if (resource === 'shipment') byShipment.set(resourceID, [...(byShipment.get(resourceID) ?? []), event]);
    else if (shipmentID !== null) void queryClient.invalidateQueries({ queryKey: ['shipment', shipmentID] });
    if (shipmentID !== null) void queryClient.invalidateQueries({ queryKey: ['history', 'shipment', shipmentID] });
    if (moveID !== null) {
      void queryClient.invalidateQueries({ queryKey: ['history', 'move', moveID] });
      void queryClient.invalidateQueries({ queryKey: ['move', moveID] });
    }
  }
  if (byShipment.size === 0) return;
  for (const [id, own] of byShipment) {
    const { queryKey } = shipmentQuery(id);
    const known = queryClient.getQueryData(queryKey);
    if (known === undefined) continue;
    const next = afterEvents(known, own);
    if (next === undefined) void queryClient.invalidateQueries({ queryKey });
    else queryClient.setQueryData(queryKey, next);
  }
  queryClient.setQueriesData<Rows>({ queryKey: ['shipments'] }, (rows) => rows && followedRows(rows, byShipment));
}

function afterEvents<R extends Shipment>(record: R, events: readonly Event[]): R | undefined {
  let next: R | undefined = record;
  for (const event of events) next = next && afterEvent(next, event);
  return next;
}

/** Updates rows in place, so that nothing moves while the user reads. */
function followedRows(rows: Rows, events: ReadonlyMap<string, readonly Event[]>): Rows {
  const isOn = (page: Page<Row>) => page.items.some(({ id }) => events.has(id));
  if (!rows.pages.some(isOn)) return rows;
  const followed = (page: Page<Row>) => page.items.map((row) => followedRow(row, events.get(row.id) ?? []));
  return { ...rows, pages: rows.pages.map((page) => (isOn(page) ? { ...page, items: followed(page) } : page)) };
}

function followedRow(row: Row, events: readonly Event[]): Row {
  if (events.some(({ type }) => type === 'shipment.deleted')) return { ...row, isDeleted: true };
  const next = afterEvents(row, events);
  if (next === undefined) void reread(row.id);
  return next ?? row;
}

async function reread(id: string): Promise<void> {
  try {
    placeShipment(await client.shipments.get(id, withMove()));
  } catch (error) {
    if (!isProblem(error, 'NOT_FOUND')) throw error;
  }
}

/** Replaces older versions in the cache with one that was just read or written. */
export function placeShipment(shipment: Shipment): void {
  placeShipments([shipment]);
}

/** Shows a shipment that the user created on top of its column. Other lists are read again when they are shown. */
export function placeNewShipment(shipment: Shipment): void {
  const { queryKey } = columnQuery(shipment.status);
  void queryClient.invalidateQueries({
    queryKey: ['shipments'],
    refetchType: 'none',
    predicate: (query) => query.queryHash !== hashKey(queryKey),
  });
  void queryClient.invalidateQueries({ queryKey: moveQuery(shipment.moveID).queryKey });
  queryClient.setQueryData<Rows>(queryKey, (rows) => rows && onTop(rows, shipment));
}

/** Removes a shipment that the user deleted from all lists. */
export function withoutShipment(id: string): void {
  queryClient.setQueriesData<Rows>({ queryKey: ['shipments'] }, (rows) => rows && withoutRow(rows, id));
}

export function withoutRow(rows: Rows, id: string): Rows {
  const pages = rows.pages.map((page) => ({ ...page, items: page.items.filter((row) => row.id !== id) }));
  return { ...rows, pages };
}

/** A list with this row first. */
export function onTop(rows: Rows, row: Row): Rows {
  const [first, ...others] = withoutRow(rows, row.id).pages;
  if (first === undefined) return rows;
  return { ...rows, pages: [{ ...first, items: [row, ...first.items] }, ...others] };
}

export function placeShipments(shipments: readonly Shipment[]): void {
  const newer = new Map(shipments.map((shipment) => [shipment.id, shipment]));
  const placed = <R extends Shipment>(old: R): R => {
    const next = newer.get(old.id);
    return next !== undefined && old.updatedAt < next.updatedAt ? { ...old, ...next } : old;
  };
  for (const id of newer.keys()) queryClient.setQueryData(shipmentQuery(id).queryKey, (old) => old && placed(old));
  queryClient.setQueriesData<Rows>({ queryKey: ['shipments'] }, (rows) => {
    if (!rows?.pages.some(({ items }) => items.some(({ id }) => newer.has(id)))) return rows;
    return { ...rows, pages: rows.pages.map((page) => ({ ...page, items: page.items.map(placed) })) };
  });
}
