import { useEffect } from 'react';
import { Store } from '../store.js';
import { useStore } from '../use-store.js';

interface Notice {
  readonly text: string;
  readonly isFault: boolean;
}

const notice = new Store<Notice | undefined>(undefined);
const SHOWN_MS = 8_000;

/** Shows a notice, also to screen readers. */
export function announce(text: string, isFault = false): void {
  notice.set({ text, isFault });
}

export function Announcements() {
  const shown = useStore(notice);
  useEffect(() => {
    if (shown === undefined || shown.isFault) return undefined;
    const timer = setTimeout(() => notice.set(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [shown]);
  return (
    <div className="announcements" role="status" aria-live="polite">
      {shown === undefined ? null : (
        <p className={shown.isFault ? 'notice fault' : 'notice'}>
          {shown.text}
          <button type="button" className="quiet" aria-label="Dismiss" onClick={() => notice.set(undefined)}>
            ×
          </button>
        </p>
      )}
    </div>
  );
}
