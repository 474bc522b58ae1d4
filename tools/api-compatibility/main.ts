import { readFileSync } from 'node:fs';
import { readCommandLine } from '../../src/config/command-line.js';
import { breakingChanges } from './breaking-changes.js';

const USAGE = `Lists the changes in the API document that break clients of the released one. Exits with code 1 if there are any.

  npm run check:api
  node dist/tools/api-compatibility/main.js [RELEASED] [CURRENT]

  RELEASED  the released document (api/released-openapi.json)
  CURRENT   the current document (openapi.json)`;

const { positionals } = readCommandLine(USAGE, { allowPositionals: true });
const [released = 'api/released-openapi.json', current = 'openapi.json'] = positionals;
const [before, after] = [released, current].map((file) => JSON.parse(readFileSync(file, 'utf8')) as object);
const changes = breakingChanges(before ?? {}, after ?? {});

for (const change of changes) console.error(`- ${change}`);
console.log(
  changes.length === 0
    ? `Nothing in ${current} breaks a client of ${released}.`
    : `${changes.length} breaking changes since ${released}. See docs/versioning.md.`,
);
process.exitCode = changes.length === 0 ? 0 : 1;
