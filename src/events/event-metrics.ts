import { Injectable } from '@nestjs/common';
import { Counter, Gauge } from 'prom-client';
import { Metrics } from '../operations/metrics.js';
import { EventStreams } from './event-streams.js';
import { EventsConnection } from './events-connection.js';
import { NUMBERING } from './events-sql.js';

interface Numbering {
  readonly head: string;
  readonly gaps: number;
  readonly unnumberedSeconds: number;
  readonly unindexedSeconds: number;
}

/** Metrics of the feed, queried from the database on each scrape. */
@Injectable()
export class EventMetrics {
  constructor({ registry }: Metrics, connection: EventsConnection, streams: EventStreams) {
    const registers = [registry];
    const gaps = new Gauge({
      name: 'waybill_events_gaps',
      help: 'History positions that were missing when the newest events were numbered and may still appear',
      registers,
    });
    const age = new Gauge({
      name: 'waybill_events_unnumbered_age_seconds',
      help: 'Age of the oldest committed history entry without an event number',
      registers,
    });
    const searchLag = new Gauge({
      name: 'waybill_search_lag_seconds',
      help: 'Age of the oldest event that the search index does not include yet',
      registers,
    });
    new Gauge({
      name: 'waybill_events_head',
      help: 'Number of the newest event',
      registers,
      async collect() {
        // While the database is unavailable, the values stay unchanged.
        const [now] = await connection.query<Numbering>(NUMBERING).catch(() => []);
        if (now === undefined) return;
        this.set(Number(now.head));
        gaps.set(now.gaps);
        age.set(now.unnumberedSeconds);
        searchLag.set(now.unindexedSeconds);
      },
    });
    new Counter({
      name: 'waybill_event_streams_cut_off_total',
      help: 'Streams closed because their client did not read',
      registers,
      collect() {
        this.reset();
        this.inc(streams.cutOff);
      },
    });
  }
}
