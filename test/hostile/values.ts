import { words } from './requests.js';
import { BLANK, FORBIDDEN, FORBIDDEN_IN_SHORT, ODD, ODD_IN_LONG, type TextCase } from './texts.js';

/** The values that a field accepts, stated independently of the service. */
export type FieldKind =
  | {
      readonly is: 'text';
      readonly longest: number;
      readonly prose?: boolean;
      readonly required?: boolean;
      /** A text that says nothing is taken. */
      readonly blank?: boolean;
    }
  | { readonly is: 'day' }
  | { readonly is: 'pounds' }
  | { readonly is: 'choice' }
  | { readonly is: 'move' }
  | { readonly is: 'address' };

/** A value as JSON text, and the code of the field error it gets; `MALFORMED_JSON` for the whole body; none when it is taken. */
export interface ValueCase {
  readonly name: string;
  readonly json: string;
  readonly code?: string;
}

function coded(code: string, jsons: readonly string[]): ValueCase[] {
  return jsons.map((json) => ({ name: json.length > 40 ? `${json.slice(0, 40)}...` : json, json, code }));
}

function taken(jsons: readonly string[]): ValueCase[] {
  return jsons.map((json) => ({ name: json, json }));
}

function texts(cases: readonly TextCase[], code?: string): ValueCase[] {
  return cases.map(({ name, text }) => ({ name, json: JSON.stringify(text), ...(code !== undefined && { code }) }));
}

const NO_TEXTS = coded('WRONG_TYPE', ['7', '0', '1e400', 'true', 'false', '[]', '["a"]', '{}', '{"a":"b"}']);
const NO_DAYS = [
  ...['2026-02-30', '2026-02-29', '1900-02-29', '2100-02-29', '2026-04-31', '2026-13-01', '2026-00-10', '2026-01-00'],
  ...['2026-1-1', '26-01-01', '1899-12-31', '2200-01-01', '9999-12-31', '0000-00-00', '-0001-01-01', '+2026-01-01'],
  ...words('2026-01-01T00:00:00Z 2026-01-01Z 2026-01-01\n 2026-01-01\u0000 2026/01/01'),
  ...[' 2026-01-01', '2026-01-01 '],
  ...['20260101', '01-01-2026', '2026-W01-1', '2026-001', '٢٠٢٦-٠١-٠١', '２０２６-０１-０１', '2026–01–01', ''],
  ...['now', 'today', 'infinity', '-infinity', 'epoch', 'yesterday', 'J2451187', "2026-01-01'--", '1767225600'],
];
const NO_CHOICES = [
  ...['', ' ', ' REJECTED', 'REJECTED '],
  ...words('releasing_agent RELEASING REJECTED\u0000 RELEASİNG_AGENT'),
];
const NO_IDS = [
  ...['', ' ', 'nonsense', '0', '01900000-0000-7000-8000-00000000000', '01900000-0000-7000-8000-0000000000000'],
  ...[
    '01900000-0000-7000-8000-00000000000G',
    '{01900000-0000-7000-8000-000000000000}',
    '01900000000070008000000000000000',
  ],
  ...['01900000-0000-7000-8000-000000000000\u0000', '01900000-0000-7000-8000-000000000000\n', "' OR 1=1 --"],
  ...['🚚', 'ABC23', 'ABC230', 'abc230'],
];
const NO_JSON_NUMBERS = ['01', '+1', '.5', '1.', '1e', '0x10', 'NaN', '-Infinity', '1_000', '-'];

/** The values for a field, with what must become of each. */
export function casesFor(kind: FieldKind): ValueCase[] {
  switch (kind.is) {
    case 'text':
      return textCases(kind);
    case 'day':
      return [
        ...coded(
          'INVALID_DATE',
          NO_DAYS.map((day) => JSON.stringify(day)),
        ),
        ...coded('WRONG_TYPE', ['20260101', '0', 'true', '[]', '{}', '["2026-01-01"]', '1e400']),
        ...taken(['"1900-01-01"', '"2199-12-31"', '"2024-02-29"', '"2000-02-29"', 'null']),
      ];
    case 'pounds':
      return [
        ...coded('WRONG_TYPE', words('"100" "1e2" "" "NaN" true [] [1] {} 1.5 0.1 1e-7 5e-324')),
        ...coded('OUT_OF_RANGE', words('0 -0 -0.0 -1 1000001 1e7 2147483648 -2147483649 9007199254740993')),
        ...coded('OUT_OF_RANGE', ['12345678901234567890', '1e308', '1e400', '-1e400', '1e-400', '9'.repeat(400)]),
        ...coded('MALFORMED_JSON', NO_JSON_NUMBERS),
        ...taken(['1', '1000000', '1.0', '1e2', '1E+2', '100e-2', '0.00001e5', '10.000000000000000000000', 'null']),
      ];
    case 'choice':
      return [
        ...coded(
          'NOT_ALLOWED',
          [...NO_CHOICES, 'constructor', '__proto__'].map((choice) => JSON.stringify(choice)),
        ),
        ...coded('WRONG_TYPE', ['0', 'true', '[]', '["REJECTED"]', '{}']),
        ...coded('REQUIRED', ['null']),
      ];
    case 'move':
      return [
        ...coded('INVALID_ID', [...NO_IDS.map((id) => JSON.stringify(id)), '7', 'true', '[]', '{}']),
        ...coded('UNKNOWN_MOVE', ['"01900000-0000-7000-8000-000000000000"', '"ffffffff-ffff-ffff-ffff-ffffffffffff"']),
        // Codes are valid in small letters, too.
        ...coded('UNKNOWN_MOVE', ['"ABC234"', '"abc234"']),
      ];
    case 'address':
      return [...coded('WRONG_TYPE', ['7', 'true', '"1 Main Street"', '[]', '[{}]']), ...taken(['null'])];
  }
}

function textCases({ longest, prose, required, blank }: FieldKind & { is: 'text' }): ValueCase[] {
  const [most, mostTrucks] = ['x'.repeat(longest), '🚚'.repeat(longest)];
  const lengths: TextCase[] = [
    { name: 'one character too many', text: `${most}x` },
    { name: 'one character beyond the basic plane too many', text: `${mostTrucks}🚚` },
    { name: 'far too many', text: most.repeat(8) },
  ];
  return [
    ...NO_TEXTS,
    ...texts(FORBIDDEN, 'FORBIDDEN_CHARACTER'),
    ...texts(prose ? [] : FORBIDDEN_IN_SHORT, 'FORBIDDEN_CHARACTER'),
    ...texts(blank ? [] : BLANK, 'BLANK'),
    ...texts(blank ? BLANK.filter(({ text }) => /^ *$/.test(text) && text.length <= longest) : []),
    ...texts(lengths, 'TOO_LONG'),
    ...(required ? coded('REQUIRED', ['null']) : []),
    ...texts([...ODD, ...(prose ? ODD_IN_LONG : [])]),
    ...texts([
      { name: 'as many characters as there may be', text: most },
      { name: 'as many beyond the basic plane', text: mostTrucks },
    ]),
  ];
}
