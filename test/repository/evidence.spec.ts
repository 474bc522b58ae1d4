import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { claims, quoted, unformatted, withFigures } from '../../tools/evidence/documents.mjs';
import { evidenceOf, whatLacks, type Evidence } from '../../tools/evidence/evidence.mjs';
import { keep, typed } from '../../tools/evidence/record.mjs';
import { sources } from '../../tools/evidence/sources.mjs';

const folder = mkdtempSync(join(tmpdir(), 'waybill-evidence-'));
afterAll(() => rmSync(folder, { recursive: true }));

const trees = { src: 'a1', migrations: 'b1', client: 'c1', console: 'd1' };
const now = { commit: '0123456789', changed: false, trees };
const passed = {
  ...{ name: 'soak', passed: true, failed: [], date: '2026-11-20T10:00:00.000Z', ...now },
  ...{ command: 'npm run campaign -- soak', seconds: 1620, seed: 7, versions: { node: '24.1' }, settings: {} },
  machine: { cores: 2, model: 'Xeon', system: 'Linux x64' },
  figures: { operations: 1_000_079, 'get.p99': 1.25 },
};
const planned = { least: { operations: 1_000_000 }, of: ['src', 'migrations'] };

describe('the evidence of a run', () => {
  it.each<[string, Evidence | undefined, Evidence | undefined]>([
    ['missing', undefined, undefined],
    [
      'stale: of 01234567 on 2026-11-20, before changes in src',
      { ...passed, trees: { ...trees, src: 'a0' } },
      undefined,
    ],
    ['of 01234567 on 2026-11-20 with local changes', { ...passed, changed: true }, undefined],
    ['only 5 of 1000000 operations', { ...passed, figures: { operations: 5 } }, undefined],
    ['only undefined of 1000000 operations', { ...passed, figures: {} }, undefined],
    ['failed on 2026-11-20: a write was lost', passed, { ...passed, passed: false, failed: ['a write was lost'] }],
  ])('is %s', (lacks, last, failure) => {
    expect(whatLacks(planned, last, failure, now)).toBe(lacks);
  });

  it('is good as long as the folders that it depends on stay the same', () => {
    expect(whatLacks(planned, passed, undefined, { ...now, trees: { ...trees, console: 'd2' } })).toBeUndefined();
    expect(whatLacks(planned, passed, undefined, undefined)).toMatch(/^stale/);
  });

  it('stays when a later run fails, which stands beside it until one passes', () => {
    const trial = { ...passed, name: 'trial' };
    const filesOf = () => readdirSync(join(folder, 'bench/results'));
    expect(keep(trial, folder).message).toBe('The run passed: bench/results/trial.json');
    const { message } = keep({ ...trial, passed: false, changed: true }, folder);
    expect(message).toMatch(
      /^The run failed: .*trial.failed.json; .*trial.json is of an earlier run; .*local changes$/,
    );
    expect(filesOf()).toEqual(['trial.failed.json', 'trial.json']);
    keep(trial, folder);
    expect(filesOf()).toEqual(['trial.json']);
  });

  it('names no path of a machine in its command', () => {
    const words = ['soak', '--node', '/opt/node', '--chromium=/usr/bin/chromium', '../other', '--only', 'killed while'];
    expect(typed(words)).toBe("soak --node PATH --chromium=PATH PATH --only 'killed while'");
  });
});

test('local changes are named, with the tree that their commit has', () => {
  const repository = join(folder, 'repository');
  const git = (...words: string[]) => {
    const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false'];
    return execFileSync('git', [...author, ...words], { cwd: repository, encoding: 'utf8' }).trim();
  };
  const commit = () => {
    git('add', '--all');
    git('commit', '--quiet', '--message', 'A change');
    return git('rev-parse', 'HEAD');
  };
  for (const name of Object.keys(trees)) mkdirSync(join(repository, name), { recursive: true });
  git('init', '--quiet');
  for (const name of Object.keys(trees)) writeFileSync(join(repository, name, 'one.ts'), '1');
  const first = commit();
  expect(sources(repository)).toMatchObject({ commit: first, changed: false });

  writeFileSync(join(repository, 'notes.md'), 'A document changes no result.');
  writeFileSync(join(repository, 'src/two.ts'), '2');
  const changed = sources(repository);
  expect(changed).toMatchObject({ commit: first, changed: true });
  expect(git('status', '--porcelain')).toBe('?? notes.md\n?? src/two.ts');
  commit();
  expect(sources(repository)).toMatchObject({ changed: false, trees: changed?.trees });
});

describe('a document', () => {
  const template = '{date} at {commit}, {soak duration}: {operations} operations, p99 {soak get.p99 1} ms';
  const quote = '2026-11-20 at 01234567, 27 minutes: 1,000,079 operations, p99 1.3 ms';
  const block = (text: string) =>
    `Before\n\n<!-- evidence soak\n${template}\n-->\n\n${text}\n\n<!-- /evidence -->\n\nAfter 3 ms`;

  it('is written anew where its figures are not those of the evidence, and only there', () => {
    const { text, missing } = withFigures(block('2026-11-01: 5 operations'), () => passed);
    expect([text, missing]).toEqual([block(quote), []]);
    expect(withFigures(text, () => passed).text).toBe(text);
  });

  it('stays as it is without evidence, and is wrong with a figure that the evidence does not have', () => {
    expect(withFigures(block('old'), () => undefined)).toEqual({ text: block('old'), missing: ['soak'] });
    expect(() => withFigures(block('old'), () => ({ ...passed, figures: {} }))).toThrow('no "operations"');
  });

  it('says in the cells of a table which of its runs have no result yet', () => {
    const rows = (...cells: string[]) =>
      `<!-- evidence\n| {soak date} | {fuzz date}, all |\n-->\n\n${cells.join('')}\n\n<!-- /evidence -->`;
    const { text, missing } = withFigures(rows('old'), (name) => (name === 'soak' ? passed : undefined));
    expect([text, missing]).toEqual([rows('| 2026-11-20 | no result yet |'), ['fuzz']]);
  });

  it('has to name the date and the commit of what it quotes', () => {
    expect(quoted(block(''))).toEqual({ names: ['soak'], undated: [] });
    expect(quoted(block('').replace('{commit}', 'here')).undated).toEqual(['soak']);
  });

  it('makes claims where it gives figures that somebody measured', () => {
    expect(
      claims(`${block('It took 3 s.')}\n\nA limit of 5 s.\n\n- It took\n  4 s.\n- Fine.\n\nIt has 1.6 GB.`),
    ).toEqual([
      { line: 15, text: '- It took 4 s.' },
      { line: 19, text: 'It has 1.6 GB.' },
    ]);
  });
});

test('the documents quote the evidence as it is; `npm run evidence -- --documents` renews them', () => {
  const paths = execFileSync('git', ['ls-files', '*.md'], { encoding: 'utf8' }).trim().split('\n');
  const documents = paths.map((path) => [path, readFileSync(path, 'utf8')] as const);
  const isOld = (text: string) => unformatted(withFigures(text, evidenceOf).text) !== unformatted(text);
  expect(documents.filter(([, text]) => isOld(text)).map(([path]) => path)).toEqual([]);
  expect(documents.flatMap(([path, text]) => quoted(text).undated.map((name) => `${path}: ${name}`))).toEqual([]);
});
