// Makes the artifacts of a release from the commit that is checked out, and checks that they agree.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { readCommandLine } from '../../dist/src/config/command-line.js';
import { disagreements } from './agreement.mjs';
import { makeArtifacts, writeSums } from './artifacts.mjs';
import { tryClient } from './client-project.mjs';

const FOLDER = 'release';

const USAGE = `Makes the artifacts of a release in ${FOLDER}/, and checks that they agree: the client, the chart, openapi.json, the list of
packages (SBOM), the sources, and the image if a Docker Engine answers (DOCKER_HOST or the default socket).

  npm run release -- [--trial]

  --trial  do not require the evidence that a release needs

It refuses a checkout with changes, because every artifact belongs to a commit.`;

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

/** What a command writes to its standard output. */
function ask(command, ...args) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (status !== 0) fail(`${[command, ...args].join(' ')} failed.\n${error ?? stderr}`);
  return stdout.trim();
}

function say(line) {
  process.stdout.write(`${line}\n`);
}

const { trial } = readCommandLine(USAGE, { options: { trial: { type: 'boolean' } } }).values;
const changes = ask('git', 'status', '--porcelain');
if (changes !== '') fail(`Commit these changes first, because every artifact belongs to a commit:\n${changes}`);
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const commit = ask('git', 'rev-parse', 'HEAD');
if (!trial && spawnSync(process.execPath, ['tools/evidence/main.mjs', '--strict'], { stdio: 'inherit' }).status !== 0) {
  fail('A release needs the evidence of its own sources. --trial makes the artifacts without it.');
}

say(`Waybill ${version} of ${commit}`);
rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER);
const release = { folder: FOLDER, version, commit, image: `waybill:${version}` };
const artifacts = makeArtifacts(release, ask);
if (artifacts.image === undefined) {
  say(`No image, because no Docker Engine answers. On a machine with one, run this command again, or
  docker build --build-arg REVISION=${commit} --tag ${release.image} .`);
}
for (const major of [20, 24]) say(`The client works in an empty project on ${tryClient(artifacts.client, major, ask)}`);

const found = disagreements(release, artifacts, ask);
if (found.length > 0) fail(`The artifacts do not agree:\n- ${found.join('\n- ')}`);
say(writeSums(FOLDER));
if (trial) say('This is a trial: nothing has checked the evidence.');
