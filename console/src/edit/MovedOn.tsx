import { authorOf } from '../author.js';
import type { Kind, Value } from '../model/fields.js';
import { formatCode } from '../model/format.js';
import { Ago } from '../components/Moment.js';
import type { RecordOf } from './records.js';
import { useLastChange } from './use-last-change.js';
import { classes } from '../components/classes.js';
import { t } from '../texts/texts.js';
import { Rich } from '../texts/Rich.js';
import page from '../components/page.module.css';

interface MovedOnProps {
  readonly kind: Kind;
  readonly record: RecordOf;
  /** The status when the user started editing. */
  readonly before: Value | undefined;
  readonly hasEdits: boolean;
}

/** The status is not part of the form, but a change of it may affect the edits. */
export function MovedOn({ kind, record, before, hasEdits }: MovedOnProps) {
  const last = useLastChange(kind, record, 'status');
  if (!('status' in record) || before == null || record.status === before) return null;
  return (
    <p className={classes(page.banner, page.warning)} role="status">
      <Rich>
        {t.edit.statusChanged(
          authorOf(record.id, last?.changedBy, last?.changedAt),
          formatCode(String(before)),
          formatCode(record.status),
        )}
      </Rich>
      {last === undefined ? null : (
        <>
          , <Ago at={last.changedAt} />
        </>
      )}
      .{hasEdits ? t.edit.confirmLater : ''}
    </p>
  );
}
