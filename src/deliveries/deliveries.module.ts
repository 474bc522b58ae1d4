import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module.js';
import { DeliveriesController } from './deliveries.controller.js';
import { DeliveriesService } from './deliveries.service.js';
import { DeliveryQueue } from './delivery-queue.js';
import { DeliveryWorker } from './delivery-worker.js';
import { FanOut } from './fan-out.js';
import { Sender } from './sender.js';

@Module({
  imports: [EventsModule],
  controllers: [DeliveriesController],
  providers: [FanOut, DeliveryWorker, DeliveryQueue, Sender, DeliveriesService],
})
export class DeliveriesModule {}
