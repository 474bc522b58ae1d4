import { Dialog } from './Dialog.js';

const SHORTCUTS: readonly (readonly [string, string])[] = [
  ['b', 'Board'],
  ['l', 'List'],
  ['i', 'Import'],
  ['/', 'Search'],
  ['← ↑ → ↓', 'Go from card to card on the board, from row to row in the list'],
  ['Enter', 'Open the card or row'],
  ['m', 'Move the card, or the open shipment, to another status'],
  ['x', 'Select the row'],
  ['Shift + ↑ ↓', 'Select rows on the way'],
  ['e', 'Edit the open record'],
  ['Ctrl + Enter', 'Save'],
  ['Esc', 'Leave a form or a dialog; what you typed is kept'],
  ['?', 'This list'],
];

export function Shortcuts({ onClose }: { readonly onClose: () => void }) {
  const foot = (
    <button type="button" className="primary" onClick={onClose}>
      Close
    </button>
  );
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose} foot={foot} className="small">
      <dl className="shortcuts">
        {SHORTCUTS.map(([keys, meaning]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
