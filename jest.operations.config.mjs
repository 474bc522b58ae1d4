import common from './jest.config.mjs';

/** Slow tests with real parts: processes, a load balancer, a pooler, faults. */
export default {
  ...common,
  testMatch: ['<rootDir>/test/operations/**/*.spec.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  testTimeout: 600_000,
};
