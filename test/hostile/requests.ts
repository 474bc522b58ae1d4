import { UNKNOWN_ID } from '../support/records/records.js';

/** The words of a text, for lists of values without blanks in them. */
export const words = (text: string) => text.split(' ');

/** Values of If-Match and If-None-Match that are no list of entity tags. */
export const BAD_TAGS = [
  ...words(`" "a a" "a",b w/"a" *,"a" "a",* "a""b" {"a"} ,,;`),
  ...['"a" "b"', 'W/ "a"', '"a b"', '"a\tb"', `"${'a'.repeat(64)}`, ','.repeat(100)],
];

/** Bare values that are one eTag each, which no record has ever had. */
export const FOREIGN_TAGS = [...words(`a 'a' W/ W/a ** 0 null`), 'g'.repeat(64), 'A'.repeat(63)];

/** Values of Idempotency-Key that are no key. */
export const BAD_KEYS = ['', '""', '"a', 'a"', 'a b', '"a b"', 'a\tb', 'a"b', 'a\\b', 'a'.repeat(256), 'a\u00e4'];

/** Percent-encoded path segments in place of an id that identify no record. */
export const UNKNOWN_NAMES = [
  UNKNOWN_ID,
  ...words(
    '0 -1 nonsense null undefined %00 %20 %0A %F0%9F%9A%9A %2F ..%2F..%2Fetc%2Fpasswd __proto__ constructor * %25 $1',
  ),
  ...words(`'-- '%20OR%201=1-- %27%3BDROP%20TABLE%20moves abc234 ABC10O ABC2345 ABCDE 999999`),
  ...['a'.repeat(4000), 'f'.repeat(64), 'ffffffff-ffff-ffff-ffff-ffffffffffff', '0190000A-0000-7000-8000-00000000000A'],
  ...[`${UNKNOWN_ID}0`, `${UNKNOWN_ID}%00`, `%20${UNKNOWN_ID}`, `%7B${UNKNOWN_ID}%7D`, UNKNOWN_ID.replaceAll('-', '')],
];

/** Path segments that cannot be decoded. */
export const BROKEN_NAMES = words('% %z %zz %f %FF %C3 %C0%AF %ED%A0%80 %F4%90%80%80 a% %u0041');

const NUMBERS = [
  ...words(
    '0 201 -1 +1 1.0 1.5 1e1 01 05 0x10 1,2 ten NaN Infinity 1_0 ١ 2147483648 9007199254740993 99999999999999999999',
  ),
  ...['', ' 1', '1 ', '1\u0000', '50;', "1'", 'null', 'true'],
];
const CURSORS = [
  ...words('a = ==== null nonsense MDE5 🚚 - ../.. AZAAAAAAcACAAAAAAAAAAA='),
  ...['', UNKNOWN_ID, '\u0000', "' OR 1=1", 'AAAA'.repeat(100)],
];
const SORTS = [
  ...words('- id -id status +createdAt --createdAt createdat createdAt,updatedAt updatedAt:desc constructor'),
  ...['', 'a\u0000'],
];
const MOMENTS = [
  ...words(
    'now yesterday infinity 2026-01-01 2026-01-01T00:00:00 1767225600 2026-02-30T00:00:00Z 2026-01-01T24:00:00Z',
  ),
  ...words('2026-01-01T00:60:00Z 2026-01-01T00:00:60Z 2026-01-01T00:00:00z 2026-01-01T00:00:00+24:00'),
  ...words('2026-01-01T00:00:00+0100 2026-01-01T00:00:00.Z 2026-01-01T00:00:00.1234567Z 1899-12-31T23:59:59Z'),
  ...['', '2026-01-01 00:00:00Z', '2200-01-01T00:00:00Z', '294277-01-01T00:00:00Z', '2026-01-01T00:00:00Z\u0000'],
];
const DAYS = [
  ...words('today 2026-02-29 2026-1-1 2026-13-01 2200-01-01 2026-01-01T00:00:00Z'),
  ...['', '2026-01-01\u0000'],
];
const HIDDEN = words('a\u0000b a\nb a\tb a\u007f a\u2028b a\u200bb a\u202eb \ufeffa a\u00adb a\u{e0041}');
const TEXTS = ['', 'x'.repeat(65), '🚚'.repeat(65), ...HIDDEN];
const IDS = [
  ...words('nonsense abc23i ABC23 ABC230 0190000G-0000-7000-8000-00000000000A 0'),
  ...['', `${UNKNOWN_ID}\u0000`, `{${UNKNOWN_ID}}`],
];
const STATUSES = [
  ...words('LOST submitted SUBMITTED, SUBMITTED,LOST SUBMITTED;APPROVED * 0 __proto__'),
  ...['', 'SUBMITTED ', 'SUBMITTED\u0000'],
];
const NAMES = [
  ...words(', services, ,services services,nothing Services * constructor eTag 🚚'),
  ...['', 'services, agents', 'a\u0000'],
];
const TAGS = ['', '*', 'a', 'A'.repeat(64), 'a'.repeat(63), 'a'.repeat(65), `"${'a'.repeat(64)}"`, 'g'.repeat(64)];

const COUNTS = ['', '1', 'TRUE', 'yes', 'true ', 'true,false', '\u0000'];

/** The lists and items that take a query, and bad values of each parameter, as they are before they are encoded. */
export const BAD_QUERIES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  '/v1/moves': {
    limit: NUMBERS,
    cursor: CURSORS,
    sort: SORTS,
    orderID: TEXTS,
    updatedSince: MOMENTS,
    expand: [...NAMES, 'services'],
    count: COUNTS,
  },
  '/v1/shipments': {
    ...{
      limit: NUMBERS,
      cursor: CURSORS,
      moveID: IDS,
      status: STATUSES,
      shipmentType: TEXTS,
      expand: [...NAMES, 'shipments'],
      count: COUNTS,
    },
    ...{ sort: SORTS, deliveryDateFrom: DAYS, deliveryDateTo: DAYS, updatedSince: MOMENTS },
  },
  '/v1/shipments/{shipment}': { expand: NAMES, version: TAGS },
  '/v1/moves/{move}': { expand: NAMES, version: TAGS },
  '/v1/shipments/{shipment}/agents': { limit: NUMBERS, cursor: CURSORS },
  '/v1/shipments/{shipment}/services': { limit: NUMBERS, cursor: CURSORS },
  '/v1/shipments/{shipment}/history': { limit: NUMBERS, cursor: CURSORS },
  '/v1/moves/{move}/history': { limit: NUMBERS, cursor: CURSORS },
};

/** Queries that are refused wherever they are sent, as they are written on the wire. */
export const BROKEN_QUERIES = [
  ...words(
    '% limit=% limit=%z1 limit=%FF limit=%C3 %C0%AF=1 a=%ED%A0%80 limit=%u0031 limit=1% & limit=1& &limit=1 = =1',
  ),
  ...words('limit=1&&limit=1 limit limit==1 limit=1= limit=1?limit=1 ? Limit=1 limit[]=1 limit%00=1 limit=1;cursor=a'),
  ...words('__proto__=1 constructor=1 %F0%9F%9A%9A=1 limit%20=1 limit=1&limit=1 limit=1&limit=2'),
  ...[`${'a=1&'.repeat(500)}a=1`, `${'a'.repeat(4000)}=1`, `limit=${'1'.repeat(4000)}`],
];

/** Encodings that are broken, in a parameter that takes nearly any text: nothing else about them could be refused. */
export const BROKEN_ENCODINGS = words('% %z %zz a%4 %FF a%C3 %C0%AF %ED%A0%80 %F4%90%80%80 %u0041');
