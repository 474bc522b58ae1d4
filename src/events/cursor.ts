import { cursorOf, textIn } from '../records/paging.js';

/** A position in the feed: after the event with this number. The seal distinguishes it from an event with the same number in another database. */
export interface Cursor {
  readonly number: number;
  readonly seal: string;
}

const TEXT = /^(0|[1-9]\d{0,14})\.([0-9a-f]{16})$/;

/** The content of a cursor; `cursorOf` encodes it. */
export function cursorText({ number, seal }: Cursor): string {
  return `${number}.${seal}`;
}

export function writeCursor(cursor: Cursor): string {
  return cursorOf(cursorText(cursor));
}

export function readCursorText(text: string): Cursor | undefined {
  const [, number, seal] = TEXT.exec(text) ?? [];
  return number === undefined || seal === undefined ? undefined : { number: Number(number), seal };
}

/** Undefined if the text is not a cursor of this service. */
export function readCursor(written: string): Cursor | undefined {
  const text = textIn(written);
  return cursorOf(text) === written ? readCursorText(text) : undefined;
}

/** A copy with a text of its own. One that was cut out of a longer text would keep all of that in memory. */
export function ownCursor({ number, seal }: Cursor): Cursor {
  return { number, seal: Buffer.from(seal, 'latin1').toString('latin1') };
}
