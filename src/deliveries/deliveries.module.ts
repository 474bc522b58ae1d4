import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module.js';
import { DeliveryMetrics } from './delivery-metrics.js';
import { DeliveryQueue } from './delivery-queue.js';
import { DeliveryWorker } from './delivery-worker.js';
import { Sender } from './sender.js';

@Module({
  imports: [EventsModule],
  providers: [DeliveryWorker, DeliveryQueue, Sender, DeliveryMetrics],
})
export class DeliveriesModule {}
