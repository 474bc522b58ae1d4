import { announce } from './components/notice.js';
import { openPage } from './components/open-page.js';
import { consolePath } from './settings.js';
import { DISCARDED, tabStorage } from './storage.js';
import { Store } from './store.js';
import { t } from './texts/texts.js';

/** Counts what was discarded or brought back, so that views look again. */
export const discards = new Store(0);

/** Keeps what the user discards until the tab is closed, under the name of the draft. */
export function keepDiscarded(draft: string, value: object): void {
  tabStorage.writeJson(DISCARDED + draft, { ...value, at: new Date().toISOString() });
  discards.set(discards.get() + 1);
}

export function readDiscarded<T extends object>(draft: string): (T & { readonly at: string }) | undefined {
  return tabStorage.readJson(DISCARDED + draft);
}

export function takeDiscarded<T extends object>(draft: string): T | undefined {
  const found = readDiscarded<T>(draft);
  tabStorage.remove(DISCARDED + draft);
  discards.set(discards.get() + 1);
  return found;
}

/** Says that a draft was discarded, and offers to bring it back, on whatever page the user is by then. */
export function announceDiscarded(bringBack: () => void, form = location.pathname + location.search): void {
  const undo = () => {
    bringBack();
    const isThere = location.pathname + location.search === form;
    announce(t.edit.broughtBack, isThere ? {} : { action: openPage(form.slice(consolePath.length)) });
  };
  announce(t.edit.discarded, { undo });
}
