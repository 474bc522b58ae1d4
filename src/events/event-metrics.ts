import { Injectable } from '@nestjs/common';
import { Metrics } from '../operations/metrics.js';
import { EventsConnection } from './events-connection.js';
import { NUMBERING } from './events-sql.js';

/** Metrics of the feed. */
@Injectable()
export class EventMetrics {
  constructor(metrics: Metrics, connection: EventsConnection) {
    metrics.queriedGauges(
      () => connection.query(NUMBERING),
      [
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
          'waybill_search_lag_seconds',
          'unindexedSeconds',
          'Age of the oldest event that the search index does not include yet',
        ],
      ],
    );
  }
}
