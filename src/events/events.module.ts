import { Module } from '@nestjs/common';
import { EventFilters } from './event-filter.js';
import { EventLog } from './event-log.js';
import { EventTail } from './event-tail.js';
import { EventsConnection } from './events-connection.js';
import { EventsController } from './events.controller.js';
import { EventsService } from './events.service.js';
import { Sequencer } from './sequencer.js';

@Module({
  controllers: [EventsController],
  providers: [EventsConnection, EventLog, EventTail, Sequencer, EventFilters, EventsService],
})
export class EventsModule {}
