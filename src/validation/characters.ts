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
 * The check and the document use the same classes, spelled out because not all who read the document know \p{...}. No spelling
 * of characters beyond the basic plane is understood by all of them, so those that are hidden there are left to the check.
 */
const CONTROLS = '\\x00-\\x1F\\x7F-\\x9F';
const CONTROLS_BUT_LAYOUT = '\\x00-\\x08\\x0B\\x0C\\x0E-\\x1F\\x7F-\\x9F';
const SEPARATORS = '\\u2028\\u2029';
const SELECTORS = '\\u180B-\\u180D\\u180F\\uFE00-\\uFE0F';
const SELECTORS_BEYOND = '\\u{E0100}-\\u{E01EF}';
/** Unicode's Default_Ignorable_Code_Point but for the variation selectors. */
const HIDDEN =
  '\\u00AD\\u034F\\u061C\\u115F\\u1160\\u17B4\\u17B5\\u180E\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u206F\\u3164\\uFEFF\\uFFA0\\uFFF0-\\uFFF8';
const HIDDEN_BEYOND = '\\u{1BCA0}-\\u{1BCA3}\\u{1D173}-\\u{1D17A}\\u{E0000}-\\u{E00FF}\\u{E01F0}-\\u{E0FFF}';
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

const HAS_FORBIDDEN = {
  short: new RegExp(`[${FORBIDDEN.short}${HIDDEN_BEYOND}]`, 'u'),
  long: new RegExp(`[${FORBIDDEN.long}]`, 'u'),
};
const ONLY_INKLESS = new RegExp(`^[\\t-\\r${INKLESS.long}${HIDDEN_BEYOND}${SELECTORS_BEYOND}]*$`, 'u');

export function hasForbiddenCharacter(text: string, kind: TextKind): boolean {
  return HAS_FORBIDDEN[kind].test(text) || !text.isWellFormed();
}

export function isBlank(text: string): boolean {
  return ONLY_INKLESS.test(text);
}

/**
 * The same as a pattern for the document, but for what is hidden beyond the basic plane and for broken Unicode. With `inked`, the
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
  short: 'must not contain control characters, line breaks, invisible characters or unpaired surrogates',
  long: 'must not contain control characters other than tabs and line breaks, or unpaired surrogates',
};
