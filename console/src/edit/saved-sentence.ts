import { authorOf } from '../author.js';
import type { Saved } from '../model/edit.js';
import { labelOf } from '../model/fields.js';
import { t } from '../texts/texts.js';

/** Confirms a save, and names what others changed at the same time. */
export function savedSentence(recordID: string, { others }: Saved): string {
  return [t.edit.saved, othersSentence(recordID, { others })].filter(Boolean).join(' ');
}

/** Names what others changed at the same time. Empty if they changed nothing. */
export function othersSentence(recordID: string, { others }: Saved): string {
  if (others.length === 0) return '';
  const names = [...new Set(others.map(({ changedBy, changedAt }) => authorOf(recordID, changedBy, changedAt)))];
  const fields = [...new Set(others.map(({ field }) => t.inSentence(labelOf(field))))];
  return t.edit.alsoChanged(t.and(names), fields.join(', '));
}
