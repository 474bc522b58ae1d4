import { resolve } from 'node:path';

declare const SPECS_TOGETHER: readonly string[];

const PARTS = 6;

/** Runs every sixth of the specs that `jest.suite.config.mjs` lists, from this one on. */
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
