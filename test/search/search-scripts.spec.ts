// Not through PgBouncer: it only reads, with statements that other specs send through it.
import { repetitions } from '../support/repository/sweeps.js';
import { useService } from '../support/service/service.js';

const service = useService();

/** Letters of twelve scripts, with what people type instead of them where that differs. */
const SCRIPTS: Readonly<Record<string, readonly string[]>> = {
  Latin: ['é', 'ö', 'ß', 'æ', 'ø', 'ł', 'ç', 'ñ', 'ﬁ', 'a', 'Z', 'ő', 'đ', 'þ', 'İ', 'ẞ', 'Œ', 'Ǆ', 'Å', '５'],
  Greek: ['ά', 'Σ', 'ω', 'ΐ', 'ξ', 'Ὀ', 'β', 'μ'],
  Cyrillic: ['й', 'Ё', 'ж', 'щ', 'Ї', 'ў', 'я', 'Ӂ'],
  Armenian: ['Ա', 'բ', 'և', 'ք', 'օ'],
  Georgian: ['ა', 'ბ', 'Გ', 'ჭ', 'ჰ'],
  Hebrew: ['שׁ', 'לָ', 'וֹ', 'ם', 'בּ', 'ך'],
  Arabic: ['مُ', 'ح', 'أ', 'ﷺ', 'ﻻ', 'ة', 'ـ', 'ي'],
  Devanagari: ['न', 'मा', 'स्', 'ते', 'क़', 'ृ'],
  Thai: ['ก', 'รุ', 'ง', 'เ', 'ท', 'พ'],
  Hangul: ['한', '국', '어', '가', '힣', '뷁'],
  Japanese: ['が', 'ガ', 'ｶﾞ', 'ー', '東', 'ッ', '々'],
  Han: ['港', '区', '北', '京', '台', '灣', '𠮷'],
};

const TEXTS = repetitions(10_000, 1200);

/** A generator whose texts are the same in each run. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

interface Sample {
  readonly script: string;
  readonly text: string;
  readonly word: string;
}

function samples(): Sample[] {
  const draw = random(20_261_117);
  const scripts = Object.entries(SCRIPTS);
  return Array.from({ length: TEXTS }, (_, index) => {
    const [script, letters] = scripts[index % scripts.length] ?? ['', []];
    const words = Array.from({ length: 1 + draw(5) }, () =>
      Array.from({ length: 1 + draw(7) }, () => letters[draw(letters.length)]).join(''),
    );
    const separator = [' ', ', ', '-', '\n', ' / ', '\u00a0', '\u3000', '. '][draw(8)] ?? ' ';
    return { script, text: words.join(separator), word: words[draw(words.length)] ?? '' };
  });
}

/** Ways to write the same word. */
const SPELLINGS: Readonly<Record<string, (word: string) => string>> = {
  'as it is': (word) => word,
  'in capitals': (word) => word.toUpperCase(),
  'in lower case': (word) => word.toLowerCase(),
  decomposed: (word) => word.normalize('NFD'),
  composed: (word) => word.normalize('NFC'),
  'without marks': (word) => word.normalize('NFD').replace(/[\u0300-\u036f\u0591-\u05c7\u064b-\u065f]/g, ''),
  'its first half': (word) => {
    const letters = [...word.normalize('NFC')];
    return letters.slice(0, Math.ceil(letters.length / 2)).join('');
  },
};

test.each(Object.entries(SPELLINGS))(`each of ${TEXTS} texts in 12 scripts is found by a word %s`, async (_, spell) => {
  const all = samples();
  const { rows } = await service.sql.query<{ n: number }>(
    `SELECT n::int FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS sample (text, q, n)
     WHERE (search_words(text) @@ search_query(q)) IS NOT TRUE AND search_query(q) IS NOT NULL`,
    [all.map(({ text }) => text), all.map(({ word }) => spell(word))],
  );
  const missed = rows
    .map(({ n }) => all[n - 1])
    .map((sample) => `${sample?.script}: ${spell(sample?.word ?? '')} in ${sample?.text}`);
  expect(missed).toEqual([]);
});

test.each([
  ['Crème Brûlée', 'creme brul'],
  ['Łódź', 'lodz'],
  ['Straße', 'STRASSE'],
  ['Ærøskøbing', 'aeroskob'],
  ['İstanbul', 'istanbul'],
  ['ﬁne', 'FINE'],
  ['Ｔｏｋｙｏ', 'tokyo'],
  ['東京都港区', '港区'],
  ['ΟΔΟΣ', 'οδός'],
  ['Ёлка', 'елка'],
  ['שָׁלוֹם', 'שלום'],
  ['مُحَمَّد', 'محمد'],
  ['한국어', '한국'],
])('%s is found as %s', async (text, q) => {
  expect(await isFound(text, q)).toBe(true);
});

test.each([
  ['the middle of a word', 'Springfield', 'field'],
  ['a word without its first letter', 'Łódź', 'odz'],
  ['the middle of a run of Thai, which has no spaces', 'กรุงเทพมหานคร', 'มหานคร'],
  ['Katakana by Hiragana', 'ガイド', 'がいど'],
  ['simplified by traditional characters', '台灣', '台湾'],
  ['a transliteration', 'Москва', 'Moskva'],
  ['German umlauts spelled with e', 'Müller', 'Mueller'],
])('not found: %s', async (_, text, q) => {
  expect(await isFound(text, q)).toBe(false);
});

async function isFound(text: string, q: string): Promise<unknown> {
  const { rows } = await service.sql.query('SELECT search_words($1) @@ search_query($2) AS found', [text, q]);
  return rows[0]?.found;
}

// PostgreSQL sorts the marks of a letter, which takes n² for n of them.
test.each(['\u0301\u0316', '\u094d\u093c'])('a word is found beside one with 2,000 marks %j', async (marks) => {
  const { rows } = await service.sql.query<{ isFound: boolean }>(
    `SELECT search_words($1) @@ search_query('springf') AS "isFound"`,
    [`a${marks.repeat(1000)} springfield`],
  );
  expect(rows).toEqual([{ isFound: true }]);
});
