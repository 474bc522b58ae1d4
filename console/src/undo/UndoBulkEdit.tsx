import BulkEditDialog from '../bulk-edit/BulkEditDialog.js';
import { NOTHING_DONE } from '../bulk-edit/bulk-edit.js';
import type { Undoable } from './undo.js';
import { useLeave } from './use-leave.js';

type UndoBulkEditProps = Extract<Undoable, { kind: 'many' }> & {
  readonly undoKey: string;
  readonly onOver: () => void;
};

/** Changes many shipments back in bulks. Those that somebody changed meanwhile are reported. */
export function UndoBulkEdit({ change, shipments, undoKey: key, onOver }: UndoBulkEditProps) {
  useLeave(true, onOver);
  return (
    <BulkEditDialog
      chosen={[]}
      kept={{ change, key, outcome: { ...NOTHING_DONE, left: shipments } }}
      isBegun
      onClose={onOver}
    />
  );
}
