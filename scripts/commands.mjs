// The programs that `node scripts/run.mjs NAME` runs, by name.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const TYPESCRIPT = ['scripts/typescript.mjs'];
const JEST = ['node_modules/jest/bin/jest.js'];
/** The last option ends the list of projects: Jest would take the path of a spec for another one, and run all specs. */
const project = (name) => [...JEST, '--selectProjects', name, '--passWithNoTests=false'];
const OPENAPI = [
  ['dist/tools/openapi/main.js', 'openapi.json'],
  ['node_modules/openapi-typescript/bin/cli.js', 'openapi.json', '--output', 'client/src/api.ts'],
];

/** Specs whose outcome depends on what PostgreSQL reports as an error. */
const SPECS_OF_ERRORS = 'test/(moves/moves|shipments/agents|hostile/last-line|writes/transaction(s|-faults)).spec.ts';

/** Specs that try less in `npm test`. */
function sweeps() {
  const specs = readdirSync('test', { recursive: true }).filter((name) => name.endsWith('.spec.ts'));
  return specs.map((name) => `test/${name}`).filter((path) => readFileSync(path, 'utf8').includes('/sweeps.js'));
}

const TSC = ['node_modules/typescript-native/bin/tsc', '--noEmit', '-p'];
const PROJECTS = ['tsconfig.json', 'bench/contenders', 'client', 'console'];
const TYPES = PROJECTS.map((project) => [...TSC, project]);
const LINT = ['node_modules/oxlint/bin/oxlint'];
const FORMAT = ['node_modules/oxfmt/bin/oxfmt', '--check', '.'];
/** Its specs keep the cores busy with the programs that they start, so more workers would gain nothing. */
const REPOSITORY = [...project('repository'), '--maxWorkers', '2'];
const API = ['dist/tools/api-compatibility/main.js'];
const EVIDENCE = ['tools/evidence/main.mjs'];

/** A command that needs no more packages than the service itself. The others also install what tests and checks need. */
function light(does, name, ...words) {
  return { does, programs: [[`dist/tools/${name}/main.js`, ...words]], isLight: true };
}

/** What a command does, and its programs, one after the other until one fails. The last one gets the caller's arguments. */
export const COMMANDS = {
  test: { does: 'runs the specs of the service', programs: [project('suite')] },
  'test:system': {
    does: 'runs the specs with real parts that fail, see scripts/install-test-tools.sh',
    programs: [project('system')],
  },
  check: {
    does: 'checks types, lint, format, the compatibility of the API, and the repository',
    programs: [...TYPES, LINT, FORMAT, API, EVIDENCE, REPOSITORY],
  },
  'check:types': { does: 'checks types', programs: TYPES },
  'check:api': { does: 'checks that the API still serves its released clients', programs: [API] },
  lint: { does: 'finds faults in the code', programs: [LINT] },
  format: { does: 'formats all files', programs: [['node_modules/oxfmt/bin/oxfmt', '.']] },
  migrate: light('brings the schema of DATABASE_URL up to date', 'migrate'),
  seed: light('fills the database with invented moves', 'seed'),
  token: light('prints a token for development', 'token'),
  keys: light('creates an API key', 'keys'),
  'check:database': light('checks that a PostgreSQL has what the service needs', 'check-database'),
  'history:archive': light('moves old months of the history into files', 'archive', 'archive'),
  'history:restore': light('reads such files back', 'archive', 'restore'),
  'history:erase': light('erases personal data from the history', 'erase'),
  evidence: {
    does: 'lists the runs that a release needs, makes them, and quotes their figures in the documents',
    programs: [EVIDENCE],
  },
  openapi: { does: 'writes openapi.json and what is generated from it', programs: OPENAPI },
  sql: { does: 'writes the SQL of the service to docs/sql', programs: [['dist/tools/sql/main.js']] },
  release: {
    does: 'makes the artifacts of a release, and checks that they agree',
    programs: [['tools/release/main.mjs']],
  },
};

const CHROMIUM = {
  tool: 'chromium-headless-shell',
  from: 'run scripts/install-test-tools.sh, or name another Chromium with --chromium',
  option: '--chromium',
};

/** A program that runs from its source. What it does is the first sentence of its usage, in this file or in another one. */
function program(file, { usageIn = file, ...choice } = {}) {
  const [, first = '', rest = ''] = /USAGE = `(.)(.+?)\.(?=\s)/.exec(readFileSync(usageIn, 'utf8')) ?? [];
  return { does: first.toLowerCase() + rest, program: [...(file.endsWith('.ts') ? TYPESCRIPT : []), file], ...choice };
}

function campaigns() {
  const files = readdirSync('tools/campaigns', { recursive: true });
  const mains = files.filter((file) => /^[\w-]+\/main\.(ts|mjs)$/.test(file));
  return Object.fromEntries(mains.map((file) => [dirname(file), program(join('tools/campaigns', file))]));
}

/** Commands of which a word chooses one. `needs` is a program of the system, unless the command has been given the option. */
export const GROUPS = {
  campaign: {
    ...campaigns(),
    soak: program('tools/campaigns/crash/soak.ts'),
    migration: {
      does: 'migrates a million shipments under load',
      program: [...JEST, '--testTimeout', '3600000', 'test/system/migration-under-load.spec.ts'],
      env: { TEST_ROWS: '1000000' },
    },
    growth: {
      does: 'checks the plan of every statement on a million shipments',
      program: project('growth'),
      env: { TEST_ROWS: '1000000' },
    },
    sweeps: {
      does: 'tries every hostile value in every place, and races and faults more often',
      get program() {
        return [...JEST, ...sweeps()];
      },
      env: { TEST_SWEEPS: 'all' },
    },
    pgbouncer: {
      does: 'runs the suite through PgBouncer in transaction mode',
      program: project('suite'),
      env: { TEST_THROUGH_PGBOUNCER: '1' },
    },
    translated: {
      does: 'runs the specs that depend on errors of PostgreSQL on one that reports them in German',
      program: [...JEST, SPECS_OF_ERRORS],
      env: { TEST_LANGUAGE: 'de' },
    },
  },
  bench: {
    servers: program('bench/main.mjs', {
      usageIn: 'bench/options.mjs',
      needs: { tool: 'wrk', from: 'apt-get install wrk' },
    }),
    compare: program('bench/compare/main.mjs', { usageIn: 'bench/compare/options.mjs' }),
    crowd: program('bench/crowd.mjs'),
    console: program('bench/console.mjs', { needs: CHROMIUM }),
    today: program('bench/today.mjs', { needs: CHROMIUM }),
    views: program('bench/views.mjs', { needs: CHROMIUM }),
    'key-cost': program('bench/key-cost.ts'),
  },
  demo: { console: program('examples/demo.mjs', { isDefault: true }), race: program('examples/race.mjs') },
};
