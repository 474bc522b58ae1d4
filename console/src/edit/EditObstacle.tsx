import type { Kind } from '../model/fields.js';
import { ConflictDialog } from './ConflictDialog.js';
import { DeletedDialog, ForbiddenDialog } from './Obstacles.js';
import type { RecordOf } from './records.js';
import type { Editing } from './use-edit.js';

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
    <ConflictDialog
      key={obstacle.merge.current.eTag}
      recordID={record.id}
      conflict={obstacle}
      edits={edits}
      decisions={editing.decisions}
      closeLabel="Back to the form"
      onDecide={editing.decide}
      onSave={() => void editing.settle()}
      onClose={editing.close}
    />
  );
}
