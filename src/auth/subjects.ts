import { ANONYMOUS } from '../http/request-context.js';

/** Authors in history that are no callers: the service itself, and whoever was erased. */
export const OTHER_AUTHORS = {
  delivery: 'webhook-delivery',
  erased: 'erased',
  housekeeping: 'housekeeping',
} as const;

const RESERVED: readonly string[] = [ANONYMOUS.subject, ...Object.values(OTHER_AUTHORS)];

/** API keys, and the roles of those who change records in SQL. */
const OF_OTHERS = /^(key:[0-9a-f-]{36}$|sql:)/i;

export function subjectOfKey(id: string): string {
  return `key:${id}`;
}

export function keyIDOf(subject: string): string {
  return subject.slice('key:'.length);
}

/** Whether a caller without an API key may have this subject. Otherwise they could write, and be erased, in the name of others. */
export function isSubject(claim: unknown): claim is string {
  return isNameable(claim) && !OF_OTHERS.test(claim) && !RESERVED.includes(claim);
}

/**
 * Whether a name from outside can be stored: a signature does not guarantee the type of a claim. An unpaired surrogate (Cs) would be stored
 * as another character, so that two subjects could become one; a control character (Cc) separates the parts of an author.
 */
export function isNameable(claim: unknown): claim is string {
  return typeof claim === 'string' && claim !== '' && claim.length <= 255 && !/[\p{Cc}\p{Cs}]/u.test(claim);
}
