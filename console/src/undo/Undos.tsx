import { useStore } from '../use-store.js';
import { UndoEdit } from './UndoEdit.js';
import { UndoBulkEdit } from './UndoBulkEdit.js';
import { UndoStatus } from './UndoStatus.js';
import { undoIsOver, undos } from './undo.js';

/** Does what the user asked to undo, wherever in the console, and shows the dialogs that it takes. */
export default function Undos() {
  return useStore(undos).map(({ key, undoable }) => {
    const onOver = () => undoIsOver(key);
    if (undoable.kind === 'edit') return <UndoEdit key={key} {...undoable} onOver={onOver} />;
    if (undoable.kind === 'status') return <UndoStatus key={key} {...undoable} onOver={onOver} />;
    return <UndoBulkEdit key={key} {...undoable} undoKey={key} onOver={onOver} />;
  });
}
