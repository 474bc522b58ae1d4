import type { Fault } from './faults.js';

/** Faults in how the console keeps every eTag with the values that it was read with. */
export const CONSOLE_FAULTS: readonly Fault[] = [
  {
    about: 'the console applies an event over a gap',
    file: 'console/src/model/news.ts',
    find: ' || previousETag !== copy.eTag',
    replace: '',
    specs: ['test/console/record-cache.spec.ts', 'test/console/news.spec.ts'],
  },
  {
    about: 'a response takes the console back to an earlier version',
    file: 'console/src/live/record-cache.ts',
    find: 'this.arrivals.filter(({ at }) => at > oldest)',
    replace: 'this.arrivals.filter(() => false)',
    specs: ['test/console/record-cache.spec.ts'],
  },
  {
    about: 'the console applies news in the order in which it arrived',
    file: 'console/src/model/news.ts',
    find: '[...news].sort((one, other) => (timeOf(one) < timeOf(other) ? -1 : 1))',
    replace: 'news',
    specs: ['test/console/news.spec.ts'],
  },
  {
    about: 'a version that was written drops the expanded records of a copy in the console',
    file: 'console/src/model/news.ts',
    find: 'return { ...kept, ...version } as R;',
    replace: 'return version as R;',
    specs: ['test/console/news.spec.ts'],
  },
  {
    about: 'the console forgets that a query became outdated while it was being read',
    file: 'console/src/live/record-cache.ts',
    find: 'if (outdated.at < readAt) {',
    replace: 'if (readAt >= 0) {',
    specs: ['test/console/record-cache.spec.ts'],
  },
  {
    about: 'a read that was given up takes the console back',
    file: 'console/src/live/record-cache.ts',
    find: 'if (admitted !== undefined && query.state.data !== admitted)',
    replace: 'if (false)',
    specs: ['test/console/record-cache.spec.ts'],
  },
  {
    about: 'the response of a list brings back what the user removed from it',
    file: 'console/src/live/record-cache.ts',
    find: `if ('key' in arrival && arrival.at > at`,
    replace: `if ('key' in arrival && arrival.at < at`,
    specs: ['test/console/record-cache.spec.ts'],
  },
  {
    about: 'the response of a write that was under way while events were missed stays in the console',
    file: 'console/src/live/record-cache.ts',
    find: 'if (at < this.missedAt)',
    replace: 'if (false)',
    specs: ['test/console/record-cache.spec.ts'],
  },
  {
    about: 'the console keeps versions that a restored database does not have',
    file: 'console/src/live/record-cache.ts',
    find: 'this.forget();\n    this.missedAt',
    replace: 'this.missedAt',
    specs: ['test/console/record-cache.spec.ts'],
  },
  {
    about: 'the console reads a record again at once whose response was too old',
    file: 'console/src/live/record-cache.ts',
    find: 'if (version.updatedAt < known && this.wanted.delete(id))',
    replace: 'if (false)',
    specs: ['test/console/record-cache.spec.ts'],
  },
];
