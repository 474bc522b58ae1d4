import { X } from 'lucide-react';
import { useEffect } from 'react';
import { useStore } from '../use-store.js';
import { notice } from './notice.js';
import { classes } from './classes.js';
import { t } from '../texts/texts.js';
import controls from './controls.module.css';
import styles from './Announcements.module.css';

const SHOWN_MS = 8_000;
/** Leaves time to reach the button by keyboard. */
const SHOWN_WITH_ACTION_MS = 20_000;

export function Announcements() {
  const shown = useStore(notice);
  useEffect(() => {
    if (shown === undefined || shown.isFault === true) return undefined;
    const ms = shown.action === undefined ? SHOWN_MS : SHOWN_WITH_ACTION_MS;
    const timer = setTimeout(() => notice.set(undefined), ms);
    return () => clearTimeout(timer);
  }, [shown]);
  return (
    <div className={styles.announcements} role="status" aria-live="polite">
      {shown === undefined ? null : (
        <p className={classes(styles.notice, shown.isFault === true && styles.fault)}>
          {shown.text}
          {shown.action === undefined ? null : (
            <button
              type="button"
              className={controls.quiet}
              onClick={() => {
                notice.set(undefined);
                shown.action?.act();
              }}
            >
              {shown.action.label}
            </button>
          )}
          <button
            type="button"
            className={controls.quiet}
            aria-label={t.shell.dismiss}
            onClick={() => notice.set(undefined)}
          >
            <X />
          </button>
        </p>
      )}
    </div>
  );
}
