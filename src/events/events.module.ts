import { Module } from '@nestjs/common';
import { EventFilters } from './event-filter.js';
import { EventLog } from './event-log.js';
import { EventStreams } from './event-streams.js';
import { EventTail } from './event-tail.js';
import { EventsConnection } from './events-connection.js';
import { EventsController } from './events.controller.js';
import { EventsService } from './events.service.js';
import { SearchIndexer } from '../search/search-indexer.js';
import { Sequencer } from './sequencer.js';

@Module({
  controllers: [EventsController],
  providers: [
    EventsConnection,
    EventLog,
    EventTail,
    Sequencer,
    SearchIndexer,
    EventFilters,
    EventsService,
    EventStreams,
  ],
  exports: [EventLog, EventsConnection, Sequencer],
})
export class EventsModule {}
