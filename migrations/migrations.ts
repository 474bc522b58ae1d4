import { VersionClock1762900000001 } from './1762900000001-version-clock.js';
import { Moves1762900000002 } from './1762900000002-moves.js';
import { Shipments1762900000003 } from './1762900000003-shipments.js';
import { AgentsAndServices1762900000004 } from './1762900000004-agents-and-services.js';
import { History1762900000005 } from './1762900000005-history.js';
import { IdempotencyKeys1762900000006 } from './1762900000006-idempotency-keys.js';
import { MonthsAhead1762900000007 } from './1762900000007-months-ahead.js';
import { IndexesOfFilters1762900000008 } from './1762900000008-indexes-of-filters.js';
import { IndexesBySpan1762900000009 } from './1762900000009-indexes-by-span.js';
import { IndexOfChanges1762900000010 } from './1762900000010-index-of-changes.js';
import { IndexesOfChangesBySpan1762900000011 } from './1762900000011-indexes-of-changes-by-span.js';
import { HistoryRights1762900000012 } from './1762900000012-history-rights.js';
import { HistorySubject1763000000013 } from './1763000000013-history-subject.js';
import { IndexesOfLists1763000000014 } from './1763000000014-indexes-of-lists.js';
import { Events1763100000015 } from './1763100000015-events.js';
import { Imports1763200000016 } from './1763200000016-imports.js';
import { MonthsAndNumbers1763300000017 } from './1763300000017-months-and-numbers.js';
import { MonthsAndReaders1763300000018 } from './1763300000018-months-and-readers.js';

/** In the order in which they run. */
export const MIGRATIONS = [
  VersionClock1762900000001,
  Moves1762900000002,
  Shipments1762900000003,
  AgentsAndServices1762900000004,
  History1762900000005,
  IdempotencyKeys1762900000006,
  MonthsAhead1762900000007,
  IndexesOfFilters1762900000008,
  IndexesBySpan1762900000009,
  IndexOfChanges1762900000010,
  IndexesOfChangesBySpan1762900000011,
  HistoryRights1762900000012,
  HistorySubject1763000000013,
  IndexesOfLists1763000000014,
  Events1763100000015,
  Imports1763200000016,
  MonthsAndNumbers1763300000017,
  MonthsAndReaders1763300000018,
];
