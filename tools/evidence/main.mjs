// npm run evidence: which runs a release still needs, runs them, and writes their figures into the documents.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { readCommandLine } from '../../dist/src/config/command-line.js';
import { claims, quoted, unformatted, withFigures } from './documents.mjs';
import { evidenceOf, missingEvidence, nameOf, stateOfAll } from './evidence.mjs';
import { PLAN } from './plan.mjs';

const USAGE = `Lists the runs whose evidence (docs/evidence) a release needs, and what each lacks. Evidence is stale when src or migrations changed since.

  npm run evidence -- [--run NAME,NAME] [--documents] [--claims] [--strict]

  --run NAMES  makes these runs one after the other, or all that lack something: --run lacking
  --documents  writes the figures into the documents that quote them
  --claims     lists the figures in documents: the run and commit of each, and those without evidence
  --strict     ends with 1 if a run is missing, stale, too small, failed, or made with local changes`;

const say = (line) => process.stdout.write(`${line}\n`);

const { values: options } = readCommandLine(USAGE, {
  options: {
    run: { type: 'string' },
    documents: { type: 'boolean' },
    claims: { type: 'boolean' },
    strict: { type: 'boolean' },
  },
});
if (options.run !== undefined) makeRuns(options.run);
if (options.documents || options.run !== undefined) writeDocuments();
if (options.claims) listClaims();
else list();
if (options.strict && missingEvidence().length > 0) process.exitCode = 1;

function list() {
  const states = stateOfAll();
  const width = Math.max(...states.map(({ name }) => name.length));
  for (const { name, command, lacks, evidence } of states) {
    say(`${name.padEnd(width)}  ${lacks ?? `passed, ${nameOf(evidence)}`}${lacks === 'missing' ? `  ${command}` : ''}`);
  }
  say(
    `${states.filter(({ lacks }) => lacks === undefined).length} of ${states.length} have the evidence for a release.`,
  );
}

function makeRuns(names) {
  const lacking = stateOfAll().flatMap(({ name, lacks }) => (lacks === undefined ? [] : [name]));
  const chosen = names === 'lacking' ? lacking : names.split(',');
  const runs = chosen.map((name) => PLAN.find((each) => each.name === name) ?? unknown(name));
  for (const { command } of runs) {
    say(`\n${command}`);
    const { status, signal } = spawnSync('sh', ['-c', command], { stdio: 'inherit' });
    if (signal !== null || status === 130) process.exit(130);
  }
}

function unknown(name) {
  process.stderr.write(`No run is named "${name}". There are ${PLAN.map((each) => each.name).join(', ')}.\n`);
  return process.exit(1);
}

function writeDocuments() {
  const written = documents().filter((path) => {
    const before = readFileSync(path, 'utf8');
    const { text } = withFigures(before, evidenceOf);
    if (unformatted(text) !== unformatted(before)) writeFileSync(path, text);
    return unformatted(text) !== unformatted(before);
  });
  if (written.length > 0) execFileSync('node_modules/.bin/oxfmt', written);
  say(written.length > 0 ? `Written: ${written.join(', ')}` : 'The documents are up to date.');
}

function listClaims() {
  for (const path of documents()) {
    const document = readFileSync(path, 'utf8');
    for (const name of quoted(document).names) {
      const state = stateOfAll().find((each) => each.name === name);
      say(`${path}: ${name}, ${state?.lacks ?? nameOf(evidenceOf(name))}`);
    }
    for (const { line, text } of claims(document)) say(`${path}:${line}: no evidence: ${text.slice(0, 160)}`);
  }
}

function documents() {
  return execFileSync('git', ['ls-files', '*.md'], { encoding: 'utf8' }).trim().split('\n');
}
