import { Dialog } from './Dialog.js';
import controls from './controls.module.css';
import styles from './Shortcuts.module.css';

const SHORTCUTS: readonly (readonly [string, string])[] = [
  ['t', 'Today'],
  ['b', 'Board'],
  ['l', 'List'],
  ['c', 'Calendar'],
  ['i', 'Import'],
  ['n', 'New shipment'],
  ['/', 'Search'],
  ['← ↑ → ↓', 'Go to the next card or row'],
  ['Enter', 'Open the card or row'],
  ['m', 'Change the status of the card or the open shipment'],
  ['Space', 'In the calendar, pick up a shipment, and drop it on another day'],
  ['x', 'Select the row'],
  ['Shift + ↑ ↓', 'Extend the selection'],
  ['e', 'Edit the open record'],
  ['Ctrl + Enter', 'Save'],
  ['Esc', 'Close a form or dialog; your changes are kept'],
  ['?', 'Show this list'],
];

export function Shortcuts({ onClose }: { readonly onClose: () => void }) {
  const foot = (
    <button type="button" className={controls.primary} onClick={onClose}>
      Close
    </button>
  );
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose} foot={foot} isSmall>
      <dl className={styles.shortcuts}>
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
