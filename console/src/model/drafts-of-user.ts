import type { KeptTexts } from './kept-texts.js';

/** What the browser keeps of a user until it is done, by the beginning of its key. Only the subject can have dots. */
const UNFINISHED = [
  ...['shipment', 'move', 'agent', 'service'].map((kind) => (subject: string) => `waybill.draft.${subject}.${kind}.`),
  (subject: string) => `waybill.many.${subject}.`,
];
/** Not counted: the progress of a creation, which belongs to its drafts, and the last deletion. */
const OTHERS = ['creation', 'deleted'].map((name) => (subject: string) => `waybill.${name}.${subject}.`);

function keysOf(texts: KeptTexts, subject: string, beginnings: readonly ((subject: string) => string)[]): string[] {
  const starts = beginnings.map((beginning) => beginning(subject));
  const isTheirs = (key: string) => starts.some((start) => key.startsWith(start) && !key.includes('.', start.length));
  return texts.keys().filter(isTheirs);
}

/** How many records the user has unsaved changes of, and unfinished changes of many, in all tabs. */
export function countDrafts(texts: KeptTexts, subject: string): number {
  return keysOf(texts, subject, UNFINISHED).length;
}

export function discardDrafts(texts: KeptTexts, subject: string): void {
  for (const key of keysOf(texts, subject, [...UNFINISHED, ...OTHERS])) texts.remove(key);
}
