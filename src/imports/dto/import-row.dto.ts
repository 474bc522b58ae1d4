import { valueAt } from '../../history/changes.js';
import type { Problem } from '../../problem/problem.js';
import { writtenBy, type ImportRow, type StoredProblem } from '../import-row.js';

/** One thing that is wrong with a row. */
export interface RowFault {
  /** The column of the file that it is about; null when it is about the row as a whole. */
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

type FieldErrors = readonly { readonly pointer: string; readonly code: string; readonly message: string }[];

/** A row as the API shows it. */
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

/** What others have made of a field, where that is in the way of the row. */
function theirsOf({ problem, current }: ImportRow, name: string): object {
  const conflict = problem === null ? undefined : conflictsIn(problem).find(({ field }) => field === name);
  if (conflict === undefined || current === null) return {};
  const { changedBy, changedAt } = conflict;
  return { current: valueAt(current, name), changedBy, changedAt };
}

/** Everything that is wrong with a row, each with its column. */
export function faultsOf({ code, detail, members }: StoredProblem): readonly RowFault[] {
  const { errors } = members as { errors?: FieldErrors };
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

/** The fields that the row writes and to which others gave another value. */
export function conflictsIn({ members }: Pick<Problem, 'members'>): readonly Conflict[] {
  const { changes = [] } = members as { changes?: readonly Conflict[] };
  return changes.filter(({ conflicting }) => conflicting);
}

const COLUMN_OF: Readonly<Record<string, string>> = {
  NOT_FOUND: 'id',
  PRECONDITION_REQUIRED: 'eTag',
  PRECONDITION_FAILED: 'eTag',
};

/** `/destinationAddress/city` is the column `destinationAddress.city`. */
export function columnAt(pointer: string): string | null {
  return pointer === '' ? null : pointer.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~');
}
