import { resolve } from 'node:path';

declare const PARTS: readonly (readonly string[])[];

/** Runs its share of the specs that `jest.together.mjs` deals out. */
export function runPart(part: number): void {
  for (const name of PARTS[part] ?? []) {
    describe(name, () => {
      try {
        jest.requireActual(resolve('test', name));
      } catch (error) {
        test('can be loaded', () => {
          throw error;
        });
      }
    });
  }
}
