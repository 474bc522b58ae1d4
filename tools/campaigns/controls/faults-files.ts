import type { Fault } from './fault.js';

/** Faults of files: results of imports, and dates. */
export const FILE_FAULTS: readonly Fault[] = [
  {
    about: 'the result of JSON Lines names fields that the row did not mention',
    file: 'src/imports/results/json-result.ts',
    find: 'const sent = Object.entries(row.sent ?? {}).filter(',
    replace: 'const sent = Object.entries({ ...row.current, ...row.sent }).filter(',
    specs: ['test/imports/json-results.spec.ts'],
  },
  {
    about: 'the result of JSON Lines has the part of an address that was sent, and not the whole',
    file: 'src/imports/results/json-result.ts',
    find: 'part === name && value !== (current?.[member] ?? null)',
    replace: 'part === name && value === undefined',
    specs: ['test/imports/json-results.spec.ts'],
    only: 'comes back whole',
  },
  {
    about: 'a result file has the new eTag beside the values of the old version',
    file: 'src/imports/results/refused-rows.ts',
    find: ` ? 'base' : 'current';`,
    replace: ` ? 'base' : names[0] === 'eTag' ? 'current' : 'sent';`,
    specs: ['test/imports/json-results.spec.ts', 'test/imports/import-apply.spec.ts'],
  },
  {
    about: 'a number that is too large comes back from an import as null',
    file: 'src/imports/reading/json-rows.ts',
    find: `if (typeof value === 'number') return Number.isFinite(value);`,
    replace: '',
    specs: ['test/imports/json-results.spec.ts'],
    only: 'no file could return',
  },
  {
    about: 'a day of the console begins at midnight of the zone',
    file: 'console/src/model/days.ts',
    find: 'new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)',
    replace: 'new Date(new Date(`${day}T00:00:00`).getTime() + days * DAY_MS).toISOString().slice(0, 10)',
    specs: ['test/console/summer-time.spec.ts'],
  },
];
