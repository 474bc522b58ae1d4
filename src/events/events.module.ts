import { Module } from '@nestjs/common';
import { BackgroundConnection } from '../database/background-connection.js';
import { CONFIG, type Config } from '../config/config.js';
import { Database } from '../database/database.js';
import { EventFilters } from './event-filter.js';
import { EventLog } from './event-log.js';
import { EventStreams } from './event-streams.js';
import { EventTail } from './event-tail.js';
import { EventsController } from './events.controller.js';
import { EventsService } from './events.service.js';
import { SearchIndexer } from '../search/search-indexer.js';
import { Sequencer } from './sequencer.js';

@Module({
  controllers: [EventsController],
  providers: [
    // For numbering events and reading the newest ones, which continue while the pool is busy.
    {
      provide: BackgroundConnection,
      inject: [Database, CONFIG],
      useFactory: (database: Database, config: Config) => new BackgroundConnection('waybill-events', database, config),
    },
    EventLog,
    EventTail,
    Sequencer,
    SearchIndexer,
    EventFilters,
    EventsService,
    EventStreams,
  ],
  exports: [EventLog, BackgroundConnection, Sequencer],
})
export class EventsModule {}
