import { fileFault } from './file-format.js';

/** The encodings in which spreadsheets save CSV. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

const LINE_FEED = 0x0a;

/** The beginnings of .xlsx and .ods, which are zip files, and of .xls. */
const WORKBOOKS = [Buffer.from('PK\u0003\u0004'), Buffer.from([0xd0, 0xcf, 0x11, 0xe0])];

/**
 * Characters that prove UTF-8, because hardly anybody writes their bytes in Windows-1252: a byte order mark, a Latin letter, a typographic
 * sign, or two others in a row. A single other one does not: the bytes of `ß“` are also a letter of N'Ko.
 */
const SURELY_UTF8 = /^\uFEFF|[\u00A0-\u017F\u2010-\u203A\u20AC]|[^\0-\u007F\uFFFD]{2}/;

/** Bytes without a character in Windows-1252. */
const NOT_WESTERN = /[\x81\x8D\x8F\x90\x9D]/;

/** What Windows-1252 has in place of the control characters of Latin-1. */
const WESTERN = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8DŽ\x8F\x90‘’“”•–—˜™š›œ\x9DžŸ';

/** Finds the encoding of a file, and validates its text: no malformed sequence, and no U+0000. JSON is always UTF-8. */
export async function encodingOf(read: () => AsyncIterable<Buffer>, isJson: boolean): Promise<Encoding> {
  const beginning = await firstChunkOf(read());
  if (WORKBOOKS.some((each) => beginning.indexOf(each) === 0)) {
    throw fileFault('is a workbook, not text. Save it as CSV in UTF-8');
  }
  const wide = wideEncodingOf(beginning);
  if (wide === undefined) return checkBytes(read(), isJson);
  if (isJson) throw fileFault('is in UTF-16. JSON lines must be in UTF-8');
  return checkUtf16(read(), wide);
}

async function firstChunkOf(bytes: AsyncIterable<Buffer>): Promise<Buffer> {
  for await (const chunk of bytes) return chunk;
  return Buffer.alloc(0);
}

/** UTF-16 that begins with a byte order mark, or without one with a Latin letter, which has a zero byte. */
function wideEncodingOf([first, second]: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  if (second === 0 || (first === 0xff && second === 0xfe)) return 'utf-16le';
  if (first === 0 || (first === 0xfe && second === 0xff)) return 'utf-16be';
  return undefined;
}

async function checkUtf16<E extends Encoding>(bytes: AsyncIterable<Buffer>, encoding: E): Promise<E> {
  let line = 1;
  try {
    for await (const text of decoded(bytes, encoding, { fatal: true })) {
      const end = text.indexOf('\0');
      line += text.slice(0, end < 0 ? undefined : end).split('\n').length - 1;
      if (end >= 0) throw nullCharacter(line);
    }
  } catch (error) {
    throw error instanceof TypeError ? fileFault('is not valid UTF-16. Save it as CSV in UTF-8') : error;
  }
  return encoding;
}

async function checkBytes(bytes: AsyncIterable<Buffer>, isJson: boolean): Promise<Encoding> {
  const strict = { fatal: true, ignoreBOM: true };
  let utf8 = new TextDecoder('utf-8', strict);
  /** The first line that shows what the file is, or is not. */
  const lines: { utf8?: number; broken?: number; notWestern?: number } = {};
  let line = 1;
  const check = (part?: Buffer) => {
    if (part?.includes(0)) throw nullCharacter(line);
    try {
      // A character may begin in one chunk and end in the next.
      if (SURELY_UTF8.test(utf8.decode(part, { stream: part !== undefined }))) lines.utf8 ??= line;
    } catch {
      lines.broken ??= line;
      utf8 = new TextDecoder('utf-8', strict);
      if (SURELY_UTF8.test(part?.toString('utf8') ?? '')) lines.utf8 ??= line;
    }
    if (NOT_WESTERN.test(part?.toString('latin1') ?? '')) lines.notWestern ??= line;
  };
  for await (const chunk of bytes) {
    let from = 0;
    for (let feed = chunk.indexOf(LINE_FEED); feed >= 0; feed = chunk.indexOf(LINE_FEED, from)) {
      check(chunk.subarray(from, feed + 1));
      from = feed + 1;
      line += 1;
    }
    check(chunk.subarray(from));
  }
  check();
  const { utf8: proof, broken, notWestern } = lines;
  if (broken === undefined) return 'utf-8';
  const advice = 'Save the file as CSV in UTF-8';
  if (isJson) throw fileFault('is not valid UTF-8', { line: broken });
  if (proof !== undefined) throw fileFault(`is not valid UTF-8, but line ${proof} is. ${advice}`, { line: broken });
  if (notWestern !== undefined) throw fileFault(`is neither UTF-8 nor Windows-1252. ${advice}`, { line: notWestern });
  return 'windows-1252';
}

function nullCharacter(line: number) {
  return fileFault('contains a null character (U+0000)', { line });
}

async function* decoded(
  bytes: AsyncIterable<Buffer>,
  encoding: Encoding,
  options?: { readonly fatal: boolean },
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder(encoding, options);
  for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

/** The same text in UTF-8. */
export async function* inUtf8(
  bytes: AsyncIterable<Buffer>,
  encoding: Encoding,
): AsyncGenerator<Buffer, void, undefined> {
  if (encoding === 'utf-8') yield* bytes;
  else if (encoding === 'windows-1252') for await (const chunk of bytes) yield Buffer.from(western(chunk));
  else for await (const text of decoded(bytes, encoding)) yield Buffer.from(text);
}

/** Node 20 decodes Windows-1252 as Latin-1. */
function western(bytes: Buffer): string {
  return bytes.toString('latin1').replace(/[\x80-\x9F]/g, (each) => WESTERN[each.charCodeAt(0) - 0x80] ?? each);
}
