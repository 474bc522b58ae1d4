import { tabOf } from './own-writes.js';
import { session } from './session/session.js';
import { t } from './texts/texts.js';

/** Whether the user made a change, in any tab or browser. */
export function isOwnChange(recordID: string, changedBy: string | undefined, changedAt: string): boolean {
  const { you, otherTab, elsewhere } = t.authors;
  return [you, otherTab, elsewhere].includes(authorOf(recordID, changedBy, changedAt));
}

/** The author of a change, from the perspective of the user. */
export function authorOf(recordID: string, changedBy: string | undefined, changedAt: string | undefined): string {
  const tab = tabOf(recordID, changedAt);
  if (tab === 'this') return t.authors.you;
  if (tab === 'another') return t.authors.otherTab;
  if (changedBy !== undefined && changedBy === session.name) return t.authors.elsewhere;
  return changedBy ?? t.authors.somebody;
}
