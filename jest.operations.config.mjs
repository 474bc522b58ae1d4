import common from './jest.config.mjs';

/** Slow tests with real parts: processes, a load balancer, a pooler, faults. Two at a time, for each waits about half of its time. */
export default {
  ...common,
  testMatch: ['<rootDir>/test/operations/**/*.spec.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  maxWorkers: 2,
  testTimeout: 600_000,
};
