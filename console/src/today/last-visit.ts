import { live } from '../live/live.js';
import { session } from '../session/session.js';
import { browserStorage, tabStorage } from '../storage.js';

/** The end of a visit: the last event that the console received, and when. */
interface Visit {
  readonly cursor: string;
  readonly at: string;
}

function key(): string {
  return `waybill.visit.${session.subject}`;
}

/** The end of the previous visit; undefined on the first one. A reload of the tab belongs to the same visit. */
export function lastVisit(): Visit | undefined {
  if (tabStorage.read(key()) === undefined) tabStorage.write(key(), browserStorage.read(key()) ?? 'null');
  return tabStorage.readJson(key());
}

function keepVisit(): void {
  const cursor = live.position;
  if (cursor === undefined) return;
  // Must be read before it is replaced.
  lastVisit();
  const visit: Visit = { cursor, at: new Date().toISOString() };
  browserStorage.writeJson(key(), visit);
}

/** Records how far the user has followed, so that the next visit can show what happened since. */
export function keepVisits(): void {
  void live.started.then(keepVisit);
  live.onEvents(keepVisit);
  addEventListener('pagehide', keepVisit);
}
