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
  ...[
    'events/event-numbering',
    'events/event-rights',
    'history/attacks/attacks',
    'database/migrations',
    'database/database-functions',
    'records/query-plans',
  ],
  ...[
    'writes/transaction-faults',
    'writes/transaction-fault-races',
    'bulk/bulk-faults',
    'imports/import-faults',
    'database/reused-transaction-ids',
  ],
  ...['database/encoding', 'tools/seed', 'tools/seed-history'],
  // Files, and what they say about the service.
  ...[
    'client/package',
    'repository/documents',
    'repository/documented-sessions',
    'repository/messages',
    'openapi/openapi',
    'openapi/postman',
    'repository/readme',
  ],
  // Many values and tokens, which are judged before a statement is sent, or with which the same statement is sent.
  ...[
    'validation/edge-values',
    'records/ids-of-other-kinds',
    'http/query-parameters',
    'auth/scopes',
    'auth/tokens',
    'repository/texts',
    'records/next-pages',
  ],
  ...[
    'imports/import-files',
    'imports/import-round-trip',
    'hostile/fields',
    'campaigns/fuzz',
    'campaigns/fuzz-campaign',
  ],
].map((name) => `${name}.spec.ts`);

/** These do not load the service, but start it as a process, or depend on Node.js itself. */
const ONCE_MORE = [
  'server/listening-address',
  'database/private-doors',
  'client/event-stream',
  'client/follow-faults',
].map((name) => `${name}.spec.ts`);

const missing = [...ONCE_IS_ENOUGH, ...ONCE_MORE].filter((name) => !existsSync(`test/${name}`));
if (missing.length > 0) throw new Error(`There is no spec ${missing.join(', ')}`);

function isInSecondRun(name) {
  return ONCE_MORE.includes(name) || (loadsService(name) && !ONCE_IS_ENOUGH.includes(name));
}

const isSecondRun = process.env.TEST_THROUGH_PGBOUNCER !== undefined;
const specs = specsIn((name) => !name.startsWith('operations/') && (!isSecondRun || isInSecondRun(name)));

/** How long the longest specs take, in seconds, with three other parts beside them. */
const SECONDS = {
  'imports/import-faults': 50,
  'server/slow-readers': 45,
  'client/package': 40,
  'validation/edge-values': 35,
  'events/event-numbering': 30,
  'tools/seed': 27,
  'bulk/bulk-faults': 20,
  'campaigns/fuzz': 20,
  'hostile/wire': 20,
  'imports/import-round-trip': 20,
  'records/query-plans': 19,
  'client/contention': 19,
  'database/prepared-statements': 18,
  'writes/transaction-faults': 18,
  'repository/documented-sessions': 16,
  'events/event-stream': 16,
  'bulk/bulk-equivalence': 15,
  'files/export-streams': 15,
  'hostile/fields': 14,
  'hostile/requests': 14,
  'tools/seed-history': 14,
  'repository/documents': 12,
  'history/attacks/attacks': 11,
  'imports/import-files': 11,
  'bulk/bulk-races': 10,
  'client/mirror': 10,
  'files/export-lists': 10,
  'server/housekeeping': 10,
  'openapi/problem-examples': 10,
  'writes/repeated-requests': 10,
  'auth/scopes': 10,
  'auth/tokens': 10,
  'client/follow': 9,
  'client/retries': 9,
  'records/filtered-pages': 9,
  'writes/transactions': 9,
  'database/migrations': 8,
  'client/update-many': 7,
};

/** What `npm test` runs: every spec, as `npx jest` does, in less time. */
export default {
  ...common,
  ...inParts(4, specs, SECONDS),
  // Specs wait for each other's locks, processes and time limits for a third of their time.
  maxWorkers: 4,
};
