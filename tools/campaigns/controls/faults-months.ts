import type { Fault } from './fault.js';

/** Faults of histories with archived months, and of erasures beside work in progress. */
export const MONTH_FAULTS: readonly Fault[] = [
  {
    about: 'an entry has the values of the newest earlier entry that is left for previous ones',
    file: 'src/history/history-sql.ts',
    find: ` AND \${followsDirectly('before.position')}`,
    replace: '',
    specs: ['test/history/missing-months.spec.ts'],
  },
  {
    about: 'a 412 names the author of a change before an archived one',
    file: 'src/history/history-sql.ts',
    find: `entry.before IS NOT NULL AND is_last`,
    replace: `entry.before IS NOT NULL`,
    specs: ['test/history/missing-months.spec.ts'],
  },
  {
    about: 'the current version of a record is missing if its month is archived',
    file: 'src/records/records.ts',
    find: 'return current.eTag === eTag ? current : notFound(resource, id);',
    replace: 'return notFound(resource, current.id);',
    specs: ['test/history/missing-months.spec.ts'],
  },
  {
    about: 'the console takes the author of an entry that lists all values for the author of each',
    file: 'console/src/model/last-change.ts',
    find: '    if (!saysWhatChanged(entry)) return undefined;\n',
    replace: '',
    specs: ['test/console/last-change.spec.ts'],
  },
  {
    about: 'an answer of a receiver that came after the erasure of the author is never found',
    file: 'tools/erase/author-target.ts',
    find: 'keptAnswers: await eraseLateAnswers(this.client)',
    replace: 'keptAnswers: 0',
    specs: ['test/tools/erasure-webhooks.spec.ts'],
  },
];
