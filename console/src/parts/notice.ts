import { Store } from '../store.js';

interface NoticeOptions {
  readonly isFault?: boolean;
  readonly action?: { readonly label: string; readonly act: () => void };
}

export interface Notice extends NoticeOptions {
  readonly text: string;
}

/** The notices that are shown, the latest last. */
export const notices = new Store<readonly Notice[]>([]);

/** The action finds out whether a write was done: until the user takes it, or dismisses it, nothing replaces it. */
function isOpen({ isFault, action }: Notice): boolean {
  return isFault === true && action !== undefined;
}

/** Shows a notice, also to screen readers. It replaces the one before. */
export function announce(text: string, options: NoticeOptions = {}): void {
  notices.set([...notices.get().filter(isOpen), { text, ...options }]);
}

export function dismiss(notice: Notice): void {
  notices.set(notices.get().filter((each) => each !== notice));
}

/** Removes a notice about a fault that is over. */
export function withdrawFault(): void {
  notices.set(notices.get().filter((notice) => notice.isFault !== true || isOpen(notice)));
}
