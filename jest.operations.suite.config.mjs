import operations from './jest.operations.config.mjs';
import { inParts, specsIn } from './jest.together.mjs';

const LONGEST = ['screens', 'reference'].map((name) => `operations/console/${name}.spec.ts`);

/** What `npm run test:operations` runs: every spec of `jest.operations.config.mjs`, in less time. */
export default {
  ...operations,
  ...inParts(
    2,
    specsIn((name) => name.startsWith('operations/')),
    LONGEST,
  ),
};
