import { useInfiniteQuery } from '@tanstack/react-query';
import type { Kind } from '../model/fields.js';
import { historyQuery } from '../queries.js';
import { historyOf, isNew, type RecordOf } from './records.js';

/** The newest change of a field in the loaded part of the history. */
export function useLastChange(kind: Kind, record: RecordOf, field: string) {
  const { data } = useInfiniteQuery({ ...historyQuery(historyOf(kind, record)), enabled: !isNew(record) });
  for (const { resourceID, changes, changedBy, changedAt } of data?.pages.flatMap(({ items }) => items) ?? []) {
    const change = resourceID === record.id ? changes.find((each) => each.field === field) : undefined;
    if (change !== undefined) return { ...change, changedBy, changedAt };
  }
  return undefined;
}
