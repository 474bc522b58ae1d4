import { ConflictDialog } from './ConflictDialog.js';
import type { Editing } from './use-edit.js';

interface EditConflictProps {
  readonly recordID: string;
  readonly editing: Editing;
  readonly closeLabel: string;
  readonly onClose: () => void;
}

/** The conflict of an edit, if it has one. */
export function EditConflict({ recordID, editing, closeLabel, onClose }: EditConflictProps) {
  const { obstacle, edits, decisions, decide, settle } = editing;
  if (obstacle?.kind !== 'conflict') return null;
  return (
    <ConflictDialog
      key={obstacle.merge.current.eTag}
      recordID={recordID}
      conflict={obstacle}
      edits={edits}
      decisions={decisions}
      closeLabel={closeLabel}
      onDecide={decide}
      onSave={() => void settle()}
      onClose={onClose}
    />
  );
}
