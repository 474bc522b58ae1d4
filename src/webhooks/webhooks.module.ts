import { Module } from '@nestjs/common';
import { WebhookFilters } from './webhook-filters.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksService } from './webhooks.service.js';

@Module({
  controllers: [WebhooksController],
  providers: [WebhooksService, WebhookFilters],
})
export class WebhooksModule {}
