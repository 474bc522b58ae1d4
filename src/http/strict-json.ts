import { Problem } from '../problem/problem.js';

export const MAX_NESTING = 32;
export const MAX_NAMES = 1000;

/** Names that enable prototype pollution where a body is copied carelessly; no resource has such a field. */
const PROTOTYPE_NAMES: readonly string[] = ['__proto__', 'constructor', 'prototype'];

/** Decimal fractions with up to this many digits survive conversion to a double; longer ones may not. */
const EXACT_DIGITS = 15;

/**
 * Parses JSON (RFC 8259) and rejects legal but ambiguous input (RFC 7493): duplicate names and fractions with more digits than a
 * double keeps. Also rejects typical attacks: deep nesting, too many names, and prototype names.
 *
 * A quick check accepts nearly every body; the scanner examines the rest to report the position of the fault.
 */
export function parseStrictJson(bytes: Uint8Array, text: string, mostNames = MAX_NAMES): unknown {
  const names = quickLook(bytes, mostNames);
  if (names !== undefined) {
    const value = parsed(text);
    if (value !== undefined && countNames(value) === names) return value;
  }
  new JsonScanner(text, mostNames).scan();
  return parsed(text);
}

/** Counts the names in one pass over the bytes; undefined if there are too many names or levels, or any fraction. */
function quickLook(bytes: Uint8Array, mostNames: number): number | undefined {
  let names = 0;
  let depth = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    switch (bytes[at]) {
      case QUOTE:
        for (at += 1; at < bytes.length && bytes[at] !== QUOTE; at += 1) if (bytes[at] === BACKSLASH) at += 1;
        break;
      case COLON:
        names += 1;
        break;
      case OPEN_OBJECT:
      case OPEN_ARRAY:
        depth += 1;
        if (depth > MAX_NESTING) return undefined;
        break;
      case CLOSE_OBJECT:
      case CLOSE_ARRAY:
        depth -= 1;
        break;
      case DOT:
        return undefined;
    }
  }
  return names <= mostNames ? names : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Counts the names of a value: fewer than in its text means a duplicate, NaN a prototype name. */
function countNames(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const element of value) count += countNames(element);
    return count;
  }
  for (const name of Object.keys(value)) {
    if (PROTOTYPE_NAMES.includes(name)) return NaN;
    count += 1 + countNames((value as Record<string, unknown>)[name]);
  }
  return count;
}

/** Scans a JSON text in linear time and throws at the first fault with its position, without quoting the text. */
class JsonScanner {
  private at = 0;
  private names = 0;

  constructor(
    private readonly text: string,
    private readonly mostNames: number,
  ) {}

  scan(): void {
    if (this.text.charCodeAt(0) === 0xfeff) this.fail('begins with a byte order mark, which JSON does not allow');
    this.value(0);
    if (this.at < this.text.length) this.fail('has extra characters after the JSON value');
  }

  /** One value with surrounding whitespace. */
  private value(depth: number): void {
    const first = this.skipBlanks();
    if (first === QUOTE) this.string();
    else if (first === OPEN_OBJECT) this.object(depth + 1);
    else if (first === OPEN_ARRAY) this.list(depth + 1, CLOSE_ARRAY, () => this.value(depth + 1));
    else if (first === MINUS || (first >= 0x30 && first <= 0x39)) this.number();
    else this.word();
    this.skipBlanks();
  }

  private object(depth: number): void {
    const seen = new Set<string>();
    this.list(depth, CLOSE_OBJECT, () => {
      if (this.skipBlanks() !== QUOTE) this.fail('must have a name in double quotes here');
      this.name(seen);
      if (this.skipBlanks() !== COLON) this.fail('must have a colon here, after the name');
      this.at += 1;
      this.value(depth);
    });
  }

  /** The members of an object or an array, with their brackets and commas. */
  private list(depth: number, close: number, member: () => void): void {
    if (depth > MAX_NESTING) this.fail(`is nested deeper than ${MAX_NESTING} levels`);
    this.at += 1;
    if (this.skipBlanks() === close) this.at += 1;
    else {
      do member();
      while (this.hasNext(close));
    }
  }

  /** True after a comma, false after the closing bracket. */
  private hasNext(close: number): boolean {
    const next = this.text.charCodeAt(this.at);
    if (next !== COMMA && next !== close) this.fail('must have a comma or a closing bracket here');
    this.at += 1;
    return next === COMMA;
  }

  private name(seen: Set<string>): void {
    const start = this.at;
    this.string();
    const written = this.text.slice(start + 1, this.at - 1);
    const name = written.includes('\\') ? (JSON.parse(`"${written}"`) as string) : written;
    if (PROTOTYPE_NAMES.includes(name)) this.fail(`has the name ${name}, which is not allowed`, start);
    if (seen.size === seen.add(name).size) this.fail('has the same name twice in one object', start);
    if (++this.names > this.mostNames) this.fail(`has more than ${this.mostNames} member names`, start);
  }

  private string(): void {
    const { text } = this;
    let at = this.at + 1;
    for (let unit; (unit = text.charCodeAt(at)) !== QUOTE;) {
      if (at >= text.length) this.fail('ends inside a string', at);
      if (unit < 0x20) this.fail('has a control character in a string, which must be escaped', at);
      ESCAPE.lastIndex = at;
      if (unit !== BACKSLASH) at += 1;
      else if (ESCAPE.test(text)) at = ESCAPE.lastIndex;
      else this.fail('has an invalid escape sequence', at);
    }
    this.at = at + 1;
  }

  private number(): void {
    NUMBER.lastIndex = this.at;
    const [written, whole = '', fraction] = NUMBER.exec(this.text) ?? this.fail('has a malformed number');
    if (fraction !== undefined && written.length > EXACT_DIGITS) {
      const significant = (whole + fraction.replace(TRAILING_ZEROS, '')).replace(/^[-0]+/, '');
      if (significant.length > EXACT_DIGITS) this.fail('has a number with more digits than a double can hold');
    }
    this.at += written.length;
  }

  private word(): void {
    const word = ['true', 'false', 'null'].find((candidate) => this.text.startsWith(candidate, this.at));
    if (word === undefined)
      this.fail(this.at < this.text.length ? 'must have a JSON value here' : 'ends where a JSON value is expected');
    this.at += word.length;
  }

  private skipBlanks(): number {
    for (;;) {
      const unit = this.text.charCodeAt(this.at);
      if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return unit;
      this.at += 1;
    }
  }

  /** Reports the position, but quotes nothing of the body. */
  private fail(fault: string, at = this.at): never {
    const before = this.text.slice(0, at);
    const line = before.split('\n').length;
    const column = [...before.slice(before.lastIndexOf('\n') + 1)].length + 1;
    throw new Problem('MALFORMED_JSON', `The body ${fault} (line ${line}, column ${column}).`);
  }
}

const [QUOTE, BACKSLASH, COLON, COMMA, MINUS, DOT] = [0x22, 0x5c, 0x3a, 0x2c, 0x2d, 0x2e];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d];
const NUMBER = /(-?(?:0|[1-9]\d*))(?:\.(\d+))?(?:[eE][+-]?\d+)?/y;
const TRAILING_ZEROS = /(?<!0)0+$/;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})/y;
