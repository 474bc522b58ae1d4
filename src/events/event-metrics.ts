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
}

/** What operators see of the feed. The database is asked when somebody reads the metrics. */
@Injectable()
export class EventMetrics {
  constructor({ registry }: Metrics, connection: EventsConnection, streams: EventStreams) {
    const registers = [registry];
    const gaps = new Gauge({
      name: 'waybill_events_gaps',
      help: 'Positions of history that were missing when the newest events were numbered, and are looked for again',
      registers,
    });
    const age = new Gauge({
      name: 'waybill_events_unnumbered_age_seconds',
      help: 'Age of the oldest entry of history that is committed and not yet an event',
      registers,
    });
    new Gauge({
      name: 'waybill_events_head',
      help: 'The number of the newest event',
      registers,
      async collect() {
        // While the database is away, the values stay what they were; other metrics tell.
        const [now] = await connection.query<Numbering>(NUMBERING).catch(() => []);
        if (now === undefined) return;
        this.set(Number(now.head));
        gaps.set(now.gaps);
        age.set(now.unnumberedSeconds);
      },
    });
    new Counter({
      name: 'waybill_event_streams_cut_off_total',
      help: 'Streams that were closed because their client did not read',
      registers,
      collect() {
        this.reset();
        this.inc(streams.cutOff);
      },
    });
  }
}
