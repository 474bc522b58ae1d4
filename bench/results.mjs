// Results are numbers of rounds: their medians, and the file that keeps them.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return (sorted[Math.floor(middle)] + sorted[Math.ceil(middle)]) / 2;
}

export function mapValues(object, change) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));
}

/** Returns the path of the file. */
export function keep(name, result) {
  const folder = join(import.meta.dirname, 'results');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name}-${result.date.slice(0, 16).replace(':', '')}.json`);
  writeFileSync(path, `${JSON.stringify(result, undefined, 2)}\n`);
  return relative(process.cwd(), path);
}
