import { settings } from '../settings.js';
import { browserStorage } from '../storage.js';
import { Store } from '../store.js';

const KEY = 'waybill.name';

/** The name that others see if the service runs without authentication. Kept in this browser. */
export const displayName = new Store(settings.needsToken ? '' : (browserStorage.read(KEY) ?? ''));

export function setDisplayName(name: string): void {
  browserStorage.write(KEY, name);
  displayName.set(name);
}
