import { resolve } from 'node:path';

declare const SPECS_TOGETHER: readonly string[];
declare const PARTS: number;

/** Runs its share of the specs that `jest.together.mjs` lists. */
export function runPart(part: number): void {
  for (const name of SPECS_TOGETHER.filter((_, index) => index % PARTS === part)) {
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
