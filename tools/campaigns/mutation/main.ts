import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { readCommandLine } from '../../../src/config/command-line.js';
import { measured } from '../../evidence/measured.mjs';
import { ChangedSources, workThrough } from '../controls/spec-run.js';
import { seeded } from '../crash/random.js';
import { exitWith, say, wholeNumber } from '../crash/report.js';
import { EQUIVALENT } from './equivalent.js';
import { mutantsOf, type Mutant } from './mutants.js';

const USAGE = `Changes the sources in small ways, one at a time (a condition turned round, a call left out), and sees whether a spec fails.

  npm run campaign -- mutation [options]

  --folders A,B  of src (writes,etag,records,auth,deliveries)
  --sample N     so many mutants of each folder (60)
  --seed N       which ones (1)
  --workers N    mutants that are tried at the same time (2)
  --at-least N   the percentage that has to be noticed (0)`;

const ACTIVE = '__STRYKER_ACTIVE_MUTANT__';

/** Specs that run before all others: they are quick, and fail for most mutants. */
const PROMISING = 3;

/** The specs that execute a mutant, the most promising first. */
type Coverage = ReadonlyMap<string, readonly string[]>;

interface Verdict {
  readonly mutant: Mutant;
  readonly outcome: 'noticed' | 'survived' | 'equivalent' | 'never executed';
}

async function main(): Promise<boolean> {
  const { values } = readCommandLine(USAGE, {
    options: {
      folders: { type: 'string', default: 'writes,etag,records,auth,deliveries' },
      sample: { type: 'string', default: '60' },
      seed: { type: 'string', default: '1' },
      workers: { type: 'string', default: '2' },
      'at-least': { type: 'string', default: '0' },
    },
  });
  const folders = values.folders.split(',').map((name) => `src/${name}`);
  const { mutants, sources } = await mutantsOf(folders);
  const changed = new ChangedSources();
  try {
    for (const [file, text] of sources) changed.put(file, text);
    say(`${mutants.length} mutants. Running all specs to see which of them execute which mutant.`);
    const coverage = await coverageOf(changed);
    const random = seeded(wholeNumber('seed', values.seed));
    measured({ seed: Number(values.seed) });
    const sample = folders.flatMap((folder) => {
      const own = mutants
        .filter(({ file }) => file.startsWith(`${folder}/`))
        .map((mutant) => ({ mutant, key: random() }));
      return own.toSorted((a, b) => a.key - b.key).slice(0, wholeNumber('sample', values.sample));
    });
    const verdicts: Verdict[] = [];
    const killers = new Map<string, string>();
    await workThrough(sample, wholeNumber('workers', values.workers), async ({ mutant }) => {
      const outcome = await outcomeOf(mutant, coverage, changed, killers);
      verdicts.push({ mutant, outcome });
      say(`${verdicts.length}/${sample.length}  ${outcome.padEnd(14)}  ${described(mutant)}`);
    });
    return summarize(folders, verdicts, wholeNumber('at-least', values['at-least'], 0));
  } finally {
    changed.remove();
  }
}

/** Runs the suite without an active mutant. */
async function coverageOf(changed: ChangedSources): Promise<Coverage> {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-covered-'));
  const file = join(folder, 'covered.jsonl');
  const { failed, summary } = await changed.run(['--selectProjects', 'suite'], { TEST_COVERED: file });
  say(`Without a mutant: ${summary}`);
  if (failed) throw new Error('The specs fail without a mutant.');
  const coverage = new Map<string, string[]>();
  for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
    const { spec, mutants } = JSON.parse(line) as { spec: string; mutants: string[] };
    for (const mutant of mutants) coverage.set(mutant, [...(coverage.get(mutant) ?? []), relative('.', spec)]);
  }
  rmSync(folder, { recursive: true });
  return coverage;
}

async function outcomeOf(
  mutant: Mutant,
  coverage: Coverage,
  changed: ChangedSources,
  killers: Map<string, string>,
): Promise<Verdict['outcome']> {
  if (isEquivalent(mutant)) return 'equivalent';
  const specs = inOrder(coverage.get(mutant.id) ?? [], mutant, killers.get(mutant.file));
  if (specs.length === 0) return 'never executed';
  for (const some of [specs.slice(0, PROMISING), specs.slice(PROMISING)]) {
    if (some.length === 0) continue;
    const { failed, failedSpec } = await changed.run(['--bail', '--maxWorkers=2', ...some], { [ACTIVE]: mutant.id });
    if (!failed) continue;
    if (failedSpec !== undefined) killers.set(mutant.file, failedSpec);
    return 'noticed';
  }
  return 'survived';
}

/** What noticed the last mutant of the file, then the specs of its folder, then the others. */
function inOrder(specs: readonly string[], { file }: Mutant, killer: string | undefined): string[] {
  const folder = file.replace(/^src\/(\w+)\/.*/, 'test/$1/');
  const rank = (spec: string) => (spec === killer ? 0 : spec.startsWith(folder) ? 1 : 2);
  return specs.toSorted((a, b) => rank(a) - rank(b));
}

function isEquivalent({ file, original, replacement }: Mutant): boolean {
  return EQUIVALENT.some((one) => one.file === file && one.original === original && one.replacement === replacement);
}

function summarize(folders: readonly string[], verdicts: readonly Verdict[], atLeast: number): boolean {
  const survivors = verdicts.filter(({ outcome }) => outcome === 'survived' || outcome === 'never executed');
  if (survivors.length > 0) say('\nNot noticed:');
  for (const { mutant, outcome } of survivors) say(`  ${outcome}  ${described(mutant)}`);
  say('');
  for (const folder of folders)
    say(`${folder.padEnd(16)} ${scoreOf(verdicts.filter(({ mutant }) => mutant.file.startsWith(`${folder}/`)))}`);
  say(`${'together'.padEnd(16)} ${scoreOf(verdicts)}`);
  const percentages = folders.map((folder) => {
    return [folder, percentageOf(verdicts.filter(({ mutant }) => mutant.file.startsWith(`${folder}/`)))];
  });
  const figures = { mutants: verdicts.length, percentage: percentageOf(verdicts), ...Object.fromEntries(percentages) };
  measured({ figures, failed: survivors.map(({ mutant }) => described(mutant)) });
  return percentageOf(verdicts) >= atLeast;
}

function scoreOf(verdicts: readonly Verdict[]): string {
  const count = (outcome: Verdict['outcome']) => verdicts.filter((verdict) => verdict.outcome === outcome).length;
  const counts = (['noticed', 'survived', 'never executed', 'equivalent'] as const).map(
    (each) => `${count(each)} ${each}`,
  );
  return `${percentageOf(verdicts).toFixed(1)} %: ${counts.join(', ')}`;
}

/** Of those that can be noticed. */
function percentageOf(verdicts: readonly Verdict[]): number {
  const counted = verdicts.filter(({ outcome }) => outcome !== 'equivalent');
  return (100 * counted.filter(({ outcome }) => outcome === 'noticed').length) / Math.max(1, counted.length);
}

function described({ file, line, mutator, original, replacement }: Mutant): string {
  const short = (text: string) => text.replace(/\s+/g, ' ').slice(0, 80);
  return `${file}:${line} ${mutator}: ${short(original)} -> ${short(replacement)}`;
}

exitWith(main);
