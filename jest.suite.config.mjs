import { readdirSync, readFileSync } from 'node:fs';
import common from './jest.config.mjs';

/**
 * What `npm test` runs: every spec, as `npx jest` does, in less time. Jest loads the 1,800 modules of the service and its packages
 * anew for each file, which takes longer than most specs do. So the specs that start a service are put into a few files, each
 * under its name; `test/together/run-part.ts` runs them. All others run by themselves.
 */
const STARTS_SERVICE = /from '[./]*(support\/service|suite|target)\.js'/;

const specs = readdirSync('test', { recursive: true })
  .filter((name) => name.endsWith('.spec.ts') && !name.startsWith('operations/'))
  .sort();
const together = specs.filter((name) => STARTS_SERVICE.test(readFileSync(`test/${name}`, 'utf8')));
const alone = specs.filter((name) => !together.includes(name));

export default {
  ...common,
  testMatch: ['<rootDir>/test/together/part-*.ts', ...alone.map((name) => `<rootDir>/test/${name}`)],
  globals: { SPECS_TOGETHER: together },
};
