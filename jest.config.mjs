/** Packages of the service, and those that many specs use. Jest itself uses none of them: its own must not be transformed. */
const SHARED = [
  '@nestjs',
  'ajv',
  'ajv-formats',
  'class-validator',
  'fast-check',
  'jose',
  'pg',
  'pino',
  'playwright-core',
  'typeorm',
  'yaml',
];

/**
 * Folders of specs that a pooler or another version of Node.js can affect: the statements that the service sends through its pool, and
 * HTTP. They run once more with both, without specs that connect to PostgreSQL in another way or only check values.
 */
const POOLED = [
  'bulk',
  'database',
  'events',
  'files',
  'history',
  'http',
  'imports',
  'records',
  'server',
  'shipments',
  'writes',
];
const NOT_POOLED = [
  // Proxies, clients of the spec and replicas with the address of the server.
  ...['faults', 'fault-races', 'unknown-outcomes', 'lost-commit-months', 'pending-writes', 'reused-transaction-ids'],
  ...['numbering', 'rights', 'attacks', 'redaction', 'migrations', 'database-functions', 'health-checks'],
  // Values, and what happens before the service has a pool.
  ...['encoding', 'ids-of-other-kinds', 'next-pages', 'import-files', 'round-trip', 'file-cells'],
  ...['rate-limiter', 'client-address', 'terminal-log', 'one-write', 'search', 'sort', 'shipment-codes', 'status'],
  ...['repeated-requests', 'replacement', 'expand-limits', 'conflict-report', 'bulk-equivalence', 'export-lists'],
  ...['start-failures', 'listening-address', 'readiness', 'tracing', 'housekeeping', 'security-headers'],
  ...['caller-names', 'rate-limit', 'filtered-pages', 'search-scripts', 'import-limit', 'export-tls'],
];
const isPooled = process.env.TEST_THROUGH_PGBOUNCER !== undefined;

const project = {
  roots: ['<rootDir>/test'],
  testEnvironment: '<rootDir>/test/support/jest/environment.mjs',
  transform: { '\\.(ts|js|mjs|cjs)$': '<rootDir>/test/support/jest/transformer.mjs' },
  transformIgnorePatterns: [`/node_modules/(?!(${SHARED.join('|')})/)`],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  globalSetup: '<rootDir>/test/support/jest/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/jest/global-teardown.mjs',
};

export default {
  projects: [
    {
      ...project,
      displayName: 'suite',
      testMatch: [`<rootDir>/test/${isPooled ? `{${POOLED.join(',')}}/` : ''}**/*.spec.ts`],
      testPathIgnorePatterns: [
        '<rootDir>/test/(operations|repository|growth)/',
        ...(isPooled ? NOT_POOLED.map((name) => `${name}.spec.ts`) : []),
      ],
    },
    // The repository itself: its layers, documents, packages, commands and campaigns.
    { ...project, displayName: 'repository', testMatch: ['<rootDir>/test/repository/**/*.spec.ts'] },
    // The cost of statements on large tables.
    { ...project, displayName: 'growth', testMatch: ['<rootDir>/test/growth/**/*.spec.ts'] },
    // Real parts beside the service: a browser, a load balancer, a pooler, faults.
    { ...project, displayName: 'operations', testMatch: ['<rootDir>/test/operations/**/*.spec.ts'] },
  ],
  // Ends a test that hangs. On a busy machine a test may take many times as long as usual.
  testTimeout: 600_000,
  // Specs wait for locks, processes and time limits for a third of their time.
  maxWorkers: 4,
};
