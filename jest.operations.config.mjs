import common from './jest.config.mjs';

/** Slow tests with real parts: processes, a load balancer, a pooler, faults. One after the other, for they share the machine. */
export default {
  ...common,
  testMatch: ['<rootDir>/test/operations/**/*.spec.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 1,
  testTimeout: 600_000,
};
