import { useEffect } from 'react';
import { Store } from '../store.js';
import { useStore } from '../use-store.js';

interface NoticeOptions {
  readonly isFault?: boolean;
  readonly action?: { readonly label: string; readonly act: () => void };
}

interface Notice extends NoticeOptions {
  readonly text: string;
}

const notice = new Store<Notice | undefined>(undefined);
const SHOWN_MS = 8_000;
/** Leaves time to reach the button by keyboard. */
const SHOWN_WITH_ACTION_MS = 20_000;

/** Shows a notice, also to screen readers. */
export function announce(text: string, options: NoticeOptions = {}): void {
  notice.set({ text, ...options });
}

/** Removes a notice about a fault that is over. */
export function withdrawFault(): void {
  if (notice.get()?.isFault === true) notice.set(undefined);
}

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
