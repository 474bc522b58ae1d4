import type { Kind } from '../model/fields.js';
import { EditConflict } from './EditConflict.js';
import { DeletedDialog, ForbiddenDialog } from './Obstacles.js';
import type { RecordOf } from './records.js';
import type { Editing } from './use-edit.js';
import { t } from '../texts/texts.js';

interface EditObstacleProps {
  readonly kind: Kind;
  readonly record: RecordOf;
  readonly editing: Editing;
}

/** The dialog for whatever blocks the save, if anything does. */
export function EditObstacle({ kind, record, editing }: EditObstacleProps) {
  const { obstacle, edits } = editing;
  if (obstacle === undefined) return null;
  if (obstacle.kind === 'deleted') {
    return (
      <DeletedDialog kind={kind} record={record} edits={edits} onClose={editing.close} onDiscard={editing.discard} />
    );
  }
  if (obstacle.kind === 'forbidden') {
    return <ForbiddenDialog detail={obstacle.detail} edits={edits} onClose={editing.close} />;
  }
  return (
    <EditConflict recordID={record.id} editing={editing} closeLabel={t.conflict.backToForm} onClose={editing.close} />
  );
}
