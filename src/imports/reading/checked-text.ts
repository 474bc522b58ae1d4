import { fileFault } from './file-format.js';

const LINE_FEED = 0x0a;

/** Validates the bytes of a file, line by line: UTF-8 without U+0000. */
export async function* checkedText(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  let line = 1;
  const check = (part?: Buffer) => {
    if (part?.includes(0)) throw fileFault('contains a null character (U+0000)', { line });
    try {
      // A character may begin in one chunk and end in the next.
      utf8.decode(part, { stream: part !== undefined });
    } catch {
      throw fileFault('is not valid UTF-8. Save the file as CSV in UTF-8', { line });
    }
  };
  let isFirst = true;
  for await (const chunk of bytes) {
    if (isFirst && isUtf16(chunk)) throw fileFault('is in UTF-16. Save it as CSV in UTF-8');
    isFirst = false;
    let from = 0;
    for (let feed = chunk.indexOf(LINE_FEED); feed >= 0; feed = chunk.indexOf(LINE_FEED, from)) {
      check(chunk.subarray(from, feed + 1));
      from = feed + 1;
      line += 1;
    }
    check(chunk.subarray(from));
    yield chunk;
  }
  check();
}

/** With or without a byte order mark, UTF-16 text that begins with a Latin letter has a zero byte among its first two. */
function isUtf16(bytes: Buffer): boolean {
  const [first, second] = bytes;
  return first === 0 || second === 0 || (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}
