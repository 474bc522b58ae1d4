import { Dialog } from './Dialog.js';
import { t } from '../texts/texts.js';
import controls from './controls.module.css';
import styles from './Shortcuts.module.css';

const shortcuts = (): readonly (readonly [string, string])[] => [
  ['t', t.shell.today],
  ['b', t.shell.board],
  ['l', t.shell.list],
  ['c', t.shell.calendar],
  ['i', t.shell.import],
  ['n', t.actions.create],
  ['/', t.shortcuts.search],
  ['← ↑ → ↓', t.shortcuts.walk],
  [t.shortcuts.keys.Enter, t.shortcuts.open],
  ['m', t.shortcuts.status],
  [t.shortcuts.keys.Space, t.shortcuts.hold],
  ['x', t.shortcuts.select],
  [t.shortcuts.keys['Shift + ↑ ↓'], t.shortcuts.extend],
  ['e', t.shortcuts.edit],
  [t.shortcuts.keys['Ctrl + Enter'], t.actions.save],
  [t.shortcuts.keys.Esc, t.shortcuts.esc],
  ['?', t.shortcuts.list],
];

export function Shortcuts({ onClose }: { readonly onClose: () => void }) {
  const foot = (
    <button type="button" className={controls.primary} onClick={onClose}>
      {t.actions.close}
    </button>
  );
  return (
    <Dialog title={t.shortcuts.title} onClose={onClose} foot={foot} isSmall>
      <dl className={styles.shortcuts}>
        {shortcuts().map(([keys, meaning]) => (
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
