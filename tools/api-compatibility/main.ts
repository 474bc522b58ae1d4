import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readCommandLine } from '../../src/config/command-line.js';
import { breakingChanges } from './breaking-changes.js';

/** The commit whose openapi.json is the released document. */
const RELEASED = '5432adbf';

const USAGE = `Lists the changes in the API document that break clients of the released one. Exits with code 1 if there are any.

  npm run check:api [COMMIT]

  COMMIT  the one whose openapi.json is the released document (${RELEASED})`;

const { positionals } = readCommandLine(USAGE, { allowPositionals: true });
const [commit = RELEASED] = positionals;
const released = `${commit}:openapi.json`;
const current = 'openapi.json';

// The checkout may belong to somebody else.
const git = (...words: string[]) =>
  spawnSync('git', ['-c', 'safe.directory=*', ...words], { encoding: 'utf8', maxBuffer: 2 ** 26 });

const shown = git('show', released);
if (shown.status !== 0) {
  const hasHistory = git('rev-parse', '--is-shallow-repository').stdout === 'false\n';
  console.error(`Nothing was compared, because there is no ${released}: ${shown.error?.message ?? shown.stderr}`);
  // A copy without history, such as a shallow clone, has no commit to compare with.
  process.exit(hasHistory || commit !== RELEASED ? 1 : 0);
}

const changes = breakingChanges(
  JSON.parse(shown.stdout) as object,
  JSON.parse(readFileSync(current, 'utf8')) as object,
);

for (const change of changes) console.error(`- ${change}`);
console.log(
  changes.length === 0
    ? `Nothing in ${current} breaks a client of ${released}.`
    : `${changes.length} breaking changes since ${released}. See docs/versioning.md.`,
);
process.exitCode = changes.length === 0 ? 0 : 1;
