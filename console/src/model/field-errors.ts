import { ADDRESSES, FIELDS, labelOf } from './fields.js';
import { t } from '../texts/texts.js';

/** Names that messages contain. A name of one ordinary word, such as `state`, would also be found where the word means something else. */
const NAMES = new RegExp(`\\b(${fieldNames().join('|')})\\b`, 'g');

function fieldNames(): string[] {
  const editable = Object.values(FIELDS).flatMap((fields) => fields.map(({ name }) => name.split('/').at(-1) ?? name));
  const names = new Set([...editable, ...ADDRESSES, 'moveID']);
  return [...names].filter((name) => /[A-Z\d]/.test(name) || ['email', 'phone'].includes(name));
}

/** A message of the service, which completes "<field> ...", as a sentence of its own with the labels of the form. */
export function sentenceOfError(message: string): string {
  const worded = message.replace(NAMES, (name) => t.quoted(labelOf(name)));
  const sentence = `${worded.charAt(0).toUpperCase()}${worded.slice(1)}`;
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}
