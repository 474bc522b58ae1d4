import operations from './jest.operations.config.mjs';
import { inParts, specsIn } from './jest.together.mjs';

/** How long the longest specs take, in seconds on a machine that does nothing else. */
const SECONDS = {
  'operations/migration-under-load': 60,
  'operations/console/reference': 37,
  'operations/console/screens': 37,
  'operations/console/keyboard': 12,
  'operations/console/work': 12,
  'operations/console/imports': 10,
  'operations/console/many': 10,
  'operations/console/conflict-dialog': 8,
  'operations/console/conflict-situations': 8,
  'operations/console/nothing-lost': 8,
  'operations/console/parts': 8,
  'operations/spreadsheet': 6,
};

/** What `npm run test:operations` runs: every spec of `jest.operations.config.mjs`, in less time. */
export default {
  ...operations,
  ...inParts(
    3,
    specsIn((name) => name.startsWith('operations/')),
    SECONDS,
  ),
  // Each waits about half of its time.
  maxWorkers: 3,
};
