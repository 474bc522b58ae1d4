import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { DryRun, Import, ImportRow, UploadOptions } from '@waybill/client';
import { client } from '../api.js';
import { IMPORTS_KEY, importKey } from '../queries.js';

/** Fallback: the event feed usually reports the progress of an import. */
const LOOK_AGAIN_MS = 2000;
const ROWS_AT_ONCE = 200;

export function importQuery(id: string) {
  return queryOptions({
    queryKey: importKey(id),
    queryFn: ({ signal }): Promise<Import> => client.imports.get(id, { signal }),
    refetchInterval: ({ state }) => (state.data?.state === 'applying' ? LOOK_AGAIN_MS : false),
  });
}

export function recentImportsQuery() {
  return queryOptions({
    queryKey: IMPORTS_KEY,
    queryFn: ({ signal }) => client.imports.list({ limit: 10, signal }).page(),
  });
}

/** Rows that need attention come first, unchanged ones last. */
const ALL: readonly (readonly ImportRow['outcome'][])[] = [
  ['refused'],
  ['change', 'changed'],
  ['create', 'created'],
  ['unchanged'],
];
const REFUSED: typeof ALL = [['refused']];

const WRITTEN: typeof ALL = [
  ['change', 'changed'],
  ['create', 'created'],
];

/** Which rows are shown: all, refused rows with conflicts, refused rows with errors, or written rows with warnings. */
export const SHOWN = ['all', 'conflicts', 'faults', 'warnings'] as const;
export type Shown = (typeof SHOWN)[number];

function isShown(row: ImportRow, shown: Shown): boolean {
  if (shown === 'warnings') return row.warnings.length > 0;
  return shown === 'all' || isConflict(row) === (shown === 'conflicts');
}

/** Whether others set a field of the row to a different value. */
export function isConflict({ changes }: ImportRow): boolean {
  return changes.some(isInTheWay);
}

export function isInTheWay(change: ImportRow['changes'][number]): boolean {
  return 'current' in change;
}

/** Start of a page: the index of an outcome group and a cursor within it. */
interface Place {
  readonly kind: number;
  readonly cursor?: string | undefined;
}

const BEGINNING: Place = { kind: 0 };

export function importRowsKey(id: string) {
  return ['import-rows', id] as const;
}

/** The rows of the dry run or, once the import is applied, their outcomes. */
export function importRowsQuery(id: string, isApplied: boolean, shown: Shown) {
  const order = { all: ALL, conflicts: REFUSED, faults: REFUSED, warnings: WRITTEN }[shown];
  return infiniteQueryOptions({
    queryKey: [...importRowsKey(id), isApplied, shown],
    initialPageParam: BEGINNING,
    // Reads until it finds a row: a page may contain none that match the filter.
    queryFn: async ({ pageParam, signal }) => {
      for (let place: Place = pageParam; ;) {
        const { kind, cursor } = place;
        const query = { outcome: [...(order[kind] ?? [])], limit: ROWS_AT_ONCE, signal };
        const { items, next } = await client.imports.rows(id, query).page(cursor);
        const found = items.filter((row) => isShown(row, shown));
        const isLast = next === undefined && kind === order.length - 1;
        place = next === undefined ? { kind: kind + 1 } : { kind, cursor: next };
        if (found.length > 0 || isLast) return { items: found, next: isLast ? undefined : place };
      }
    },
    getNextPageParam: ({ next }): Place | undefined => next,
    placeholderData: keepPreviousData,
  });
}

/** Cells of an import that can be read in several ways: those of the first page of refused rows that has some. */
export function ambiguousCellsQuery(id: string) {
  return queryOptions({
    queryKey: ['ambiguous-cells', id],
    queryFn: async ({ signal }): Promise<DryRun['ambiguousCells']> => {
      for (let cursor: string | undefined; ;) {
        const list = client.imports.rows(id, { outcome: ['refused'], limit: ROWS_AT_ONCE, signal });
        const { items, next } = await list.page(cursor);
        const cells = items.flatMap(({ line, faults }) =>
          faults.flatMap(({ column, cell, readings }) =>
            cell === undefined || readings === undefined ? [] : [{ line, column, cell, readings }],
          ),
        );
        if (cells.length > 0 || next === undefined) return fewOf(cells);
        cursor = next;
      }
    },
    staleTime: Infinity,
  });
}

/** The first two dates and the first two numbers. */
function fewOf(cells: DryRun['ambiguousCells']): DryRun['ambiguousCells'] {
  const dates = cells.filter(({ readings }) => readings.some((each) => each.dates !== undefined));
  const numbers = cells.filter((cell) => !dates.includes(cell));
  return [...dates.slice(0, 2), ...numbers.slice(0, 2)];
}

const JSON_LINES = /\.(jsonl|ndjson|json)$/i;

/** An upload, repeated under the same key if the response does not confirm it. */
export interface FileAttempt {
  readonly file: File;
  readonly notation: Pick<UploadOptions, 'dates' | 'decimal'>;
  readonly key: string;
  /** When it was first sent. */
  readonly at: number;
  /** Whether the outcome of the previous attempt is unknown. */
  readonly isOpen: boolean;
}

const MAX_NAME_LENGTH = 255;

/** The name of a file as the service takes it. */
function nameOf(file: File): string {
  return [...file.name.replace(/\p{C}/gu, ' ')].slice(0, MAX_NAME_LENGTH).join('').trim() || 'file';
}

/** Uploads a file for a dry run, compressed because uploads have a time limit. */
export async function sendFile({ file, notation, key }: FileAttempt): Promise<DryRun> {
  const gzipped = await new Response(file.stream().pipeThrough(new CompressionStream('gzip'))).blob();
  return client.imports.upload(gzipped, {
    format: JSON_LINES.test(file.name) ? 'jsonl' : 'csv',
    fileName: nameOf(file),
    headers: { 'Content-Encoding': 'gzip' },
    idempotencyKey: key,
    ...notation,
  });
}
