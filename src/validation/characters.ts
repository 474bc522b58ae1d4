/**
 * The characters that texts may contain. Valid texts are stored and returned unchanged.
 *
 * Short texts (names, codes, address lines) are compared, sorted and read at a glance, so they must not contain invisible characters
 * or characters that change how the rest is displayed: controls, line breaks, unpaired surrogates, and everything that Unicode marks
 * as ignorable (zero-width characters, byte order marks, direction marks, soft hyphens, fillers, tags, annotations). Variation
 * selectors are allowed, because emoji and Japanese names use them.
 *
 * Long texts (remarks, reasons, descriptions) are prose. They may contain tabs, line breaks, joiners and direction marks, which
 * Persian, Sinhala, mixed Hebrew and English, and emoji families need.
 *
 * Validation and the API document use the same character classes. They are spelled out because not every tool supports \p{...}. No
 * syntax for characters above U+FFFF works in all tools, so only validation covers those.
 */
const CONTROLS = '\\x00-\\x1F\\x7F-\\x9F';
const CONTROLS_BUT_LAYOUT = '\\x00-\\x08\\x0B\\x0C\\x0E-\\x1F\\x7F-\\x9F';
const SEPARATORS = '\\u2028\\u2029';
const SELECTORS = '\\u180B-\\u180D\\u180F\\uFE00-\\uFE0F';
const SELECTORS_BEYOND = '\\u{E0100}-\\u{E01EF}';
/** Unicode's Default_Ignorable_Code_Point, except variation selectors. */
const HIDDEN =
  '\\u00AD\\u034F\\u061C\\u115F\\u1160\\u17B4\\u17B5\\u180E\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u206F\\u3164\\uFEFF\\uFFA0\\uFFF0-\\uFFF8';
const HIDDEN_BEYOND = '\\u{1BCA0}-\\u{1BCA3}\\u{1D173}-\\u{1D17A}\\u{E0000}-\\u{E00FF}\\u{E01F0}-\\u{E0FFF}';
const ANNOTATIONS = '\\uFFF9-\\uFFFB';
/** Spaces of every width. U+2800 is the Braille blank. */
const BLANKS = '\\x20\\u00A0\\u1680\\u2000-\\u200A\\u202F\\u205F\\u2800\\u3000';

export type TextKind = 'short' | 'long';

const FORBIDDEN: Readonly<Record<TextKind, string>> = {
  short: CONTROLS + SEPARATORS + HIDDEN + ANNOTATIONS,
  long: CONTROLS_BUT_LAYOUT,
};

/** Allowed characters that are invisible. */
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
 * The same rules as a pattern for the API document, except for characters above U+FFFF and invalid Unicode. With `inked`, the text
 * must not be blank. The pattern never backtracks, so matching takes linear time.
 */
export function textPattern(kind: TextKind, inked: boolean): string {
  const any = `[^${FORBIDDEN[kind]}]*$`;
  return inked ? `^[${INKLESS[kind]}]*[^${FORBIDDEN[kind]}${INKLESS[kind]}]${any}` : `^${any}`;
}

/** Whether a text has more than `maxLength` code points; does not count all of a very long text. */
export function isLongerThan(text: string, maxLength: number): boolean {
  if (text.length <= maxLength) return false;
  return text.length > 2 * maxLength || [...text].length > maxLength;
}

export const FORBIDDEN_CHARACTERS: Readonly<Record<TextKind, string>> = {
  short: 'must not contain control characters, line breaks, invisible characters or unpaired surrogates',
  long: 'must not contain control characters other than tabs and line breaks, or unpaired surrogates',
};
