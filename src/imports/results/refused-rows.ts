import { conflictsIn, faultsOf } from '../dto/import-row.dto.js';
import type { ImportRow } from '../import-row.js';
import type { ImportRows } from '../import-rows.js';
import { writes } from '../row-values.js';

const PAGE = 100;

export async function* refusedRows(
  rows: ImportRows,
  importID: string,
): AsyncGenerator<readonly ImportRow[], void, undefined> {
  for (let after = 0; ;) {
    const batch = await rows.after(importID, { after, outcomes: ['refused'], limit: PAGE });
    // An erased row has nothing left to correct.
    if (batch.length > 0) yield batch.filter(({ erased }) => !erased);
    if (batch.length < PAGE) return;
    after = batch.at(-1)?.line ?? 0;
  }
}

/** The texts that a result file adds to a row. */
export function explanationOf({ problem }: Pick<ImportRow, 'problem'>) {
  const messages = faultsOf(problem).map(({ column, code, message }) => {
    return column === null || message === problem?.detail ? message : `${column} ${message} (${code})`;
  });
  const conflicts = conflictsIn(problem);
  const names = new Set(conflicts.flatMap(({ changedBy }) => changedBy ?? []));
  const times = conflicts.flatMap(({ changedAt }) => changedAt ?? []).sort();
  return { error: messages.join('; '), conflicts, changedBy: [...names].join(', '), changedAt: times.at(-1) ?? '' };
}

/**
 * Where a result file takes the value at a path from: as sent if the row changes it; from the row's version if the row changes another field
 * of the same address, because an address is one value; otherwise from the shipment when the row was refused. If the row's version is
 * unknown, so are its changes: the row is returned as sent, without a newer eTag, which would revert changes by others.
 */
export function sourceOf(
  { body, base, current }: Pick<ImportRow, 'body' | 'base' | 'current'>,
  names: readonly string[],
): 'sent' | 'base' | 'current' {
  if (body === null || base === null || current === null || writes(body, names)) return 'sent';
  const [part = ''] = names;
  return Object.hasOwn(body, part) && Object.hasOwn(base, names.join('/')) ? 'base' : 'current';
}
