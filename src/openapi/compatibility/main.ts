import { readFileSync } from 'node:fs';
import { breakingChanges } from './breaking-changes.js';

const [released = 'api/released-openapi.json', current = 'openapi.json'] = process.argv.slice(2);
const [before, after] = [released, current].map((file) => JSON.parse(readFileSync(file, 'utf8')) as object);
const changes = breakingChanges(before ?? {}, after ?? {});

for (const change of changes) console.error(`- ${change}`);
console.log(
  changes.length === 0
    ? `Nothing in ${current} breaks a client of ${released}.`
    : `${changes.length} breaking changes since ${released}. docs/versioning.md says what to do.`,
);
process.exitCode = changes.length === 0 ? 0 : 1;
