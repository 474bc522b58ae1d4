import { existsSync } from 'node:fs';
import common from './jest.config.mjs';
import { inParts, loadsService, specsIn } from './jest.together.mjs';

/**
 * The second run of the suite goes through a connection pooler, on the next version of Node.js. It is for what these can change: the
 * statements that the service sends through its pool, and how Node.js serves HTTP. So it takes the specs that load the service, but for
 * those of this list, none of which sends a statement there that no other spec sends.
 */
const ONCE_IS_ENOUGH = [
  // SQL on connections of their own, a way to PostgreSQL that goes past the pooler, and programs that connect by themselves.
  ...['event-numbering', 'event-rights', 'history-attacks/attacks', 'migrations', 'database-functions', 'query-plans'],
  ...['transaction-faults', 'transaction-fault-races', 'bulk-faults', 'import-faults', 'reused-transaction-ids'],
  ...['encoding', 'seed', 'seed-history'],
  // Files, and what they say about the service.
  ...['client/package', 'documents', 'documented-sessions', 'messages', 'openapi', 'postman', 'readme'],
  // Many values and tokens, which are judged before a statement is sent, or with which the same statement is sent.
  ...['edge-values', 'ids-of-other-kinds', 'query-parameters', 'scopes', 'tokens', 'texts', 'next-pages'],
  ...['import-files', 'import-round-trip', 'hostile/fields', 'fuzz/fuzz', 'fuzz/campaign'],
].map((name) => `${name}.spec.ts`);

/** These do not load the service, but start it as a process, or depend on Node.js itself. */
const ONCE_MORE = ['listening-address', 'private-doors', 'client/event-stream', 'client/follow-faults'].map(
  (name) => `${name}.spec.ts`,
);

const missing = [...ONCE_IS_ENOUGH, ...ONCE_MORE].filter((name) => !existsSync(`test/${name}`));
if (missing.length > 0) throw new Error(`There is no spec ${missing.join(', ')}`);

function isInSecondRun(name) {
  return ONCE_MORE.includes(name) || (loadsService(name) && !ONCE_IS_ENOUGH.includes(name));
}

const isSecondRun = process.env.TEST_THROUGH_PGBOUNCER !== undefined;
const specs = specsIn((name) => !name.startsWith('operations/') && (!isSecondRun || isInSecondRun(name)));

/** How long the longest specs take, in seconds, with three other parts beside them. */
const SECONDS = {
  'import-faults': 50,
  'slow-readers': 45,
  'client/package': 40,
  'edge-values': 35,
  'event-numbering': 30,
  seed: 27,
  'bulk-faults': 20,
  'fuzz/fuzz': 20,
  'hostile/wire': 20,
  'import-round-trip': 20,
  'query-plans': 19,
  'client/contention': 19,
  'prepared-statements': 18,
  'transaction-faults': 18,
  'documented-sessions': 16,
  'event-stream': 16,
  'bulk-equivalence': 15,
  'export-streams': 15,
  'hostile/fields': 14,
  'hostile/requests': 14,
  'seed-history': 14,
  documents: 12,
  'history-attacks/attacks': 11,
  'import-files': 11,
  'bulk-races': 10,
  'client/mirror': 10,
  'export-lists': 10,
  housekeeping: 10,
  'problem-examples': 10,
  'repeated-requests': 10,
  scopes: 10,
  tokens: 10,
  'client/follow': 9,
  'client/retries': 9,
  'filtered-pages': 9,
  transactions: 9,
  migrations: 8,
  'client/update-many': 7,
};

/** What `npm test` runs: every spec, as `npx jest` does, in less time. */
export default {
  ...common,
  ...inParts(4, specs, SECONDS),
  // Specs wait for each other's locks, processes and time limits for a third of their time.
  maxWorkers: 4,
};
