import { keepPreviousData, QueryClient, queryOptions, infiniteQueryOptions } from '@tanstack/react-query';
import type { Count, Move, Overview, Page, Shipment, ShipmentQuery, ShipmentStatus } from '@waybill/client';
import { client } from './api.js';
import { arrivals } from './live/arrivals.js';
import { live } from './live/live.js';
import { RecordCache } from './live/record-cache.js';
import type { Copy, Resource } from './model/held-records.js';
import { searchBehind, type RowPage } from './model/rows.js';
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

const RETRY_MS = 5000;

function read(resource: Resource, id: string): Promise<Copy> {
  if (resource === 'shipment') return client.shipments.get(id);
  if (resource === 'move') return client.moves.get(id);
  return resource === 'agent' ? client.agents.get(id) : client.services.get(id);
}

/** The records in `queryClient`. Nothing else may write them there. */
export const cache = new RecordCache(queryClient, { read, later: (call) => setTimeout(call, RETRY_MS) });

export function withMove(): { expand?: ['move'] } {
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
    refetchInterval: ({ state }) => untilIndexed(state.data?.pages),
  });
}

/** Reads a search again while it lacks the newest changes. */
function untilIndexed(pages: readonly Page<unknown>[] | undefined): number | false {
  return searchBehind(pages) === undefined ? false : 5000;
}

/** How many shipments a list has on all pages together. Null if the service cannot count them. */
export function countQuery(query: ShipmentQuery) {
  return queryOptions({
    queryKey: ['count', query],
    queryFn: async ({ signal }): Promise<Count | null> => {
      await live.started;
      const { count } = await client.shipments.list({ ...query, limit: 1, count: true, signal }).page();
      return count ?? null;
    },
  });
}

/** The same for the moves that have some words. */
export function countOfMovesQuery(words: string) {
  return queryOptions({
    queryKey: ['count-of-moves', words],
    queryFn: async ({ signal }): Promise<Count | null> => {
      await live.started;
      const query = { ...(words !== '' && { q: words }), limit: 1, count: true };
      const { count } = await client.moves.list({ ...query, signal }).page();
      return count ?? null;
    },
  });
}

export interface OverviewDays {
  readonly today: string;
  /** The first and the last day that is counted; by default the next two weeks. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** The numbers of shipments by status and day. */
export function overviewQuery({ today, from, to }: OverviewDays) {
  const days = { today, ...(from !== undefined && to !== undefined && { from, to }) };
  return queryOptions({
    queryKey: ['overview', days],
    queryFn: async ({ signal }): Promise<Overview> => {
      await live.started;
      return client.overview({ ...days, signal });
    },
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
    refetchInterval: ({ state }) => untilIndexed(state.data?.pages),
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

export const IMPORTS_KEY = ['imports'] as const;

export function importKey(id: string): readonly [string, string] {
  return ['import', id];
}
