/**
 * Which characters a text may hold. Everything else is stored and sent back exactly as it came.
 *
 * A short text (a name, a code, a line of an address) is compared, sorted and read by people at a glance, so nothing in it may
 * be invisible or change how the rest is shown: no control character, no line break, no half of a surrogate pair, and nothing
 * that Unicode says is drawn as nothing (zero-width blanks and joiners, byte order marks, marks, overrides and isolates of
 * direction, soft hyphens, fillers, tags, annotations). Variation selectors are let through: emoji and Japanese names have them.
 *
 * A long text (remarks, reasons, descriptions) is prose. It may have tabs and line breaks, and the joiners and marks of direction
 * without which Persian, Sinhala, mixed Hebrew and English, or a family of emoji cannot be written.
 *
 * The check and the document use the same classes. They are spelled out because the document's readers are of many languages:
 * not all know \p{...} or \u{...} in a pattern, so what lies beyond the basic plane stands there as itself.
 */
const CONTROLS = '\\x00-\\x1F\\x7F-\\x9F';
const CONTROLS_BUT_LAYOUT = '\\x00-\\x08\\x0B\\x0C\\x0E-\\x1F\\x7F-\\x9F';
const SEPARATORS = '\\u2028\\u2029';
const SELECTORS = `\\u180B-\\u180D\\u180F\\uFE00-\\uFE0F${range(0xe0100, 0xe01ef)}`;
/** Unicode's Default_Ignorable_Code_Point but for the variation selectors. */
const HIDDEN = [
  '\\u00AD\\u034F\\u061C\\u115F\\u1160\\u17B4\\u17B5\\u180E\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u206F\\u3164\\uFEFF\\uFFA0\\uFFF0-\\uFFF8',
  range(0x1bca0, 0x1bca3),
  range(0x1d173, 0x1d17a),
  range(0xe0000, 0xe00ff),
  range(0xe01f0, 0xe0fff),
].join('');
const ANNOTATIONS = '\\uFFF9-\\uFFFB';
/** Blanks of every width. U+2800 is the blank among the Braille patterns. */
const BLANKS = '\\x20\\u00A0\\u1680\\u2000-\\u200A\\u202F\\u205F\\u2800\\u3000';

export type TextKind = 'short' | 'long';

const FORBIDDEN: Readonly<Record<TextKind, string>> = {
  short: CONTROLS + SEPARATORS + HIDDEN + ANNOTATIONS,
  long: CONTROLS_BUT_LAYOUT,
};

/** What is allowed and leaves no ink. */
const INKLESS: Readonly<Record<TextKind, string>> = {
  short: BLANKS + SELECTORS,
  long: `\\t\\n\\r${BLANKS}${SEPARATORS}${HIDDEN}${SELECTORS}`,
};

const HAS_FORBIDDEN = { short: new RegExp(`[${FORBIDDEN.short}]`, 'u'), long: new RegExp(`[${FORBIDDEN.long}]`, 'u') };
const ONLY_INKLESS = new RegExp(`^[\\t-\\r${INKLESS.long}]*$`, 'u');

export function hasForbiddenCharacter(text: string, kind: TextKind): boolean {
  return HAS_FORBIDDEN[kind].test(text) || !text.isWellFormed();
}

export function isBlank(text: string): boolean {
  return ONLY_INKLESS.test(text);
}

/**
 * The same as a pattern for the document; a JSON text that is not broken needs no check of its surrogates. With `inked`, the
 * text must not be blank. No character is tried twice, so that a long text takes no longer than it is.
 */
export function textPattern(kind: TextKind, inked: boolean): string {
  const any = `[^${FORBIDDEN[kind]}]*$`;
  return inked ? `^[${INKLESS[kind]}]*[^${FORBIDDEN[kind]}${INKLESS[kind]}]${any}` : `^${any}`;
}

/** Whether a text has more than `longest` code points, without counting all of a very long one. */
export function isLongerThan(text: string, longest: number): boolean {
  if (text.length <= longest) return false;
  return text.length > 2 * longest || [...text].length > longest;
}

export const FORBIDDEN_CHARACTERS: Readonly<Record<TextKind, string>> = {
  short: 'must not contain control characters, line breaks, invisible characters or broken Unicode',
  long: 'must not contain control characters (but tabs and line breaks) or broken Unicode',
};

function range(first: number, last: number): string {
  return `${String.fromCodePoint(first)}-${String.fromCodePoint(last)}`;
}
