import ManyDialog from '../many/ManyDialog.js';
import { NOTHING_DONE } from '../many/change-many.js';
import type { Undoable } from './undo.js';
import { useLeave } from './use-leave.js';

type UndoManyProps = Extract<Undoable, { kind: 'many' }> & { readonly undoKey: string; readonly onOver: () => void };

/** Changes many shipments back in bulks. Those that somebody changed meanwhile are reported. */
export function UndoMany({ change, shipments, undoKey: key, onOver }: UndoManyProps) {
  useLeave(true, onOver);
  return (
    <ManyDialog
      chosen={[]}
      kept={{ change, key, outcome: { ...NOTHING_DONE, left: shipments } }}
      isBegun
      onClose={onOver}
    />
  );
}
