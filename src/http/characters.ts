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
 */
const HIDDEN = '(?!\\p{Variation_Selector})[\\p{Default_Ignorable_Code_Point}\\uFFF9-\\uFFFB]';
const FORBIDDEN_IN_SHORT = new RegExp(`[\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}]|${HIDDEN}`, 'u');
const FORBIDDEN_IN_LONG = /[^\P{Cc}\t\n\r]|\p{Cs}/u;

/** Anything that leaves ink: neither a blank of any kind nor drawn as nothing. U+2800 is the blank among the Braille patterns. */
const INK = /[^\s\p{Default_Ignorable_Code_Point}\u2800]/u;

export type TextKind = 'short' | 'long';

export function hasForbiddenCharacter(text: string, kind: TextKind): boolean {
  return (kind === 'short' ? FORBIDDEN_IN_SHORT : FORBIDDEN_IN_LONG).test(text);
}

export function isBlank(text: string): boolean {
  return !INK.test(text);
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
