import { JsonScanner, MAX_NAMES, MAX_NESTING, PROTOTYPE_NAMES } from './json-scanner.js';

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

const [QUOTE, BACKSLASH, COLON, DOT] = [0x22, 0x5c, 0x3a, 0x2e];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d];
