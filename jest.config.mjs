/** Packages of the service, and those that many specs use. Jest itself uses none of them: its own must not be transformed. */
const SHARED = ['@nestjs', 'ajv', 'ajv-formats', 'fast-check', 'jose', 'pg', 'pino', 'playwright-core', 'typeorm', 'yaml'];

const project = {
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
      testMatch: ['<rootDir>/test/**/*.spec.ts'],
      testPathIgnorePatterns: ['<rootDir>/test/operations/'],
    },
    // Real parts beside the service: a browser, a load balancer, a pooler, faults.
    { ...project, displayName: 'operations', testMatch: ['<rootDir>/test/operations/**/*.spec.ts'] },
  ],
  // Ends a test that hangs. On a busy machine a test may take many times as long as usual.
  testTimeout: 600_000,
  // Specs wait for each other's locks, processes and time limits for a third of their time.
  maxWorkers: 3,
};
