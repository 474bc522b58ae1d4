import { hasForbiddenCharacter, isBlank, type TextKind } from '../../src/schema/characters.js';
import type { Shipment } from '../../client/src/waybill.js';

const CODE_POINTS = 0x110000;

/** How texts begin that spreadsheets or readers of CSV might take for something else. */
const BEGINNINGS = [
  ...['=', '=1+1', '+', '+1 555 0100', '-', '-5', '@', '@SUM(A1)', '\t', '\r', "'", "''", "'=1", '"', '""', '"x"'],
  ...[',', ';', '\n', '\r\n', ' ', '0', '007', '+0', '1e5', '1-2', '2026-04-01', '1,5', 'TRUE', '#N/A', '\uFEFF', '\\'],
  ...['\u202E', '\u200B', '\u0627\u0644', '\u05E9', '\u{1F69A}', 'e\u0301', ''],
];
const SHORT_CODES = ['00501', '0', '007', '+1', '1e5', '1-2', "'1", '=1', '12345', '-5', 'SW1A 1AA', '@', '1;2', '1,2'];

/** What is looked for in the texts of an export: without it, the round trip would show little. */
const KINDS_OF_TEXT: Readonly<Record<string, RegExp>> = {
  'begin with =': /^=/,
  'begin with +': /^\+/,
  'begin with -': /^-/,
  'begin with @': /^@/,
  "begin with '": /^'/,
  'begin with a tab': /^\t/,
  'begin with a carriage return': /^\r/,
  'begin with a byte order mark': /^\uFEFF/,
  'begin with a zero': /^0/,
  'look like a number': /^[+-]?\d+(e\d+)?$/i,
  'begin or end with a blank': /^ | $/,
  'are empty': /^$/,
  'have a quote': /"/,
  'have a comma': /,/,
  'have a semicolon': /;/,
  'have CRLF': /\r\n/,
  'have a line feed alone': /(?<!\r)\n/,
  'have a carriage return alone': /\r(?!\n)/,
  'have right-to-left letters': /[\p{Script=Arabic}\p{Script=Hebrew}]/u,
  'have an override of direction': /\u202E/,
  'have zero-width characters': /[\u200B-\u200D\u2060]/,
  'have characters beyond the basic plane': /[\u{10000}-\u{10FFFF}]/u,
};

/** Every code point that a text of this kind may hold. */
function allowedIn(kind: TextKind): Uint32Array {
  const isAllowed = (code: number) => {
    const isSurrogate = code >= 0xd800 && code <= 0xdfff;
    return !isSurrogate && !hasForbiddenCharacter(String.fromCodePoint(code), kind);
  };
  return Uint32Array.from({ length: CODE_POINTS }, (_, code) => code).filter(isAllowed);
}

/** Texts, each with a beginning and the next of all code points, so that so many texts have all of them. */
class Texts {
  private next = 0;
  private readonly codes: Uint32Array;
  private readonly beginnings: readonly string[];
  private readonly each: number;

  constructor(
    private readonly kind: TextKind,
    count: number,
  ) {
    this.codes = allowedIn(kind);
    this.beginnings = BEGINNINGS.filter((text) => !hasForbiddenCharacter(text, kind));
    this.each = Math.ceil(this.codes.length / count);
  }

  /** Beginnings come in turn, each `alone` or with code points behind it. */
  take(index: number, alone = false): string {
    const beginning = this.beginnings[index % this.beginnings.length] ?? '';
    const codes = alone
      ? []
      : Array.from({ length: this.each }, () => this.codes[this.next++ % this.codes.length] ?? 0);
    const text = beginning + String.fromCodePoint(...codes);
    return this.kind === 'short' && isBlank(text) ? `${text}.` : text;
  }
}

/** Bodies of so many new shipments, which have among them every code point that a long or a short text may hold. */
export function* newShipments(count: number): Generator<object, void, undefined> {
  // One in a hundred shipments has no text that could hold some.
  const long = new Texts('long', Math.floor(count * 0.98));
  const short = new Texts('short', count);
  for (let index = 0; index < count; index += 1) {
    const address = () => ({
      streetAddress1: short.take(index + 1, true),
      streetAddress2: [null, '', short.take(index + 2, true)][index % 3],
      city: short.take(index + 3, true),
      state: short.take(index + 4, true),
      postalCode: SHORT_CODES[index % SHORT_CODES.length],
    });
    yield {
      shipmentType: short.take(index),
      pickupDate: index % 3 === 0 ? '2026-03-01' : null,
      deliveryDate: index % 5 === 0 ? '2026-04-15' : null,
      estimatedWeight: index % 2 === 0 ? 1 + index : null,
      customerRemarks: index % 100 === 99 ? [null, ''][index % 2] : long.take(index),
      ...(index % 2 === 0 && { destinationAddress: address() }),
      ...(index % 20 === 0 && { pickupAddress: address() }),
    };
  }
}

/** Counts what is in the texts of shipments. */
export class Tally {
  private shipments = 0;
  private readonly texts = new Map(Object.keys(KINDS_OF_TEXT).map((name) => [name, 0]));
  private readonly seen = { long: new Uint8Array(CODE_POINTS), short: new Uint8Array(CODE_POINTS) };

  add({ shipmentType, customerRemarks, pickupAddress, destinationAddress }: Shipment): void {
    this.shipments += 1;
    this.addText('short', shipmentType);
    this.addText('long', customerRemarks);
    for (const address of [pickupAddress, destinationAddress]) {
      const { streetAddress1, streetAddress2, city, state, postalCode } = address ?? {};
      for (const text of [streetAddress1, streetAddress2, city, state, postalCode]) this.addText('short', text);
    }
  }

  private addText(kind: TextKind, text: string | null | undefined): void {
    if (typeof text !== 'string') return;
    for (const [name, pattern] of Object.entries(KINDS_OF_TEXT)) {
      if (pattern.test(text)) this.texts.set(name, (this.texts.get(name) ?? 0) + 1);
    }
    for (const character of text) this.seen[kind][character.codePointAt(0) ?? 0] = 1;
  }

  /** What was found, line by line. */
  get lines(): string[] {
    const kinds = [...this.texts].map(([name, count]) => `${count} texts ${name}`);
    const characters = (['long', 'short'] as const).map((kind) => {
      return `${this.found(kind)} of ${allowedIn(kind).length} characters that a ${kind} text may hold`;
    });
    return [`${this.shipments} shipments, with ${characters.join(' and ')}`, ...kinds];
  }

  /** Whether nothing is missing. */
  get isComplete(): boolean {
    const hasAll = (['long', 'short'] as const).every((kind) => allowedIn(kind).every((code) => this.seen[kind][code]));
    return hasAll && [...this.texts.values()].every((count) => count > 0);
  }

  private found(kind: TextKind): number {
    return this.seen[kind].reduce((sum, isSeen) => sum + isSeen, 0);
  }
}
