import { valueAt } from '../../history/changes.js';
import type { FieldError, Problem } from '../../problem/problem.js';
import { writtenBy, type ImportRow, type StoredProblem } from '../import-row.js';

export interface RowFault {
  /** The column with the fault; null for a fault of the whole row. */
  readonly column: string | null;
  readonly code: string;
  readonly message: string;
}

interface Conflict {
  readonly field: string;
  readonly conflicting: boolean;
  readonly changedBy?: string;
  readonly changedAt?: string;
}

/** The API representation of a row. */
export function shownRow(row: ImportRow): object {
  const { line, outcome, recordID, body, base, problem, current } = row;
  const written = [...writtenBy(body ?? {})];
  const changes = written.map(([field, to]) => ({ field, from: base?.[field] ?? null, to, ...theirsOf(row, field) }));
  const { code = null, detail = null } = problem ?? {};
  return {
    line,
    outcome,
    resourceID: recordID,
    merged: outcome !== 'refused' && current !== null,
    changes,
    code,
    detail,
    faults: problem === null ? [] : faultsOf(problem),
    ...(row.erased && { erased: true }),
  };
}

/** The conflicting changes by others in a field. */
function theirsOf({ problem, current }: ImportRow, name: string): object {
  const conflict = problem === null ? undefined : conflictsIn(problem).find(({ field }) => field === name);
  if (conflict === undefined || current === null) return {};
  const { changedBy, changedAt } = conflict;
  return { current: valueAt(current, name), changedBy, changedAt };
}

/** All faults of a row, each with its column. */
export function faultsOf({ code, detail, members }: StoredProblem): readonly RowFault[] {
  const { errors } = members as { errors?: readonly FieldError[] };
  if (errors !== undefined) {
    return errors.map((error) => ({ column: columnAt(error.pointer), code: error.code, message: error.message }));
  }
  const conflicts = conflictsIn({ members });
  if (conflicts.length === 0) return [{ column: COLUMN_OF[code] ?? null, code, message: detail }];
  return conflicts.map(({ field, changedBy, changedAt }) => {
    const who = changedBy === undefined ? '' : ` by ${changedBy} at ${String(changedAt)}`;
    return { column: columnAt(`/${field}`), code: 'CONFLICT', message: `was changed to another value${who}` };
  });
}

/** The fields that the row writes and to which others have assigned another value. */
export function conflictsIn({ members }: Pick<Problem, 'members'>): readonly Conflict[] {
  const { changes = [] } = members as { changes?: readonly Conflict[] };
  return changes.filter(({ conflicting }) => conflicting);
}

const COLUMN_OF: Readonly<Record<string, string>> = {
  NOT_FOUND: 'id',
  PRECONDITION_REQUIRED: 'eTag',
  PRECONDITION_FAILED: 'eTag',
};

/** Converts `/destinationAddress/city` to the column `destinationAddress.city`. */
export function columnAt(pointer: string): string | null {
  return pointer === '' ? null : pointer.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~');
}
