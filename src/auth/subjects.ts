export function subjectOfKey(id: string): string {
  return `key:${id}`;
}

export function keyIDOf(subject: string): string {
  return subject.slice('key:'.length);
}

/** Whether somebody else than an API key may have this subject. */
export function isSubject(claim: unknown): claim is string {
  return isNameable(claim) && !/^key:[0-9a-f-]{36}$/i.test(claim);
}

/**
 * Whether a name from outside can be stored: a signature does not guarantee the type of a claim. An unpaired surrogate (Cs) would be stored
 * as another character, so that two subjects could become one; a control character (Cc) separates the parts of an author.
 */
export function isNameable(claim: unknown): claim is string {
  return typeof claim === 'string' && claim !== '' && claim.length <= 255 && !/[\p{Cc}\p{Cs}]/u.test(claim);
}
