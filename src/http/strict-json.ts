import { Problem } from '../problem/problem.js';

export const MAX_NESTING = 32;
export const MAX_NAMES = 1000;

/** Names that enable prototype pollution where a body is copied carelessly; no resource has such a field. */
const PROTOTYPE_NAMES: readonly string[] = ['__proto__', 'constructor', 'prototype'];

/**
 * Parses JSON (RFC 8259) and rejects duplicate names, which are legal but ambiguous (RFC 7493). Also rejects typical attacks: deep nesting, too many names, and prototype names.
 */
export function parseStrictJson(text: string, maxNames = MAX_NAMES): unknown {
  new JsonScanner(text, maxNames).scan();
  return JSON.parse(text);
}

/** Scans a JSON text in linear time and throws at the first fault with its position, without quoting the text. */
class JsonScanner {
  private at = 0;
  private names = 0;

  constructor(
    private readonly text: string,
    private readonly maxNames: number,
  ) {}

  scan(): void {
    if (this.text.charCodeAt(0) === 0xfeff) this.fail('begins with a byte order mark, which JSON does not allow');
    this.value(0);
    if (this.at < this.text.length) this.fail('has extra characters after the JSON value');
  }

  /** One value with surrounding whitespace. */
  private value(depth: number): void {
    const first = this.skipBlanks();
    if (first === '"') this.string();
    else if (first === '{') this.object(depth + 1);
    else if (first === '[') this.list(depth + 1, ']', () => this.value(depth + 1));
    else if (!this.skip(WORD)) this.number(first);
    this.skipBlanks();
  }

  private object(depth: number): void {
    const seen = new Set<string>();
    this.list(depth, '}', () => {
      if (this.skipBlanks() !== '"') this.fail('must have a name in double quotes here');
      this.name(seen);
      if (this.skipBlanks() !== ':') this.fail('must have a colon here, after the name');
      this.at += 1;
      this.value(depth);
    });
  }

  /** The members of an object or an array, with their brackets and commas. */
  private list(depth: number, close: string, member: () => void): void {
    if (depth > MAX_NESTING) this.fail(`is nested deeper than ${MAX_NESTING} levels`);
    this.at += 1;
    if (this.skipBlanks() === close) this.at += 1;
    else {
      do member();
      while (this.hasNext(close));
    }
  }

  /** True after a comma, false after the closing bracket. */
  private hasNext(close: string): boolean {
    const next = this.text[this.at];
    if (next !== ',' && next !== close) this.fail('must have a comma or a closing bracket here');
    this.at += 1;
    return next === ',';
  }

  private name(seen: Set<string>): void {
    const start = this.at;
    this.string();
    const written = this.text.slice(start + 1, this.at - 1);
    const name = written.includes('\\') ? (JSON.parse(`"${written}"`) as string) : written;
    if (PROTOTYPE_NAMES.includes(name)) this.fail(`has the name ${name}, which is not allowed`, start);
    if (seen.size === seen.add(name).size) this.fail('has the same name twice in one object', start);
    if (++this.names > this.maxNames) this.fail(`has more than ${this.maxNames} member names`, start);
  }

  private string(): void {
    this.at += 1;
    do this.skip(UNESCAPED);
    while (this.skip(ESCAPE));
    const next = this.text[this.at];
    if (next === undefined) this.fail('ends inside a string');
    if (next === '\\') this.fail('has an invalid escape sequence');
    if (next !== '"') this.fail('has a control character in a string, which must be escaped');
    this.at += 1;
  }

  private number(first: string | undefined): void {
    if (first === undefined) this.fail('ends where a JSON value is expected');
    const fault = first === '-' ? 'has a malformed number' : 'must have a JSON value here';
    if (!this.skip(NUMBER)) this.fail(fault);
  }

  /** The next character that is not whitespace; undefined at the end. */
  private skipBlanks(): string | undefined {
    while (BLANKS.includes(this.text[this.at] ?? '0')) this.at += 1;
    return this.text[this.at];
  }

  private skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    if (!pattern.test(this.text)) return false;
    this.at = pattern.lastIndex;
    return true;
  }

  /** Reports the position, but quotes nothing of the body. */
  private fail(fault: string, at = this.at): never {
    const before = this.text.slice(0, at);
    const line = before.split('\n').length;
    const column = [...before.slice(before.lastIndexOf('\n') + 1)].length + 1;
    throw new Problem('MALFORMED_JSON', `The body ${fault} (line ${line}, column ${column}).`);
  }
}

const BLANKS = ' \t\r\n';
const WORD = /true|false|null/y;
/** RFC 8259, section 7: all characters but quotes, backslashes and controls. */
const UNESCAPED = /[ !#-[\]-\uffff]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
