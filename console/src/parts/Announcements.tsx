import { X } from 'lucide-react';
import { lazy, Suspense, useEffect } from 'react';
import { followLastDeletion, lastDeletion } from '../deleted/last-deletion.js';
import { session } from '../session/session.js';
import { useStore } from '../use-store.js';
import { dismiss, notices, type Notice } from './notice.js';
import { classes } from './classes.js';
import { t } from '../texts/texts.js';
import controls from './controls.module.css';
import styles from './Announcements.module.css';

const SHOWN_MS = 8_000;
/** Leaves time to reach the button by keyboard. */
const SHOWN_WITH_ACTION_MS = 20_000;

const UndoDeletion = lazy(() => import('../deleted/UndoDeletion.js'));

export function Announcements() {
  const shown = useStore(notices);
  const last = useStore(lastDeletion);
  const isSignedOut = useStore(session.state) === 'signedOut';
  useEffect(() => (isSignedOut ? undefined : followLastDeletion()), [isSignedOut]);
  return (
    <div className={styles.announcements} role="status" aria-live="polite">
      {shown.map((notice, index) => (
        <Announcement key={index} notice={notice} />
      ))}
      {last === undefined ? null : (
        <Suspense>
          <UndoDeletion key={last.at} last={last} />
        </Suspense>
      )}
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
