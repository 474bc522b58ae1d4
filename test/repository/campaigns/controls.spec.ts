import { existsSync } from 'node:fs';
import { placesOf } from '../../../tools/campaigns/controls/fault.js';
import { FAULTS } from '../../../tools/campaigns/controls/faults.js';

test.each(FAULTS)('npm run campaign -- controls can still put this fault into its source: $about', (fault) => {
  expect(placesOf(fault)).toBe(1);
  expect(fault.specs.filter((spec) => !existsSync(spec))).toEqual([]);
});
