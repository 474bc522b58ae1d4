import { useInfiniteQuery } from '@tanstack/react-query';
import type { Kind } from '../model/fields.js';
import { lastChange } from '../model/last-change.js';
import { historyQuery } from '../queries.js';
import { historyOf, isNew, type RecordOf } from './records.js';

/** The newest change of a field in the loaded part of the history. */
export function useLastChange(kind: Kind, record: RecordOf, field: string) {
  const { data } = useInfiniteQuery({ ...historyQuery(historyOf(kind, record)), enabled: !isNew(record) });
  return lastChange(data?.pages.flatMap(({ items }) => items) ?? [], record.id, field);
}
