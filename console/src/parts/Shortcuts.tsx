import { Dialog } from './Dialog.js';

const SHORTCUTS: readonly (readonly [string, string])[] = [
  ['t', 'Today'],
  ['b', 'Board'],
  ['l', 'List'],
  ['c', 'Calendar'],
  ['i', 'Import'],
  ['/', 'Search'],
  ['← ↑ → ↓', 'Move between cards or rows'],
  ['Enter', 'Open the card or row'],
  ['Space', 'In the calendar, pick up a shipment, and drop it on another day'],
  ['m', 'Move the card, or the open shipment, to another status'],
  ['x', 'Select the row'],
  ['Shift + ↑ ↓', 'Extend the selection'],
  ['e', 'Edit the open record'],
  ['Ctrl + Enter', 'Save'],
  ['Esc', 'Close a form or dialog; your changes are kept'],
  ['?', 'Show this list'],
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
