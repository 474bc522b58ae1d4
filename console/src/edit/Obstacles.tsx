import { Link } from 'wouter';
import { WasDeleted } from '../deleted/WasDeleted.js';
import type { Kind } from '../model/fields.js';
import type { Attempt } from '../model/draft.js';
import type { Edits } from '../model/merge.js';
import { Dialog } from '../components/Dialog.js';
import { Ago } from '../components/Moment.js';
import { CopyMyValues, MyValues } from './MyValues.js';
import { historyOf, isNewChild, type RecordOf } from './records.js';
import { t } from '../texts/texts.js';
import { Rich } from '../texts/Rich.js';
import controls from '../components/controls.module.css';

interface KeepDraftProps {
  readonly edits: Edits;
  readonly onClose: () => void;
  readonly isMain?: boolean;
}

function KeepDraft({ edits, onClose, isMain = true }: KeepDraftProps) {
  return (
    <>
      <CopyMyValues edits={edits} />
      <button type="button" className={isMain ? controls.primary : undefined} onClick={onClose}>
        {t.conflict.keep}
      </button>
    </>
  );
}

interface DeletedDialogProps {
  readonly kind: Kind;
  readonly record: RecordOf;
  readonly edits: Edits;
  readonly onClose: () => void;
  readonly onDiscard: () => void;
}

export function DeletedDialog({ kind, record, edits, onClose, onDiscard }: DeletedDialogProps) {
  const deleted = isNewChild(record) ? { kind: 'shipment' as const, id: record.shipmentID } : { kind, id: record.id };
  return (
    <WasDeleted
      {...deleted}
      history={historyOf(kind, record)}
      onClose={onClose}
      foot={(isRestorable) => (
        <>
          <button type="button" onClick={onDiscard}>
            {t.conflict.discard}
          </button>
          <KeepDraft edits={edits} onClose={onClose} isMain={!isRestorable} />
        </>
      )}
    >
      {(isRestorable) => (
        <>
          <p>
            {t.conflict.draftKept}
            {isRestorable ? t.conflict.canRestore : null}
            {t.conflict.entered}
          </p>
          <MyValues edits={edits} />
        </>
      )}
    </WasDeleted>
  );
}

interface ForbiddenDialogProps {
  readonly detail: string;
  readonly edits: Edits;
  readonly onClose: () => void;
}

export function ForbiddenDialog({ detail, edits, onClose }: ForbiddenDialogProps) {
  const foot = <KeepDraft edits={edits} onClose={onClose} />;
  return (
    <Dialog title={t.conflict.forbidden} isSmall onClose={onClose} foot={foot}>
      <p>{t.conflict.forbiddenText(detail)}</p>
      <MyValues edits={edits} />
    </Dialog>
  );
}

interface ForgottenDialogProps {
  readonly kind: Kind;
  readonly record: RecordOf;
  readonly attempt: Attempt;
  readonly onClose: () => void;
  readonly onDiscard: () => void;
  readonly onAgain: () => void;
}

/** A creation whose outcome the service can no longer tell. Only the user can: the dialog says where to look. */
export function ForgottenDialog({ kind, record, attempt, onClose, onDiscard, onAgain }: ForgottenDialogProps) {
  const { at } = attempt;
  const foot = (
    <>
      <button type="button" onClick={onDiscard}>
        {t.conflict.discard}
      </button>
      <button type="button" onClick={onAgain}>
        {t.conflict.createAgain}
      </button>
      <button type="button" className={controls.primary} onClick={onClose}>
        {t.conflict.keep}
      </button>
    </>
  );
  return (
    <Dialog title={t.conflict.mayExist[kind]} isSmall onClose={onClose} foot={foot}>
      <p>
        {at === undefined ? (
          t.conflict.attempted
        ) : (
          <Rich>{t.conflict.attemptedAt(<Ago at={new Date(at).toISOString()} />)}</Rich>
        )}{' '}
        {t.conflict.forgotten}{' '}
        <Rich>{t.conflict.lookFirst(<WhereToLook kind={kind} record={record} attempt={attempt} />)}</Rich>
      </p>
    </Dialog>
  );
}

/** The view in which a record would be, if the attempt created it. */
function WhereToLook({ kind, record, attempt }: Pick<ForgottenDialogProps, 'kind' | 'record' | 'attempt'>) {
  const { moveID, shipmentType } = JSON.parse(attempt.body) as { moveID?: string | null; shipmentType?: string };
  if (isNewChild(record)) return <Link href={`/shipments/${record.shipmentID}`}>{t.conflict.look.part}</Link>;
  if (kind === 'move') return <Link href="/moves">{t.conflict.look.moves}</Link>;
  if (moveID != null) return <Link href={`/moves/${moveID}`}>{t.conflict.look.move}</Link>;
  const query = new URLSearchParams({ shipmentType: shipmentType ?? '' });
  return <Link href={`/list?${query.toString()}`}>{t.conflict.look.list}</Link>;
}
