import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { Refusal } from './client.js';

/** A body that no endpoint takes, with the answer it gets everywhere. */
export interface BodyCase {
  readonly name: string;
  readonly body: string | Buffer;
  readonly headers?: Record<string, string>;
  readonly refusal: Refusal;
}

const MALFORMED: Refusal = { status: 400, code: 'MALFORMED_JSON' };
const TOO_LARGE: Refusal = { status: 413, code: 'TOO_LARGE' };
const LIMIT = 65_536;

const utf16 = Buffer.from('{"a":1}', 'utf16le');

/** One of a kind: the spec of the parser has all others. */
const UNREADABLE: Record<string, string | Buffer> = {
  'nothing at all': '',
  'an open brace': '{',
  'a zero byte behind it': '{}\u0000',
  'a bare zero byte in a text': '{"a":"b\u0000c"}',
  'a form': 'shipmentType=HHG&remarks=a',
  XML: '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
  'a byte order mark': '\ufeff{}',
  'UTF-16, little end first': utf16,
  'UTF-16, big end first': Buffer.from(utf16).swap16(),
  'UTF-16 with a byte order mark': Buffer.concat([Buffer.from([0xff, 0xfe]), utf16]),
  'UTF-32': Buffer.from([0x7b, 0, 0, 0, 0x7d, 0, 0, 0]),
  'Latin-1': Buffer.from('{"a":"\xe4"}', 'latin1'),
  'a lone continuation byte': Buffer.from([0x7b, 0x22, 0x80, 0x22, 0x3a, 0x31, 0x7d]),
  'an overlong encoding': Buffer.from([0x22, 0xc0, 0xaf, 0x22]),
  'a surrogate encoded in UTF-8': Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]),
  'a character beyond Unicode': Buffer.from([0x22, 0xf4, 0x90, 0x80, 0x80, 0x22]),
  'a character cut off': Buffer.from([0x22, 0xf0, 0x9f, 0x9a, 0x22]),
  'the same name twice': '{"shipmentType":"A","shipmentType":"B"}',
  'the same name twice, once escaped': '{"remarks":"A","rem\\u0061rks":"B"}',
  'the name __proto__': '{"__proto__":{"isAdmin":true}}',
  'the name __proto__, escaped': '{"\\u005f_proto__":{"isAdmin":true}}',
  '33 levels of objects': '{"a":'.repeat(33) + '1' + '}'.repeat(33),
  '30,000 levels': '['.repeat(30_000) + ']'.repeat(30_000),
  '30,000 open levels': '['.repeat(30_000),
  '1,001 names': `{${Array.from({ length: 1001 }, (_, i) => `"n${i}":1`).join()}}`,
  '1,001 names in many objects': `[${'{"a":1},'.repeat(1000)}{"a":1}]`,
};

const packed = (name: string, encoding: string, body: Buffer | string, refusal: Refusal): BodyCase => {
  return { name, body, headers: { 'Content-Encoding': encoding }, refusal };
};
const bomb = Buffer.alloc(1_000_000, ' ');
const gzip = gzipSync('{"shipmentType":"HHG"}');

const PACKED: BodyCase[] = [
  packed('gzip that is none', 'gzip', '{}', MALFORMED),
  packed('gzip cut off', 'gzip', gzip.subarray(0, gzip.length - 9), MALFORMED),
  packed('gzip with a wrong checksum', 'gzip', Buffer.concat([gzip.subarray(0, -8), Buffer.alloc(8)]), MALFORMED),
  packed('gzip of nothing', 'gzip', gzipSync(''), MALFORMED),
  packed('gzip of no JSON', 'gzip', gzipSync('<a/>'), MALFORMED),
  packed('a bomb of gzip', 'gzip', gzipSync(bomb), TOO_LARGE),
  packed('deflate that is none', 'deflate', '{}', MALFORMED),
  packed('a bomb of deflate', 'deflate', deflateSync(bomb), TOO_LARGE),
  packed('br that is none', 'br', '{"a":1}', MALFORMED),
  packed('br cut off', 'br', brotliCompressSync('{"a":"aaaaaaaaaaaaaaaaaa"}').subarray(0, 12), MALFORMED),
  packed('a bomb of br', 'br', brotliCompressSync(bomb), TOO_LARGE),
  ...['compress', 'zstd', 'gzip, gzip', 'x', 'identity, gzip'].map((encoding) => {
    return packed(`the encoding ${encoding}`, encoding, '{}', { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' });
  }),
];

const WRONG_TYPES = [
  ...[
    'text/plain',
    'text/json',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=a',
  ],
  ...[
    'application/json-patch+json',
    'application/jsonx',
    'application',
    '*/*',
    'json',
    ';',
    'application/json, text/plain',
  ],
  ...['application/json; charset=utf-16', 'application/json; charset=latin1', 'application/json;charset="utf-7"'],
  ...['application/json; charset=utf-8; charset=utf-16', 'application/json; charset'],
];

/** Bodies that every endpoint rejects. */
export const BODIES: readonly BodyCase[] = [
  ...Object.entries(UNREADABLE).map(([name, body]) => ({ name, body, refusal: MALFORMED })),
  ...PACKED,
  { name: 'one byte too many', body: '{}'.padEnd(LIMIT + 1), refusal: TOO_LARGE },
  { name: 'a megabyte', body: `{"a":"${'a'.repeat(1_000_000)}"}`, refusal: TOO_LARGE },
  ...WRONG_TYPES.map((type) => ({
    name: `Content-Type ${type}`,
    body: '{}',
    headers: { 'Content-Type': type },
    refusal: { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' },
  })),
  ...['null', '[]', '[{}]', '"a"', '7', '-0', 'true', '1e400'].map((body) => ({
    name: `${body} instead of an object`,
    body,
    refusal: { status: 422, code: 'VALIDATION_FAILED', faults: [' WRONG_TYPE'] },
  })),
  ...['colour', '', ' ', 'ETag', 'toString', 'hasOwnProperty', '__proto', '$where', 'a/b~c', '0', 'id\u0000', '🚚'].map(
    (name) => ({
      name: `the unknown field ${JSON.stringify(name)}`,
      body: JSON.stringify({ [name]: 1 }),
      refusal: {
        status: 422,
        code: 'VALIDATION_FAILED',
        faults: [`/${name.replace('~', '~0').replace('/', '~1')} UNKNOWN_FIELD`],
        count: 'any' as const,
      },
    }),
  ),
];
