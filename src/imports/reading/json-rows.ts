import { parseStrictJson } from '../../http/strict-json.js';
import { Problem } from '../../problem/problem.js';
import { fileFault, type FileRow, MAX_ROW_BYTES } from './file-format.js';

const LINE_FEED = 0x0a;
const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

export async function* jsonRows(text: AsyncIterable<Buffer>): AsyncGenerator<FileRow, void, undefined> {
  for await (const { line, bytes } of linesOf(text)) {
    const written = bytes.toString('utf8');
    if (written.trim() === '') continue;
    const value = parsed(written, line);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw fileFault('must be a JSON object with the fields of a shipment', { line });
    }
    if (!isStorable(value))
      throw fileFault('contains a null character, an unpaired surrogate or a number that is too large', { line });
    yield { line, sent: value };
  }
}

async function* linesOf(text: AsyncIterable<Buffer>) {
  let line = 1;
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of text) {
    let all = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    if (line === 1 && all.indexOf(BYTE_ORDER_MARK) === 0) all = all.subarray(BYTE_ORDER_MARK.length);
    let from = 0;
    for (let feed = all.indexOf(LINE_FEED); feed >= 0; feed = all.indexOf(LINE_FEED, from)) {
      yield { line, bytes: bounded(all.subarray(from, feed), line) };
      line += 1;
      from = feed + 1;
    }
    rest = bounded(all.subarray(from), line);
  }
  if (rest.length > 0) yield { line, bytes: rest };
}

function bounded(bytes: Buffer, line: number): Buffer {
  if (bytes.length > MAX_ROW_BYTES) throw fileFault(`is longer than ${MAX_ROW_BYTES} bytes`, { line });
  return bytes;
}

function parsed(written: string, line: number): unknown {
  try {
    return parseStrictJson(written);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw fileFault(error.detail.replace(/^The body (.*)\.$/, '$1'), { line });
  }
}

/** Whether it can be stored as it is. A number that is too large would become null, which clears a field. */
function isStorable(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, member]) => isStorable(name) && isStorable(member));
}
