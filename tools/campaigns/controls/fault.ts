import { readFileSync } from 'node:fs';

/** A fault that somebody could make in a source, and the specs that have to notice it. */
export interface Fault {
  readonly about: string;
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  readonly specs: readonly string[];
  /** Of their tests only those with this text in their names, where others would wait for what the fault never lets happen. */
  readonly only?: string;
}

/** How often the source has the text to replace. A fault can only be put into one that has it once. */
export function placesOf({ file, find }: Fault): number {
  return readFileSync(file, 'utf8').split(find).length - 1;
}
