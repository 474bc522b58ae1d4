import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module.js';
import { DeliveriesController } from './deliveries.controller.js';
import { DeliveriesService } from './deliveries.service.js';
import { DeliveryExpiry } from './delivery-expiry.js';
import { DeliveryMetrics } from './delivery-metrics.js';
import { DeliveryQueue } from './delivery-queue.js';
import { DeliveryRequests } from './delivery-requests.js';
import { DeliveryResults } from './delivery-results.js';
import { DeliveryWorker } from './delivery-worker.js';
import { Sender } from './sender.js';

@Module({
  imports: [EventsModule],
  controllers: [DeliveriesController],
  providers: [
    DeliveryWorker,
    DeliveryQueue,
    DeliveryResults,
    DeliveryRequests,
    Sender,
    DeliveryMetrics,
    DeliveriesService,
    DeliveryExpiry,
  ],
})
export class DeliveriesModule {}
