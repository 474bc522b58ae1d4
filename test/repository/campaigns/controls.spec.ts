import { existsSync, readdirSync } from 'node:fs';
import { sourceWith } from '../../../tools/campaigns/controls/fault.js';
import { FAULTS } from '../../../tools/campaigns/controls/faults.js';

test.each(FAULTS)('npm run campaign -- controls can still put this fault into its source: $about', (fault) => {
  expect(sourceWith(fault)).toBeDefined();
  expect(fault.specs.filter((spec) => !existsSync(spec))).toEqual([]);
});

const FOLDERS = readdirSync('src', { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => `src/${name}/`);

test.each([...FOLDERS, 'migrations/', 'console/src/model/', 'client/src/'])(
  'npm run campaign -- controls puts a fault into %s',
  (folder) => {
    expect(FAULTS.filter(({ file }) => file.startsWith(folder))).not.toEqual([]);
  },
);
