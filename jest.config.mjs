// NestJS is published as ES modules only, and Jest runs CommonJS: swc turns both our sources and such packages into it.
const esModulePackages = ['@nestjs', 'uuid', 'jose'];

export default {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/test/**/*.spec.ts', '<rootDir>/src/**/*.spec.ts'],
  transform: { '^.+\\.(ts|js|mjs)$': '@swc/jest' },
  transformIgnorePatterns: [`/node_modules/(?!(${esModulePackages.join('|')})/)`, '<rootDir>/dist/'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  setupFiles: ['reflect-metadata'],
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/operations/'],
  // Real servers and processes on a busy machine.
  // Ends a test that hangs. On a busy machine a test may take many times as long as usual.
  testTimeout: 300_000,
  maxWorkers: 2,
};
