import { existsSync } from 'node:fs';
import common from './jest.config.mjs';
import { inParts, specsIn } from './jest.together.mjs';

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

const specs = specsIn((name) => !name.startsWith('operations/') && !(isSecondRun && ONCE_IS_ENOUGH.includes(name)));

/** Each part gets two of them: the longest, and the shorter ones the other way round. */
const LONGEST = [
  ...['transaction-faults', 'lost-updates', 'query-plans', 'prepared-statements', 'edge-values', 'fuzz/fuzz'],
  ...['ids-of-other-kinds', 'tokens', 'hostile/fields', 'slow-readers', 'repeated-requests', 'client/package'],
].map((name) => `${name}.spec.ts`);

/** What `npm test` runs: every spec, as `npx jest` does, in less time. */
export default {
  ...common,
  ...inParts(6, specs, LONGEST),
  // Specs wait for each other's locks, processes and time limits for a third of their time.
  maxWorkers: 3,
};
