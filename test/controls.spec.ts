import { existsSync, readFileSync } from 'node:fs';
import { FAULTS } from './controls/faults.js';

test.each(FAULTS)('npm run test:controls can still put this fault into its source: $about', ({ file, find, specs }) => {
  expect(readFileSync(file, 'utf8').split(find)).toHaveLength(2);
  expect(specs.filter((spec) => !existsSync(spec))).toEqual([]);
});
