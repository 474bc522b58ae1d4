import { Store } from '../store.js';

export interface NoticeOptions {
  readonly isFault?: boolean;
  /** Its action finds out whether a write was done: until the user takes it, or dismisses it, nothing replaces it. */
  readonly isOpen?: boolean;
  readonly action?: { readonly label: string; readonly act: () => void };
  /** Takes back what the notice says was done. */
  readonly undo?: () => void;
}

/** How many changes can be undone in their notices at a time. */
const MAX_UNDOS = 3;

export interface Notice extends NoticeOptions {
  readonly number: number;
  readonly text: string;
}

let count = 0;

/** The notices that are shown, the latest last. */
export const notices = new Store<readonly Notice[]>([]);

/** Shows a notice, also to screen readers. It replaces the one before, unless that can be undone. */
export function announce(text: string, options: NoticeOptions = {}): void {
  const undos = notices.get().filter(({ undo }) => undo !== undefined);
  const kept = [...notices.get().filter(({ isOpen }) => isOpen), ...undos.slice(1 - MAX_UNDOS)];
  notices.set([...kept, { number: (count += 1), text, ...options }]);
}

export function dismiss(notice: Notice): void {
  notices.set(notices.get().filter((each) => each !== notice));
}

/** Removes notices about faults that are over, or of a page that was left. */
export function withdrawFaults(): void {
  notices.set(notices.get().filter(({ isFault, isOpen }) => isFault !== true || isOpen));
}
