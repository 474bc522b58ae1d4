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

/** How long the longest specs take, in seconds on a machine that does nothing else. */
const SECONDS = {
  'event-numbering': 50,
  'client/mirror': 40,
  'client/follow': 40,
  'import-round-trip': 40,
  'client/package': 30,
  'event-stream': 30,
  'import-faults': 30,
  'fuzz/fuzz': 28,
  'slow-readers': 25,
  'edge-values': 20,
  'query-plans': 18,
  'transaction-faults': 18,
  seed: 15,
  'lost-updates': 12,
  'prepared-statements': 12,
  'hostile/fields': 12,
  'hostile/requests': 12,
  'bulk-faults': 10,
  'documented-sessions': 10,
  'ids-of-other-kinds': 10,
  'bulk-equivalence': 8,
  documents: 8,
  'import-files': 8,
  'repeated-requests': 8,
  scopes: 8,
  'next-pages': 6,
};

/** What `npm test` runs: every spec, as `npx jest` does, in less time. */
export default {
  ...common,
  ...inParts(4, specs, SECONDS),
  // Specs wait for each other's locks, processes and time limits for a third of their time.
  maxWorkers: 4,
};
