import { randomInt } from 'node:crypto';

/** Letters and digits that nobody confuses when a code is read out: no 0 and O, no 1 and I. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const LENGTH = 6;

/** One of about a billion codes. Not unique by itself: the database sees to that. */
export function randomMoveCode(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}
