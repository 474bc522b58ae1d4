import { authorOf } from '../author.js';
import type { Kind, Value } from '../model/fields.js';
import { formatCode } from '../model/format.js';
import { Ago } from '../parts/Moment.js';
import type { RecordOf } from './records.js';
import { useLastChange } from './use-last-change.js';

interface MovedOnProps {
  readonly kind: Kind;
  readonly record: RecordOf;
  /** The status when the edits were begun. */
  readonly before: Value | undefined;
  readonly hasEdits: boolean;
}

/** The status is no field of the form, but a reason to think again about what is typed there. */
export function MovedOn({ kind, record, before, hasEdits }: MovedOnProps) {
  const last = useLastChange(kind, record, 'status');
  if (!('status' in record) || before == null || record.status === before) return null;
  return (
    <p className="banner warning" role="status">
      {authorOf(record.id, last?.changedBy, last?.changedAt)} moved it from {formatCode(String(before))} to{' '}
      {formatCode(record.status)}
      {last === undefined ? null : (
        <>
          , <Ago at={last.changedAt} />
        </>
      )}
      .{hasEdits ? ' You are asked about it when you save.' : ''}
    </p>
  );
}
