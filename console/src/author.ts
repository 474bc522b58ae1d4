import { tabOf } from './own-writes.js';
import { session } from './session/session.js';

/** The author of a change, from the perspective of the user. */
export function authorOf(recordID: string, changedBy: string | undefined, changedAt: string | undefined): string {
  const tab = tabOf(recordID, changedAt);
  if (tab === 'this') return 'You';
  if (tab === 'another') return 'You, in another tab';
  if (changedBy !== undefined && changedBy === session.name) return 'You, elsewhere';
  return changedBy ?? 'Somebody';
}
