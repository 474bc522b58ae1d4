import { isUtf8 } from 'node:buffer';
import { fileFault } from './file-format.js';

const LINE_FEED = 0x0a;
/** Maximum length of a UTF-8 character. */
const MAX_CHARACTER_BYTES = 4;

/** Validates the bytes of a file: complete UTF-8 characters, without U+0000. */
export async function* checkedText(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  let line = 1;
  let rest: Buffer = Buffer.alloc(0);
  let isFirst = true;
  for await (const chunk of bytes) {
    const all = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    if (isFirst && isUtf16(all)) throw fileFault('is in UTF-16. Save it as CSV in UTF-8');
    isFirst = false;
    const end = endOfCharacters(all);
    const text = all.subarray(0, end);
    checkLines(text, line);
    line += linesIn(text);
    rest = all.subarray(end);
    if (text.length > 0) yield text;
  }
  if (rest.length > 0) throw notUtf8(line);
}

/** With or without a byte order mark, UTF-16 text that begins with a Latin letter has a zero byte among its first two. */
function isUtf16(bytes: Buffer): boolean {
  const [first, second] = bytes;
  return first === 0 || second === 0 || (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

/** The end of the last complete character. */
function endOfCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(MAX_CHARACTER_BYTES, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    const isContinuation = (byte & 0xc0) === 0x80;
    if (isContinuation) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function checkLines(text: Buffer, firstLine: number): void {
  const zero = text.indexOf(0);
  if (zero >= 0) {
    const line = firstLine + linesIn(text.subarray(0, zero));
    throw fileFault('contains a null character (U+0000)', { line });
  }
  if (isUtf8(text)) return;
  let line = firstLine;
  for (let from = 0; from < text.length; line += 1) {
    const feed = text.indexOf(LINE_FEED, from);
    const to = feed < 0 ? text.length : feed + 1;
    if (!isUtf8(text.subarray(from, to))) throw notUtf8(line);
    from = to;
  }
}

function linesIn(text: Buffer): number {
  let count = 0;
  for (let at = text.indexOf(LINE_FEED); at >= 0; at = text.indexOf(LINE_FEED, at + 1)) count += 1;
  return count;
}

function notUtf8(line: number) {
  return fileFault('is not valid UTF-8. Save the file as CSV in UTF-8', { line });
}
