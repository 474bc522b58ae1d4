import { Store } from '../store.js';

interface NoticeOptions {
  readonly isFault?: boolean;
  readonly action?: { readonly label: string; readonly act: () => void };
}

interface Notice extends NoticeOptions {
  readonly text: string;
}

export const notice = new Store<Notice | undefined>(undefined);
/** Shows a notice, also to screen readers. */
export function announce(text: string, options: NoticeOptions = {}): void {
  notice.set({ text, ...options });
}

/** Removes a notice about a fault that is over. */
export function withdrawFault(): void {
  if (notice.get()?.isFault === true) notice.set(undefined);
}
