import { JsonScanner, MAX_NAMES, MAX_NESTING, PROTOTYPE_NAMES } from './json-scanner.js';

/**
 * Reads JSON as RFC 8259 has it, and refuses what is legal there but means different things to different readers (RFC 7493):
 * a name twice in one object, a fraction with more digits than a double keeps; and what only an attacker sends: absurd
 * nesting, names without end, names of prototypes.
 *
 * Nearly every body passes a quick look; what does not is scanned with care, to be refused with the place of its fault.
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

/** How many names the text has, when its nesting and their number are fine and it has no fractions. One pass over the bytes. */
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

/** How many names a value has. Fewer than its text had: one came twice. No number when one is a prototype's. */
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
