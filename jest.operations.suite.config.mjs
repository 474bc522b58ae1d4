import operations from './jest.operations.config.mjs';
import { inParts, specsIn } from './jest.together.mjs';

/** How long the longest specs take, in seconds on a machine that does nothing else. */
const SECONDS = {
  'operations/console/screens': 40,
  'operations/console/reference': 40,
  'operations/console/work': 10,
  'operations/console/keyboard': 10,
  'operations/console/many': 10,
  'operations/console/imports': 10,
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
