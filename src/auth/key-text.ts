import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** Lets scanners find keys in files that should have none. */
export const KEY_PREFIX = 'wb_';

const BYTES = 32;
/** 62 ** 43 exceeds 256 ** 32, and 62 ** 6 exceeds 2 ** 32. */
const RANDOM_LENGTH = 43;
const CHECKSUM_LENGTH = 6;

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export const KEY_PATTERN = `^${KEY_PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`;
const KEY = new RegExp(KEY_PATTERN);

/** A new key: the prefix, 32 random bytes and a checksum, all in base62. */
export function newKey(): string {
  const random = base62(BigInt(`0x${randomBytes(BYTES).toString('hex')}`), RANDOM_LENGTH);
  return withChecksum(KEY_PREFIX + random);
}

/** Whether a text can be a key. Mistyped and cut keys are found without asking the database. */
export function isKey(text: string): boolean {
  return KEY.test(text) && withChecksum(text.slice(0, -CHECKSUM_LENGTH)) === text;
}

/** What is stored of a key. It has 256 random bits, so it needs no salt. */
export function hashOf(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

function withChecksum(text: string): string {
  return text + base62(BigInt(crc32(text)), CHECKSUM_LENGTH);
}

function base62(number: bigint, length: number): string {
  let text = '';
  for (let rest = number; text.length < length; rest /= 62n) text = (DIGITS[Number(rest % 62n)] ?? '') + text;
  return text;
}
