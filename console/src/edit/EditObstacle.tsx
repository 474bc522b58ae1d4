import type { Kind } from '../model/fields.js';
import { EditConflict } from './EditConflict.js';
import { DeletedDialog, ForbiddenDialog, ForgottenDialog } from './Obstacles.js';
import type { RecordOf } from './records.js';
import type { Editing } from './use-edit.js';
import { t } from '../texts/texts.js';

interface EditObstacleProps {
  readonly kind: Kind;
  readonly record: RecordOf;
  readonly editing: Editing;
  /** Unless it is more than this record that is discarded, or saved again. */
  readonly onDiscard?: () => void;
  readonly onSave?: () => void;
  /** Where there is no form. */
  readonly closeLabel?: string;
}

/** The dialog for whatever blocks the save, if anything does. */
export function EditObstacle({
  kind,
  record,
  editing,
  closeLabel = t.conflict.backToForm,
  onDiscard,
  onSave,
}: EditObstacleProps) {
  const { obstacle, edits } = editing;
  const discard = onDiscard ?? editing.discard;
  if (obstacle === undefined) return null;
  if (obstacle.kind === 'deleted') {
    return <DeletedDialog kind={kind} record={record} edits={edits} onClose={editing.close} onDiscard={discard} />;
  }
  if (obstacle.kind === 'forbidden') {
    return <ForbiddenDialog detail={obstacle.detail} edits={edits} onClose={editing.close} />;
  }
  if (obstacle.kind === 'forgotten') {
    return (
      <ForgottenDialog
        kind={kind}
        record={record}
        attempt={obstacle.attempt}
        onClose={editing.close}
        onDiscard={discard}
        onAgain={() => {
          editing.forget();
          (onSave ?? (() => void editing.save()))();
        }}
      />
    );
  }
  return <EditConflict recordID={record.id} editing={editing} closeLabel={closeLabel} onClose={editing.close} />;
}
