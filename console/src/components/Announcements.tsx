import { X } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { followLastDeletion, lastDeletion } from '../deleted/last-deletion.js';
import { session } from '../session/session.js';
import { useStore } from '../use-store.js';
import { undos } from '../undo/undo.js';
import { lazyView } from './lazy-view.js';
import { announce, dismiss, notices, withdrawFaults, type Notice } from './notice.js';
import { classes } from './classes.js';
import { t } from '../texts/texts.js';
import controls from './controls.module.css';
import styles from './Announcements.module.css';

const SHOWN_MS = 8_000;
const SHOWN_WITH_UNDO_MS = 10_000;
const FAULT_SHOWN_MS = 60_000;
/** Leaves time to reach the button by keyboard. */
const SHOWN_WITH_ACTION_MS = 20_000;

const Undos = lazyView(() => import('../undo/Undos.js'));
const UndoDeletion = lazy(() => import('../deleted/UndoDeletion.js'));

export function Announcements() {
  const shown = useStore(notices);
  const last = useStore(lastDeletion);
  const isSignedOut = useStore(session.state) === 'signedOut';
  useEffect(() => (isSignedOut ? undefined : followLastDeletion()), [isSignedOut]);
  const [path] = useLocation();
  useEffect(() => withdrawFaults(), [path]);
  const before = useRef<HTMLElement>(null);
  // A button that disappears with its notice leaves the focus to where it was.
  useEffect(() => {
    if (document.activeElement === document.body) before.current?.focus();
  });
  return (
    <div
      className={styles.announcements}
      role="status"
      aria-live="polite"
      onFocus={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) before.current = relatedTarget as HTMLElement | null;
      }}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) before.current = null;
      }}
    >
      {shown.map((notice) => (
        <Announcement key={notice.number} notice={notice} />
      ))}
      <AskedUndos />
      {last === undefined ? null : (
        <Suspense>
          <UndoDeletion key={last.at} last={last} />
        </Suspense>
      )}
    </div>
  );
}

/** An undo whose code cannot be fetched is not kept for later. */
function AskedUndos() {
  const hasAny = useStore(undos).length > 0;
  const [isFetched, setIsFetched] = useState(false);
  useEffect(() => {
    if (!hasAny || isFetched) return;
    Undos.fetchCode().then(
      () => setIsFetched(true),
      () => {
        undos.set([]);
        announce(t.faults.missingView, { isFault: true });
      },
    );
  }, [hasAny, isFetched]);
  if (!hasAny || !isFetched) return null;
  return (
    <Suspense>
      <Undos />
    </Suspense>
  );
}

function Announcement({ notice }: { readonly notice: Notice }) {
  const { text, isFault, undo } = notice;
  const action = undo === undefined ? notice.action : { label: t.actions.undo, act: undo };
  const [isHeld, setIsHeld] = useState(false);
  const shownMs = msOf(notice);
  useEffect(() => {
    if (isHeld || shownMs === undefined) return undefined;
    const timer = setTimeout(() => dismiss(notice), shownMs);
    return () => clearTimeout(timer);
  }, [notice, isHeld, shownMs]);
  return (
    <p
      className={classes(styles.notice, isFault === true && styles.fault)}
      onPointerEnter={() => setIsHeld(true)}
      onPointerLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
    >
      <span>{text}</span>
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

/** How long a notice is shown, unless the pointer or the focus is on it. */
function msOf({ isFault, isOpen, action, undo }: Notice): number | undefined {
  if (isOpen === true) return undefined;
  if (isFault === true) return FAULT_SHOWN_MS;
  if (undo !== undefined) return SHOWN_WITH_UNDO_MS;
  return action === undefined ? SHOWN_MS : SHOWN_WITH_ACTION_MS;
}
