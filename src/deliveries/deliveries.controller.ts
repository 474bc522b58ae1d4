import { Controller, Get, HttpCode, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { NeedsScope } from '../auth/access.js';
import type { Transaction } from '../database/transaction.js';
import type { Reply } from '../http/reply.js';
import { QueryOf } from '../http/query.guard.js';
import { Operation, PathParameter, Stability, Tag } from '../openapi/operation.js';
import { json, listOf } from '../openapi/response.js';
import type { PendingWrite } from '../records/pending-write.js';
import type { Page } from '../records/rendered-record.js';
import { canonicalID, SENT_UUID } from '../validation/json-schema.js';
import { scopesToRead } from '../webhooks/webhook-rights.js';
import { WEBHOOKS } from '../model/webhook.entity.js';
import { Fields } from '../writes/fields.pipe.js';
import { InTransaction, Writes } from '../writes/writes.decorator.js';
import { DeliveriesService } from './deliveries.service.js';
import { REPLAYED, WEBHOOK_DELIVERY } from './delivery-schemas.js';
import { OUTGOING_EVENT } from './outgoing-event.js';
import { DeliveriesQuery } from './dto/delivery-queries.js';
import { Replay } from './dto/replay.js';

const PING = { creates: true, parent: WEBHOOKS, scope: 'webhooks:write' } as const;
const SEND = { ...PING, scopesFor: scopesToRead };

@Controller('v1/webhooks/:webhookID')
@Tag('Webhooks')
@Stability('supported')
@PathParameter('deliveryID', {
  description: 'The id of the delivery.',
  example: '5f0c9a52-5d0e-4c0b-a7a4-51d8a1d4b6c3',
  schema: SENT_UUID,
})
export class DeliveriesController {
  constructor(private readonly deliveries: DeliveriesService) {}

  @Get('deliveries')
  @NeedsScope('webhooks:read')
  @Operation('listWebhookDeliveries', 'List the deliveries of a webhook', {
    response: listOf(WEBHOOK_DELIVERY),
    description:
      'With the newest 50 attempts, and the first kilobyte of each answer for those who may read the record. A page may have fewer deliveries than `limit`. Deliveries are kept for 30 days.',
  })
  list(
    @Req() request: Request,
    @Param('webhookID') id: string,
    @QueryOf(DeliveriesQuery) query: DeliveriesQuery,
  ): Promise<Page> {
    return this.deliveries.page(request, canonicalID(id), query);
  }

  @Get('deliveries/:deliveryID')
  @NeedsScope('webhooks:read')
  @Operation('readWebhookDelivery', 'Read a delivery, its request and its attempts', {
    response: json(WEBHOOK_DELIVERY),
  })
  read(
    @Req() request: Request,
    @Param('webhookID') id: string,
    @Param('deliveryID') deliveryID: string,
  ): Promise<Reply> {
    return this.deliveries.read(request, canonicalID(id), deliveryID);
  }

  @Post('ping')
  @Writes(PING)
  @HttpCode(202)
  @Operation('pingWebhook', 'Send a test event', {
    response: json(WEBHOOK_DELIVERY),
    description:
      'Sends an event of the type `webhook.ping`, which is not in the feed. Read the delivery to see the answer.',
    sends: OUTGOING_EVENT,
  })
  ping(@Req() request: Request, @Param('webhookID') id: string): PendingWrite<Reply> {
    return this.deliveries.ping(request, canonicalID(id));
  }

  @Post('deliveries/:deliveryID/redeliver')
  @Writes(SEND)
  @HttpCode(202)
  @Operation('redeliverWebhookDelivery', 'Send a delivery again', {
    response: json(WEBHOOK_DELIVERY),
    description:
      'Requires the scopes to read everything that the webhook sends. Sends the event again with the same `webhook-id`, and with all attempts. A pending delivery is sent at once.',
  })
  redeliver(
    @Req() request: Request,
    @InTransaction() transaction: Transaction,
    @Param('webhookID') id: string,
    @Param('deliveryID') deliveryID: string,
  ): Promise<PendingWrite<Reply>> {
    return this.deliveries.redeliver(request, transaction, canonicalID(id), deliveryID);
  }

  @Post('replay')
  @Writes({ ...SEND, body: { type: Replay, use: 'Command' } })
  @HttpCode(202)
  @Operation('replayWebhook', 'Send a range of events again', {
    response: json(REPLAYED),
    description:
      'Requires the scopes to read everything that the webhook sends. Sends the matching events after `after` up to `until` again, at most 10,000, in order per record. Each has the `webhook-id` of its first delivery, so that a receiver recognizes what it already has.',
  })
  replay(
    @InTransaction() transaction: Transaction,
    @Param('webhookID') id: string,
    @Fields() replay: Replay,
  ): Promise<PendingWrite<Reply>> {
    return this.deliveries.replay(transaction, canonicalID(id), replay);
  }
}
