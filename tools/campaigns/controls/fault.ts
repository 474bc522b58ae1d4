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

/** The source with the fault, or undefined unless it has the text to replace exactly once. */
export function sourceWith({ file, find, replace }: Fault): string | undefined {
  const [before, after, ...others] = readFileSync(file, 'utf8').split(find);
  return before === undefined || after === undefined || others.length > 0 ? undefined : before + replace + after;
}
