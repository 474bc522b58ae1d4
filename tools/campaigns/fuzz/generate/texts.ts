import fc from 'fast-check';

/** Characters that somebody has tripped over: of other scripts, composed, hidden, of another plane, of some syntax. */
const ODD = [
  ...['é', 'e\u0301', 'ß', 'İ', 'ﬁ', 'Ａ', 'ש', 'م', 'ก็', '\u1112\u1161\u11ab', '🚚', '👍🏽', '❤\ufe0f', '葛\u{e0100}'],
  ...['\ufffd', '\uffff', '\ue000', '\u{10ffff}', '\u0301', '\u00a0', '\u3000', '\u2800', '\ufe0f', '\u06001'],
  ...['\t', '\n', '\r', '\u2028', '\u2029', '\u200b', '\u200d', '\u200e', '\u202e', '\u2066', '\ufeff', '\u00ad'],
  ...[
    '\u0000',
    '\u0007',
    '\u001b',
    '\u007f',
    '\u0085',
    '\u009f',
    '\u115f',
    '\u3164',
    '\ufff9',
    '\u{e0001}',
    '\u{1d173}',
  ],
  ...[
    '"',
    "'",
    '\\',
    '/',
    '%',
    '%00',
    '&',
    '+',
    '=',
    '#',
    '?',
    ';',
    '--',
    '$1',
    '${a}',
    '{}',
    '<b>',
    'null',
    '__proto__',
  ],
];

/** Hidden beyond the basic plane, where the patterns of the document do not reach. A selector may stand behind something. */
const HIDDEN_BEYOND =
  /[\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e00ff}\u{e01f0}-\u{e0fff}]|^[\u{e0100}-\u{e01ef}]$/u;

const HALVES = ['\ud83d', '\ude9a', '\ude9a\ud83d', '\ud800'];

/** One character or a few that belong together. */
export const pieces: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...'abcxyzABCXYZ0123456789 -.,') },
  { weight: 3, arbitrary: fc.constantFrom(...ODD) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }) },
);

const USUAL_LENGTH = 12;

/** Texts of pieces that a test lets through, of up to a number of code points: short ones, and some of just that length. */
export function texts(longest: number, passes: (piece: string) => boolean): fc.Arbitrary<string> {
  const passing = pieces.filter((piece) => passes(piece) && !HIDDEN_BEYOND.test(piece));
  return fc.oneof(
    {
      weight: 7,
      arbitrary: fc
        .array(passing, { maxLength: Math.min(longest, USUAL_LENGTH) })
        .map((all) => cut(all.join(''), longest)),
    },
    { weight: 1, arbitrary: passing.map((piece) => cut(piece.repeat(longest), longest)) },
  );
}

/** Texts of more code points than there may be. */
export function tooLong(longest: number): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom('x', '🚚', 'é', ' x'), fc.constantFrom(1, 2, 17, longest))
    .map(([piece, more]) => cut(piece.repeat(longest + more), longest + more));
}

/** Texts in which something is hidden beyond the basic plane; prose may have it. */
export const hidingTexts: fc.Arbitrary<string> = fc.constantFrom(
  'a\u{1bca0}',
  '\u{1d173}a',
  'a\u{e0041}b',
  '\u{e0fff}',
);

/** A text with a half of a surrogate pair in it. */
export const brokenTexts: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom('', 'a', '🚚'), fc.constantFrom(...HALVES), fc.constantFrom('', 'b'))
  .map((parts) => parts.join(''))
  .filter((text) => !text.isWellFormed());

function cut(text: string, longest: number): string {
  return [...text].slice(0, longest).join('');
}
