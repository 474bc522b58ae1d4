import { readdirSync, readFileSync } from 'node:fs';

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

/** Folders of specs that a pooler or another version of Node.js can affect. They run once more with both. */
const POOLED = [
  'bulk',
  'database',
  'deletions',
  'events',
  'files',
  'history',
  'http',
  'imports',
  'records',
  'search',
  'server',
  'shipments',
  'writes',
];
const isPooled = process.env.TEST_THROUGH_PGBOUNCER !== undefined;

/** The specs that say in their first line why they do not run through a pooler. */
function notPooled() {
  const specs = readdirSync('test', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.spec.ts'));
  return specs.filter((file) => readFileSync(`test/${file}`, 'utf8').startsWith('// Not through PgBouncer: '));
}

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
        '<rootDir>/test/(system|repository|growth)/',
        ...(isPooled ? notPooled().map((file) => `<rootDir>/test/${file}`) : []),
      ],
    },
    // The repository itself: its layers, documents, packages, commands and campaigns.
    { ...project, displayName: 'repository', testMatch: ['<rootDir>/test/repository/**/*.spec.ts'] },
    // The cost of statements on large tables.
    { ...project, displayName: 'growth', testMatch: ['<rootDir>/test/growth/**/*.spec.ts'] },
    // Real parts beside the service: a browser, a load balancer, a pooler, faults.
    { ...project, displayName: 'system', testMatch: ['<rootDir>/test/system/**/*.spec.ts'] },
  ],
  // Ends a test that hangs. On a busy machine a test may take many times as long as usual.
  testTimeout: 600_000,
  // Specs wait for locks, processes and time limits for a third of their time.
  maxWorkers: 4,
};
