import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Import, ImportRow } from '@waybill/client';
import { client } from '../api.js';
import { importKey } from '../queries.js';

/** The feed tells when an import has come further. This is for when it does not come through. */
const LOOK_AGAIN_MS = 2000;
const ROWS_AT_ONCE = 200;

export function importQuery(id: string) {
  return queryOptions({
    queryKey: importKey(id),
    queryFn: ({ signal }): Promise<Import> => client.imports.get(id, { signal }),
    refetchInterval: ({ state }) => (state.data?.state === 'applying' ? LOOK_AGAIN_MS : false),
  });
}

/** What somebody has to look at comes first; what is passed over, last. */
const ORDER: readonly (readonly ImportRow['outcome'][])[] = [
  ['refused'],
  ['change', 'changed'],
  ['create', 'created'],
  ['unchanged'],
];

/** Where a page begins: at a row among those of one kind. */
interface Place {
  readonly kind: number;
  readonly cursor?: string;
}

const BEGINNING: Place = { kind: 0 };

/** The rows as they were planned, and once all are done, what became of them. */
export function importRowsQuery(id: string, isApplied: boolean) {
  return infiniteQueryOptions({
    queryKey: ['import-rows', id, isApplied],
    initialPageParam: BEGINNING,
    queryFn: async ({ pageParam, signal }) => {
      for (let { kind, cursor } = pageParam; ; kind += 1, cursor = undefined) {
        const query = { outcome: [...(ORDER[kind] ?? [])], limit: ROWS_AT_ONCE, signal };
        const { items, next } = await client.imports.rows(id, query).page(cursor);
        const isLast = kind === ORDER.length - 1;
        const after = next === undefined ? { kind: kind + 1 } : { kind, cursor: next };
        if (items.length > 0 || isLast) return { items, next: next === undefined && isLast ? undefined : after };
      }
    },
    getNextPageParam: ({ next }): Place | undefined => next,
    placeholderData: keepPreviousData,
  });
}

const JSON_LINES = /\.(jsonl|ndjson|json)$/i;

/** Sends a file to be looked through. It is compressed on the way, for a slow line has only so much time. */
export async function sendFile(file: File): Promise<Import> {
  const gzipped = await new Response(file.stream().pipeThrough(new CompressionStream('gzip'))).blob();
  return client.imports.upload(gzipped, {
    format: JSON_LINES.test(file.name) ? 'jsonl' : 'csv',
    headers: { 'Content-Encoding': 'gzip' },
  });
}
