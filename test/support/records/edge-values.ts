import { hasForbiddenCharacter, type TextKind } from '../../../src/validation/characters.js';
import { cursorOf } from '../../../src/records/paging.js';
import type { Schema } from '../../../src/validation/json-schema.js';

/**
 * Values at and beyond the limits of a schema. They are generated from the format, not from the checks, so that they include values that a
 * check wrongly admits.
 */
export function edgeValues(schema: Schema): readonly (string | number)[] {
  if (schema.enum !== undefined) return schema.enum as string[];
  if (schema.format === 'date') return DAYS;
  if (schema.format === 'date-time') return MOMENTS;
  if (schema.minimum !== undefined && schema.maximum !== undefined) return edgesOf(schema.minimum, schema.maximum);
  if (schema.maxLength !== undefined) return [...textsOf(schema.maxLength), ...NAMES];
  return [...NAMES, ...CURSORS];
}

const DAYS = [
  ...['1899-12-31', '1900-01-01', '2199-12-31', '2200-01-01', '0001-01-01', '9999-12-31'],
  ...['1900-02-28', '1900-02-29', '2000-02-29', '2024-02-29', '2026-02-29', '2100-02-29', '2196-02-29'],
  ...['2026-02-30', '2026-04-31', '2026-12-32', '2026-13-01', '1970-01-01', '2000-01-01', '1582-10-10'],
];

const TIMES = ['00:00:00', '23:59:59', '23:59:60', '24:00:00', '12:30:45'];
const FRACTIONS = ['', '.0', '.999', '.000001', '.999999', '.9999995', '.123456789'];
const HOURS = ['00', '01', '12', '13', '14', '15', '16', '18', '23', '24', '99'];
const OFFSETS = ['Z', ...HOURS.flatMap((hour) => [`+${hour}:00`, `-${hour}:00`, `+${hour}:59`, `-${hour}:59`])];

/** Each day, time and fraction with plain others, and each offset with the first and last day. */
const MOMENTS = [
  ...DAYS.map((day) => `${day}T00:00:00Z`),
  ...TIMES.flatMap((time) => FRACTIONS.map((fraction) => `2026-06-15T${time}${fraction}Z`)),
  ...OFFSETS.flatMap((offset) => [
    `1900-01-01T00:00:00${offset}`,
    `2199-12-31T23:59:59.999999${offset}`,
    `2026-06-15T12:00:00${offset}`,
  ]),
];

function edgesOf(least: number, most: number): number[] {
  return [least - 1, least, least + 1, most - 1, most, most + 1, 0, -1, 2 ** 31 - 1, 2 ** 31, 2 ** 53];
}

const IDS = ['0', '7', '8', 'f', 'F'].map((digit) => '********-****-****-****-************'.replaceAll('*', digit));
const ETAGS = ['0', 'f', 'F'].map((digit) => digit.repeat(64));
const CODES = ['AAAAAA', '999999', 'ZZZZZZ', 'O00000', 'aaaaaa'];
const NAMES = [...IDS, ...ETAGS, ...CODES];
const NUMBERS = ['0', '1', '9'.repeat(18), '9223372036854775807', '9223372036854775808', '9'.repeat(30)];
const CURSORS = [
  ...[...IDS, ...NUMBERS].map((key) => `-createdAt ${key}`),
  ...NUMBERS,
  ...NUMBERS.map((number) => `${number}.${'0'.repeat(16)}`),
  ...['infinity', '1900-01-01', '2199-12-31', '2026-02-29'].flatMap((day) => [
    `deliveryDate ${day} ${String(IDS[0])}`,
    `updatedAt ${day}T00:00:00Z ${String(IDS[0])}`,
  ]),
  '2026-01-31T12:00:00.000Z 1',
  '9999-12-31T23:59:59.999Z 999999999999999999',
  '0001-01-01T00:00:00.000Z 1',
].map(cursorOf);

/** A sample of each plane with both ends of each block of 256, and all unusual characters of the first. */
function codePoints(): string[] {
  const points: string[] = [];
  for (let point = 0; point <= 0x10_ff_ff; point += 1) {
    const isSample = point < 0x600 || (point >= 0x2000 && point < 0x2100) || (point >= 0xfe00 && point < 0x1_0000);
    const isEnd = point % 0x1000 === 0 || point % 0x1000 === 0xfff;
    if (isSample || isEnd) points.push(String.fromCodePoint(point));
  }
  return points;
}

/** The maximum length in the widest characters, one character more, and every allowed character. */
function textsOf(longest: number): string[] {
  const kind: TextKind = longest >= 1000 ? 'long' : 'short';
  const permitted = codePoints().filter((character) => !hasForbiddenCharacter(character, kind));
  const packed: string[] = [];
  for (let at = 0; at < permitted.length; at += longest - 1) {
    packed.push(`x${permitted.slice(at, at + longest - 1).join('')}`);
  }
  const widest = ['😀', '\u{10ffff}', 'é', "'", '\\', '"', '%', '\u0301'].map((character) => character.repeat(longest));
  return [...widest, '😀'.repeat(longest + 1), 'x', ...packed];
}
