import { Injectable } from '@nestjs/common';
import { BackgroundLoop } from '../operations/background-loop.js';
import { Metrics } from '../operations/metrics.js';
import { SearchIndexer } from '../search/search-indexer.js';
import { EventTail } from './event-tail.js';
import { BackgroundConnection } from '../database/background-connection.js';
import { NUMBER_EVENTS, NUMBERING } from './events-sql.js';

/** The interval between two rounds, and the shortest pause after a long round. */
const BUSY_PAUSE_MS = 100;
const SHORTEST_PAUSE_MS = 20;
const MAX_IDLE_PAUSE_MS = { followed: 200, unfollowed: 500 };
const MAX_RETRY_MS = 5000;

/** A batch of this size was probably cut off by its limit. */
const BACKLOG = 500;

const GAUGES = [
  ['waybill_events_head', 'head', 'Number of the newest event'],
  [
    'waybill_events_gaps',
    'gaps',
    'History positions that were missing when the newest events were numbered and may still appear',
  ],
  [
    'waybill_events_unnumbered_age_seconds',
    'unnumberedSeconds',
    'Age of the oldest committed history entry without an event number',
  ],
  [
    'waybill_events_lost_entries',
    'lost',
    'Entries among the newest 1,000 positions of history that are not events and never become one',
  ],
  [
    'waybill_search_lag_seconds',
    'unindexedSeconds',
    'Age of the oldest event that the search index does not include completely yet',
  ],
  [
    'waybill_search_behind_events',
    'unindexedEvents',
    'Number of events that the search index does not include completely yet',
  ],
] as const;

/**
 * Numbers history entries, and lets the tail read the new events. Every replica runs it; in each round, the replica that gets the
 * database lock does the numbering, so no handover is needed when a replica stops.
 */
@Injectable()
export class Sequencer extends BackgroundLoop {
  private idleRounds = 0;

  constructor(
    private readonly connection: BackgroundConnection,
    private readonly tail: EventTail,
    indexer: SearchIndexer,
    metrics: Metrics,
  ) {
    super('Sequencer', 'Numbering events', MAX_RETRY_MS);
    this.followers.push(indexer);
    metrics.queriedGauges(() => connection.query(NUMBERING), GAUGES);
  }

  protected override async round(): Promise<number> {
    const began = performance.now();
    // Null: another replica is numbering.
    const [row] = await this.connection.query<{ numbered: number | null }>(NUMBER_EVENTS);
    const numbered = row?.numbered ?? 0;
    if (numbered > 0) this.wakeFollowers();
    await this.tail.refresh();
    this.idleRounds = row?.numbered === 0 ? this.idleRounds + 1 : 0;
    if (numbered >= BACKLOG) return 0;
    return Math.max(SHORTEST_PAUSE_MS, this.pause() - (performance.now() - began));
  }

  /** The pause grows while nothing happens. */
  private pause(): number {
    const maxPause = MAX_IDLE_PAUSE_MS[this.tail.isFollowed ? 'followed' : 'unfollowed'];
    return Math.min(BUSY_PAUSE_MS * 1.05 ** this.idleRounds, maxPause);
  }
}
