/** Texts by what must become of them. A value is what a client would send in a text field. */
export interface TextCase {
  readonly name: string;
  readonly text: string;
}

function named(cases: Record<string, string>): TextCase[] {
  return Object.entries(cases).map(([name, text]) => ({ name, text }));
}

/** Refused in every text. */
export const FORBIDDEN = named({
  'U+0000': '\u0000',
  'U+0000 in the middle': 'a\u0000b',
  'a bell': 'a\u0007',
  'a backspace': 'a\u0008b',
  'a vertical tab': 'a\u000bb',
  'a form feed': 'a\u000cb',
  'an escape sequence': '\u001b[31mred',
  'U+001F': 'a\u001f',
  delete: 'a\u007f',
  'next line U+0085': 'a\u0085b',
  'a C1 control': 'a\u009bb',
  'a high surrogate alone': 'a\ud83d',
  'a low surrogate alone': '\ude9aa',
  'a surrogate pair the wrong way round': 'a\ude9a\ud83d',
  'two high surrogates': '\ud83d\ud83d\ude9a',
});

/** Refused in short texts: they hide, or they show other characters elsewhere than they are. */
export const FORBIDDEN_IN_SHORT = named({
  'a tab': 'a\tb',
  'a line feed': 'a\nb',
  'a carriage return': 'a\rb',
  'a line break at the end': 'a\r\n',
  'a line separator': 'a\u2028b',
  'a paragraph separator': 'a\u2029b',
  'a zero width space': 'a\u200bb',
  'a zero width non-joiner': 'a\u200cb',
  'a zero width joiner': '👨‍👩‍👧',
  'a left-to-right mark': 'a\u200eb',
  'a right-to-left mark': 'a\u200fb',
  'an Arabic letter mark': 'a\u061cb',
  'an embedding': 'a\u202ab\u202c',
  'a right-to-left override': 'gpj.\u202eexe',
  'an isolate': '\u2067a\u2069',
  'a first strong isolate': '\u2068a\u2069',
  'a word joiner': 'a\u2060b',
  'an invisible plus': 'a\u2064b',
  'a byte order mark': '\ufeffa',
  'a soft hyphen': 'a\u00adb',
  'a grapheme joiner': 'a\u034fb',
  'a Mongolian vowel separator': 'a\u180eb',
  'a Hangul filler': 'a\u3164b',
  'a halfwidth Hangul filler': 'a\uffa0b',
  'an annotation': 'a\ufff9b\ufffac\ufffb',
  'a tag character': 'a\u{e0041}',
  'a language tag': '\u{e0001}a',
  'a musical format character': 'a\u{1d173}',
});

/** Refused where something must be said. */
export const BLANK = named({
  nothing: '',
  'a blank': ' ',
  'many blanks': ' '.repeat(20),
  'a no-break space': '\u00a0',
  'an ideographic space': '\u3000\u2003\u2009',
  'a zero width space alone': '\u200b',
  'a byte order mark alone': '\ufeff',
  'a Braille blank': '\u2800',
  'a variation selector alone': '\ufe0f',
  'a joiner between blanks': ' \u200d ',
});

/** Stored and returned exactly as sent, in every text. At most twenty code points, so that they fit everywhere. */
export const ODD = named({
  'an emoji': '🚚',
  'an emoji with a selector': '❤️ 1️⃣',
  'an emoji with a skin colour': '👍🏽',
  'a flag': '🇺🇸🇩🇪',
  'a combining mark that stands alone': '\u0301',
  'a heap of combining marks': `a${'\u0301\u0323'.repeat(9)}`,
  'a composed letter': '\u00e9',
  'a decomposed letter': 'e\u0301',
  'a ligature and full width': 'ﬁ Ａ',
  Hebrew: 'שלום',
  Arabic: 'مرحبا',
  'left and right mixed': 'abc שלום 12',
  'an Arabic number sign': '\u06001',
  Devanagari: 'नमस्ते',
  Thai: 'ก็ดี',
  'Hangul in pieces': '\u1112\u1161\u11ab',
  'a Japanese name with a selector': '葛\u{e0100}飾',
  'characters beyond the basic plane': '𠜎𐍈𝒳',
  'the last character of all': '\u{10ffff}',
  'a noncharacter': 'a\uffff\ufffe',
  'a private character': '\ue000',
  'a replacement character': '\ufffd',
  'blanks around': '  a  ',
  'a no-break space inside': 'a\u00a0b',
  SQL: `'; DROP TABLE moves`,
  'a SQL comment': `a' OR 1=1 --`,
  'a format string': '%s%n%x {0} $1 ${a}',
  markup: '<b>&amp;</b>',
  'a backslash at the end': 'a\\',
  'an escape that is none': '\\u0000\\n',
  'a percent encoding': '%00%0d%0a',
  'a path': '../../etc/passwd',
  'a formula': '=cmd|"/c calc"!A1',
  'a word of JSON': 'null',
  'a number': '-0',
  'the name of a prototype': '__proto__',
  quotes: `"'\u2018\u2019\``,
});

/** Stored exactly as sent in long texts only. */
export const ODD_IN_LONG = named({
  'several lines': 'one\n\ttwo\r\nthree\rfour',
  'a line separator': 'a\u2028b\u2029c',
  'a family of emoji': '👨‍👩‍👧‍👦',
  Persian: 'می‌خواهم',
  Sinhala: 'ශ්‍රී ලංකා',
  'marks of direction': 'a\u200e\u200f\u202aשלום\u202c',
  'isolates and overrides': '\u2067a\u2069\u202eb\u202c',
  'a soft hyphen': 'ship\u00adment',
  'a byte order mark inside': 'a\ufeffb',
});
