import { Controller, Delete, Get, HttpCode, Param, Patch, Post, Put, Req } from '@nestjs/common';
import type { Request } from 'express';
import { NeedsScope } from '../auth/access.js';
import type { Transaction } from '../database/transaction.js';
import { History } from '../history/history.js';
import { QueryOf } from '../http/query.guard.js';
import { Operation, Stability, Tag } from '../openapi/operation.js';
import { listOf, recordOf } from '../openapi/response.js';
import { CHANGES } from '../openapi/schemas/history-entry.js';
import { numberedPage, NumberedPagingQuery, pageRequest, PagingQuery } from '../records/paging.js';
import type { PendingWrite } from '../records/pending-write.js';
import { Records, type Locked } from '../records/records.js';
import type { Page, RenderedRecord } from '../records/rendered-record.js';
import { Fields } from '../writes/fields.pipe.js';
import { writesOf } from '../writes/write-rule.js';
import { InTransaction, LockedRow, Writes } from '../writes/writes.decorator.js';
import { WebhookFields } from './dto/webhook-fields.js';
import { permittedUrl } from './receiver-addresses.js';
import { WITH_SECRET } from './secret.js';
import { NEEDS_TO_READ, scopesToRead, scopesToWrite } from './webhook-rights.js';
import { Webhook, WEBHOOKS } from '../model/webhook.entity.js';
import { WebhooksService } from './webhooks.service.js';

const WRITES = writesOf({
  resource: WEBHOOKS,
  scope: 'webhooks:write',
  fields: WebhookFields,
  configured: permittedUrl,
  scopesFor: scopesToWrite,
});
const ROTATE = { resource: WEBHOOKS, scope: 'webhooks:write', scopesFor: scopesToRead, ifMatch: 'optional' } as const;

const UPDATE_TEXT = `${NEEDS_TO_READ} Setting \`enabled\` to true resumes deliveries where they stopped.`;

@Controller(WEBHOOKS.path)
@Tag('Webhooks', 'Receivers that are called for each matching event, signed and in order per record.')
@Stability('supported')
export class WebhooksController {
  constructor(
    private readonly records: Records,
    private readonly changes: History,
    private readonly webhooks: WebhooksService,
  ) {}

  @Get()
  @NeedsScope('webhooks:read')
  @Operation('listWebhooks', 'List webhooks', { response: listOf(Webhook) })
  list(@QueryOf(PagingQuery) query: PagingQuery): Promise<Page> {
    return this.records.page(WEBHOOKS, pageRequest(query));
  }

  @Post()
  @Writes(WRITES.create)
  @Operation('createWebhook', 'Create a webhook', {
    response: recordOf(Webhook, WITH_SECRET),
    problems: ['LIMIT_REACHED'],
    description:
      'Sends the events that follow, from now on. `secret` verifies their signatures; only this response shows it. A webhook receives only what its creator may read: `types` requires the scopes to read the records that it names.',
  })
  create(
    @Req() request: Request,
    @InTransaction() transaction: Transaction,
    @Fields() fields: WebhookFields,
  ): Promise<PendingWrite> {
    return this.webhooks.create(request, transaction, fields);
  }

  @Get(':webhookID')
  @NeedsScope('webhooks:read')
  @Operation('readWebhook', 'Read a webhook', { response: recordOf(Webhook) })
  read(@Param('webhookID') id: string): Promise<RenderedRecord> {
    return this.records.read(WEBHOOKS, id);
  }

  @Get(':webhookID/history')
  @NeedsScope('webhooks:read')
  @Operation('listWebhookHistory', 'List the changes of a webhook', { response: CHANGES })
  history(@Param('webhookID') id: string, @QueryOf(NumberedPagingQuery) paging: NumberedPagingQuery): Promise<Page> {
    return this.changes.page([WEBHOOKS], id, numberedPage(paging));
  }

  @Patch(':webhookID')
  @Writes(WRITES.update)
  @Operation('updateWebhook', 'Change fields of a webhook', { response: recordOf(Webhook), description: UPDATE_TEXT })
  update(
    @InTransaction() transaction: Transaction,
    @LockedRow() webhook: Locked<Webhook>,
    @Fields() fields: Partial<WebhookFields>,
  ): Promise<PendingWrite> {
    return this.webhooks.update(transaction, webhook, fields);
  }

  @Put(':webhookID')
  @Writes(WRITES.replace)
  @Operation('replaceWebhook', 'Replace a webhook', { response: recordOf(Webhook), description: UPDATE_TEXT })
  replace(
    @InTransaction() transaction: Transaction,
    @LockedRow() webhook: Locked<Webhook>,
    @Fields() fields: WebhookFields,
  ): Promise<PendingWrite> {
    return this.webhooks.update(transaction, webhook, fields);
  }

  @Delete(':webhookID')
  @Writes(WRITES.remove)
  @HttpCode(204)
  @Operation('deleteWebhook', 'Delete a webhook', { description: `${NEEDS_TO_READ} Pending deliveries are not sent.` })
  remove(@LockedRow() webhook: Locked<Webhook>): PendingWrite {
    return webhook.remove();
  }

  @Post(':webhookID/rotateSecret')
  @Writes(ROTATE)
  @HttpCode(200)
  @Operation('rotateWebhookSecret', 'Replace the secret of a webhook', {
    response: recordOf(Webhook, WITH_SECRET),
    description: `${NEEDS_TO_READ} The previous secret keeps signing for 24 hours, beside the new one.`,
  })
  rotateSecret(@LockedRow() webhook: Locked<Webhook>): PendingWrite {
    return this.webhooks.rotateSecret(webhook);
  }
}
