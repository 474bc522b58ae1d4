import { useEffect } from 'react';
import { useStore } from '../use-store.js';
import { notice } from './notice.js';

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
    <div className="announcements" role="status" aria-live="polite">
      {shown === undefined ? null : (
        <p className={shown.isFault === true ? 'notice fault' : 'notice'}>
          {shown.text}
          {shown.action === undefined ? null : (
            <button
              type="button"
              className="quiet"
              onClick={() => {
                notice.set(undefined);
                shown.action?.act();
              }}
            >
              {shown.action.label}
            </button>
          )}
          <button type="button" className="quiet" aria-label="Dismiss" onClick={() => notice.set(undefined)}>
            ×
          </button>
        </p>
      )}
    </div>
  );
}
