import { X } from 'lucide-react';
import { useEffect } from 'react';
import { useStore } from '../use-store.js';
import { dismiss, notices, type Notice } from './notice.js';
import { classes } from './classes.js';
import { t } from '../texts/texts.js';
import controls from './controls.module.css';
import styles from './Announcements.module.css';

const SHOWN_MS = 8_000;
/** Leaves time to reach the button by keyboard. */
const SHOWN_WITH_ACTION_MS = 20_000;

export function Announcements() {
  const shown = useStore(notices);
  return (
    <div className={styles.announcements} role="status" aria-live="polite">
      {shown.map((notice, index) => (
        <Announcement key={index} notice={notice} />
      ))}
    </div>
  );
}

function Announcement({ notice }: { readonly notice: Notice }) {
  const { text, isFault, action } = notice;
  useEffect(() => {
    if (isFault === true) return undefined;
    const timer = setTimeout(() => dismiss(notice), action === undefined ? SHOWN_MS : SHOWN_WITH_ACTION_MS);
    return () => clearTimeout(timer);
  }, [notice, isFault, action]);
  return (
    <p className={classes(styles.notice, isFault === true && styles.fault)}>
      {text}
      {action === undefined ? null : (
        <button
          type="button"
          className={controls.quiet}
          onClick={() => {
            dismiss(notice);
            action.act();
          }}
        >
          {action.label}
        </button>
      )}
      <button type="button" className={controls.quiet} aria-label={t.shell.dismiss} onClick={() => dismiss(notice)}>
        <X />
      </button>
    </p>
  );
}
