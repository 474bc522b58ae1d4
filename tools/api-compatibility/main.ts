import { readFileSync } from 'node:fs';
import { readCommandLine } from '../../src/config/command-line.js';
import { breakingChanges } from './breaking-changes.js';

const USAGE = `Tells what in the document of the API breaks clients of the released one; the exit code is 1 when something does.

  npm run check:api
  node dist/tools/api-compatibility/main.js [RELEASED] [CURRENT]

  RELEASED  the document that clients know (api/released-openapi.json)
  CURRENT   the document to compare with it (openapi.json)`;

const { positionals } = readCommandLine(USAGE, { allowPositionals: true });
const [released = 'api/released-openapi.json', current = 'openapi.json'] = positionals;
const [before, after] = [released, current].map((file) => JSON.parse(readFileSync(file, 'utf8')) as object);
const changes = breakingChanges(before ?? {}, after ?? {});

for (const change of changes) console.error(`- ${change}`);
console.log(
  changes.length === 0
    ? `Nothing in ${current} breaks a client of ${released}.`
    : `${changes.length} breaking changes since ${released}. docs/versioning.md says what to do.`,
);
process.exitCode = changes.length === 0 ? 0 : 1;
