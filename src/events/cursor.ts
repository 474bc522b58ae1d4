import { cursorOf, textIn } from '../records/paging.js';

/** A place in the feed: after the event with this number. The seal distinguishes that event from one with the same number in another database. */
export interface Cursor {
  readonly number: number;
  readonly seal: string;
}

const TEXT = /^(0|[1-9]\d{0,14})\.([0-9a-f]{16})$/;

/** What a cursor says; `cursorOf` packs it. */
export function cursorText({ number, seal }: Cursor): string {
  return `${number}.${seal}`;
}

export function writeCursor(cursor: Cursor): string {
  return cursorOf(cursorText(cursor));
}

/** Undefined when a text is no cursor of this service. */
export function readCursor(written: string): Cursor | undefined {
  const text = textIn(written);
  const [, number, seal] = TEXT.exec(text) ?? [];
  if (number === undefined || seal === undefined || cursorOf(text) !== written) return undefined;
  return { number: Number(number), seal };
}
