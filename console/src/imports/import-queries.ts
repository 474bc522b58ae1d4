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
const ALL: readonly (readonly ImportRow['outcome'][])[] = [
  ['refused'],
  ['change', 'changed'],
  ['create', 'created'],
  ['unchanged'],
];
const REFUSED: typeof ALL = [['refused']];

/** Which rows are shown: all of them, or of the refused ones those that others are in the way of, or those that are wrong. */
export const SHOWN = ['all', 'conflicts', 'faults'] as const;
export type Shown = (typeof SHOWN)[number];

/** Whether others gave a field of the row another value. */
export function isConflict({ changes }: ImportRow): boolean {
  return changes.some(isInTheWay);
}

export function isInTheWay(change: ImportRow['changes'][number]): boolean {
  return 'current' in change;
}

/** Where a page begins: at a row among those of one kind. */
interface Place {
  readonly kind: number;
  readonly cursor?: string | undefined;
}

const BEGINNING: Place = { kind: 0 };

/** The rows as they were planned, and once all are done, what became of them. */
export function importRowsQuery(id: string, isApplied: boolean, shown: Shown) {
  const order = shown === 'all' ? ALL : REFUSED;
  const isShown = (row: ImportRow) => shown === 'all' || isConflict(row) === (shown === 'conflicts');
  return infiniteQueryOptions({
    queryKey: ['import-rows', id, isApplied, shown],
    initialPageParam: BEGINNING,
    // Goes on until it has found something: a page of refused rows may have none of those that are shown.
    queryFn: async ({ pageParam, signal }) => {
      for (let place: Place = pageParam; ;) {
        const { kind, cursor } = place;
        const query = { outcome: [...(order[kind] ?? [])], limit: ROWS_AT_ONCE, signal };
        const { items, next } = await client.imports.rows(id, query).page(cursor);
        const found = items.filter(isShown);
        const isLast = next === undefined && kind === order.length - 1;
        place = next === undefined ? { kind: kind + 1 } : { kind, cursor: next };
        if (found.length > 0 || isLast) return { items: found, next: isLast ? undefined : place };
      }
    },
    getNextPageParam: ({ next }): Place | undefined => next,
    placeholderData: keepPreviousData,
  });
}

const JSON_LINES = /\.(jsonl|ndjson|json)$/i;

/** A file as it is sent, and sent again when the answer does not say whether it arrived. */
export interface FileAttempt {
  readonly file: File;
  readonly key: string;
  /** Whether the answer before left open if it arrived. */
  readonly isOpen: boolean;
}

/** Sends a file to be looked through. It is compressed on the way, for a slow line has only so much time. */
export async function sendFile({ file, key }: FileAttempt): Promise<Import> {
  const gzipped = await new Response(file.stream().pipeThrough(new CompressionStream('gzip'))).blob();
  return client.imports.upload(gzipped, {
    format: JSON_LINES.test(file.name) ? 'jsonl' : 'csv',
    headers: { 'Content-Encoding': 'gzip' },
    idempotencyKey: key,
  });
}
