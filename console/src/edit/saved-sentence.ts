import { authorOf } from '../author.js';
import type { Saved } from '../model/edit.js';
import { labelOf } from '../model/fields.js';

/** Confirms a save, and names what others changed at the same time. */
export function savedSentence(recordID: string, { others }: Saved): string {
  if (others.length === 0) return 'Saved.';
  const names = [...new Set(others.map(({ changedBy, changedAt }) => authorOf(recordID, changedBy, changedAt)))];
  const fields = [...new Set(others.map(({ field }) => labelOf(field).toLowerCase()))];
  return `Saved. ${names.join(' and ')} also changed ${fields.join(', ')}.`;
}
