import { createHash } from 'node:crypto';

// NestJS is published as ES modules only, and Jest runs CommonJS: swc turns both our sources and such packages into it.
const esModulePackages = ['@nestjs', 'uuid', 'jose'];

export default {
  // By default each configuration file has an id, and so a cache of transformed modules, of its own.
  id: createHash('sha256')
    .update(import.meta.dirname)
    .digest('hex')
    .slice(0, 32),
  testEnvironment: 'node',
  testMatch: ['<rootDir>/test/**/*.spec.ts', '<rootDir>/src/**/*.spec.ts'],
  transform: { '^.+\\.(ts|js|mjs)$': '@swc/jest' },
  transformIgnorePatterns: [`/node_modules/(?!(${esModulePackages.join('|')})/)`, '<rootDir>/dist/'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  // Global variables are slow to look up in the contexts in which Jest runs files, and csv-parse looks up Math for each byte.
  sandboxInjectedGlobals: ['Math'],
  setupFiles: ['reflect-metadata'],
  globalSetup: '<rootDir>/test/support/service/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/service/global-teardown.mjs',
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/operations/'],
  // Ends a test that hangs. On a busy machine a test may take many times as long as usual.
  testTimeout: 300_000,
  maxWorkers: 2,
};
