import { existsSync, readdirSync, readFileSync } from 'node:fs';
import common from './jest.config.mjs';

/**
 * What `npm test` runs: every spec, as `npx jest` does, in less time. Jest loads the 1,800 modules of the service and its packages
 * anew for each file, which takes longer than most specs do. So the specs that start a service are put into a few files, each
 * under its name; `test/together/run-part.ts` runs them. All others run by themselves.
 */
const STARTS_SERVICE = /from '[./]*(support\/service|suite|target)\.js'/;

/**
 * Neither the connection pooler nor the version of Node.js makes a difference to these, so the second run of the suite, which has both,
 * leaves them out.
 */
const ONCE_IS_ENOUGH = [
  // SQL on connections of their own, PostgreSQL's processes, and a way to PostgreSQL that goes past the pooler.
  ...['event-numbering', 'event-rights', 'history-attacks/attacks', 'migrations', 'database-functions', 'query-plans'],
  ...['embedded-restart', 'check-database', 'transaction-faults', 'transaction-fault-races', 'reused-transaction-ids'],
  ...['embedded-postgres', 'bulk-faults', 'import-faults'],
  // Files, and programs that are started to print their usage.
  ...['lock-files', 'client/pack', 'api-compatibility', 'spectral', 'layers', 'deployment', 'compose', 'package-lock'],
  ...['command-lines', 'messages', 'documents', 'postman', 'env-example'],
  // Many values and tokens, which are judged before a statement is sent.
  ...['edge-values', 'ids-of-other-kinds', 'scopes', 'tokens', 'token-claims', 'texts', 'schemas-and-checks'],
  ...[
    'import-files',
    'import-round-trip',
    'hostile/fields',
    'hostile/strict-json',
    'fuzz/fuzz',
    'fuzz/campaign',
    'fuzz/coverage',
  ],
].map((name) => `${name}.spec.ts`);
const isSecondRun = process.env.TEST_THROUGH_PGBOUNCER !== undefined;

const missing = ONCE_IS_ENOUGH.filter((name) => !existsSync(`test/${name}`));
if (missing.length > 0) throw new Error(`There is no spec ${missing.join(', ')}`);

const specs = readdirSync('test', { recursive: true })
  .filter((name) => name.endsWith('.spec.ts') && !name.startsWith('operations/'))
  .filter((name) => !(isSecondRun && ONCE_IS_ENOUGH.includes(name)))
  .sort();
const together = specs.filter((name) => STARTS_SERVICE.test(readFileSync(`test/${name}`, 'utf8')));
const alone = specs.filter((name) => !together.includes(name));

/** Dealt out first, so that each part gets two of them: the longest, and the shorter ones the other way round. */
const LONGEST = [
  ...['transaction-faults', 'lost-updates', 'query-plans', 'prepared-statements', 'edge-values', 'fuzz/fuzz'],
  ...['ids-of-other-kinds', 'tokens', 'hostile/fields', 'slow-readers', 'repeated-requests', 'client/package'],
].map((name) => `${name}.spec.ts`);
const longestFirst = [
  ...LONGEST.filter((name) => together.includes(name)),
  ...together.filter((name) => !LONGEST.includes(name)),
];

export default {
  ...common,
  testMatch: ['<rootDir>/test/together/part-*.ts', ...alone.map((name) => `<rootDir>/test/${name}`)],
  globals: { SPECS_TOGETHER: longestFirst },
  // Specs wait for each other's locks, processes and time limits for a third of their time.
  maxWorkers: 3,
};
