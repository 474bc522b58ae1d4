import { Problem } from '../../src/problem/problem.js';
import { MAX_NAMES, MAX_NESTING, parseStrictJson } from '../../src/http/strict-json.js';

function parse(text: string): unknown {
  return parseStrictJson(text);
}

function refusal(text: string): string | undefined {
  try {
    parse(text);
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(Problem);
    expect(error).toMatchObject({ code: 'MALFORMED_JSON', status: 400 });
    return (error as Problem).detail;
  }
}

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const names = (count: number) => `{${Array.from({ length: count }, (_, i) => `"n${i}":${i}`).join()}}`;

test.each([
  'null',
  'true',
  ' false ',
  '0',
  '-0',
  '1.0',
  '1e2',
  '1E-2',
  '-12.50e+3',
  '1e400',
  '12345678901234567890',
  '123456.78901234567890123456789',
  '0.000000000000000000001',
  '""',
  '"\\u0000\\ud83d\\"\\\\\\/\\b\\f\\n\\r\\t"',
  '"\u007f\u2028 🚚 é"',
  '[]',
  '{}',
  ' [ 1 , [ ] , { } ] ',
  '{"a":{"a":{"a":1}},"b":[{"a":1},{"a":2}]}',
  '{"":1," ":2,"A":3,"a":4}',
  '{"toString":1,"hasOwnProperty":2,"__proto":3}',
  '\t\r\n{"a"\n:\t1}\r\n',
  nested(MAX_NESTING),
  names(MAX_NAMES),
])('the same value as JSON.parse for %s', (text) => {
  expect(parse(text)).toEqual(JSON.parse(text));
});

test.each([
  ['', 'The body ends where a JSON value is expected (line 1, column 1).'],
  ['\n ', 'The body ends where a JSON value is expected (line 2, column 2).'],
  ['{', 'The body must have a name in double quotes here (line 1, column 2).'],
  ['{"a":1', 'The body must have a comma or a closing bracket here (line 1, column 7).'],
  ['{"a":1,}', 'The body must have a name in double quotes here (line 1, column 8).'],
  ["{'a':1}", 'The body must have a name in double quotes here (line 1, column 2).'],
  ['{"a" 1}', 'The body must have a colon here, after the name (line 1, column 6).'],
  ['[1 2]', 'The body must have a comma or a closing bracket here (line 1, column 4).'],
  ['[1,]', 'The body must have a JSON value here (line 1, column 4).'],
  ['{"a": 1}}', 'The body has extra characters after the JSON value (line 1, column 9).'],
  ['{}\u0000', 'The body has extra characters after the JSON value (line 1, column 3).'],
  ['[NaN]', 'The body must have a JSON value here (line 1, column 2).'],
  ['\u00a01', 'The body must have a JSON value here (line 1, column 1).'],
  ['01', 'The body has extra characters after the JSON value (line 1, column 2).'],
  ['[-a]', 'The body has a malformed number (line 1, column 2).'],
  ['1.', 'The body has extra characters after the JSON value (line 1, column 2).'],
  ['"a', 'The body ends inside a string (line 1, column 3).'],
  ['"a\nb"', 'The body has a control character in a string, which must be escaped (line 1, column 3).'],
  ['"\\x41"', 'The body has an invalid escape sequence (line 1, column 2).'],
  ['"\\u123', 'The body has an invalid escape sequence (line 1, column 2).'],
  ['"🚚\\', 'The body has an invalid escape sequence (line 1, column 3).'],
  ['\ufeff{}', 'The body begins with a byte order mark, which JSON does not allow (line 1, column 1).'],
  ['{"a":1,\n "a":1}', 'The body has the same name twice in one object (line 2, column 2).'],
  ['{"a":1,"\\u0061":1}', 'The body has the same name twice in one object (line 1, column 8).'],
  ['{"":1,"":1}', 'The body has the same name twice in one object (line 1, column 7).'],
  ['[{"b":{"a":1,"a":2}}]', 'The body has the same name twice in one object (line 1, column 14).'],
  ['{"__proto__":1}', 'The body has the name __proto__, which is not allowed (line 1, column 2).'],
  ['{"a":{"__pr\\u006fto__":1}}', 'The body has the name __proto__, which is not allowed (line 1, column 7).'],
  ['{"constructor":1}', 'The body has the name constructor, which is not allowed (line 1, column 2).'],
  ['[{"prototype":1}]', 'The body has the name prototype, which is not allowed (line 1, column 3).'],
  [nested(MAX_NESTING + 1), `The body is nested deeper than 32 levels (line 1, column 33).`],
  ['{"a":'.repeat(33), `The body is nested deeper than 32 levels (line 1, column 161).`],
  ['['.repeat(1_000_000), `The body is nested deeper than 32 levels (line 1, column 33).`],
])('refused: %p', (text, detail) => {
  expect(refusal(text)).toBe(detail);
});

test('refused: more than 1,000 names, wherever they are', () => {
  expect(refusal(names(MAX_NAMES + 1))).toMatch(/more than 1000 member names/);
  expect(refusal(`[${Array.from({ length: MAX_NAMES + 1 }, () => '{"a":1}').join()}]`)).toMatch(
    /more than 1000 member names/,
  );
});

test('refused by JSON.parse exactly when it is refused here, for all short texts of these characters', () => {
  const passes = (read: (text: string) => unknown, text: string) => {
    try {
      read(text);
      return true;
    } catch {
      return false;
    }
  };
  const disputed = (characters: readonly string[], longest: number) => {
    let texts = [''];
    const found: string[] = [];
    for (let length = 1; length <= longest; length += 1) {
      texts = texts.flatMap((text) => characters.map((character) => text + character));
      found.push(...texts.filter((text) => passes(parse, text) !== passes(JSON.parse, text)));
    }
    return found;
  };
  expect(disputed([...'{}[]":,\\un01-.e \n'], 3)).toEqual([]);
  expect(disputed([...'{}":,1'], 5)).toEqual([]);
});
