import { randomInt } from 'node:crypto';

/** Without characters that sound or look alike: no 0 and O, no 1 and I. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const LENGTH = 6;

/** One of about a billion codes. The database ensures that it is unique. */
export function randomMoveCode(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}
