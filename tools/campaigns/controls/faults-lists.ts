import type { Fault } from './faults.js';

/** Faults of polled lists, files, imports and the overview. */
export const LIST_FAULTS: readonly Fault[] = [
  {
    about: 'a version may be earlier than a mark that was handed out',
    file: 'migrations/1763500000080-list-marks.ts',
    find: `now_ms(), timestamptz 'epoch' + pg_sequence_last_value('version_floor') * interval '1 millisecond'\n        );`,
    replace: 'now_ms()\n        );',
    specs: ['test/records/polling.spec.ts'],
    only: 'whatever the order',
  },
  {
    about: 'a mark is handed out while earlier writes are under way',
    file: 'migrations/1763500000080-list-marks.ts',
    find: ' WHERE seen_by < pg_snapshot_xmin(pg_current_snapshot())',
    replace: '',
    specs: ['test/records/polling.spec.ts'],
    only: 'committed after it',
  },
  {
    about: 'the mark of a page is forgotten when the walk has passed it',
    file: 'src/records/list-marks.ts',
    find: 'Date.parse(value) < mark ?',
    replace: 'mark !== undefined ?',
    specs: ['test/records/polling.spec.ts'],
    only: 'whatever the order',
  },
  {
    about: 'an import takes an apostrophe away that no export put',
    file: 'src/files/cells.ts',
    find: 'cell.startsWith(GUARD) && needsGuard.test(text) ? text : cell',
    replace: `needsGuard !== undefined && cell.startsWith(GUARD) ? text : cell`,
    specs: ['test/files/file-cells.spec.ts'],
  },
  {
    about: 'housekeeping does not look again once it has locked an import',
    file: 'src/imports/import-expiry.ts',
    find: 'if (expired !== undefined && isExpired(expired.row))',
    replace: 'if (expired !== undefined && isExpired !== undefined)',
    specs: ['test/imports/import-retention.spec.ts'],
    only: 'holds the lock first',
  },
  {
    about: 'an import expires while it is applied',
    file: 'src/imports/import.entity.ts',
    find: `state !== 'applying' && Date.parse(expiresAt)`,
    replace: `state !== undefined && Date.parse(expiresAt)`,
    specs: ['test/imports/import-retention.spec.ts'],
    only: 'outlives',
  },
  {
    about: 'the overview counts days in the time zone of the session',
    file: 'src/overview/overview-sql.ts',
    find: 'generate_series(0, $3::date - $2::date) AS passed, LATERAL (SELECT $2::date + passed AS day) AS each',
    replace: `(SELECT moment::date AS day FROM generate_series($2::date, $3::date, '1 day') AS moment) AS each`,
    specs: ['test/overview/overview-days.spec.ts'],
    only: 'summer time',
  },
];
