import { Controller, HttpCode, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { NeedsScope } from '../auth/access.js';
import { ScopeCheck } from '../auth/scope.guard.js';
import { RunsUnits } from '../writes/writes.decorator.js';
import type { Reply } from '../http/reply.js';
import { contextOf } from '../http/request-context.js';
import { Operation, Stability, Tag } from '../openapi/operation.js';
import { batchOf } from '../openapi/response.js';
import { DeletedRecords } from '../records/deleted-records.js';
import { Records } from '../records/records.js';
import { SHIPMENTS } from '../model/shipment.entity.js';
import { bulkItem, scopesOf } from './bulk-item.js';
import { BULK_PATH, opsIn, readBulk, requireDistinct } from './bulk-request.js';
import { BULK_BODIES, BULK_SCHEMAS, BULK_TEXT } from './bulk-texts.js';
import { BulkService } from './bulk.service.js';
import { BULK_REFUSED } from './bulk-refused.js';

@Controller(BULK_PATH)
@Tag('Shipments')
@Stability('supported')
export class BulkController {
  constructor(
    private readonly bulk: BulkService,
    private readonly records: Records,
    private readonly deletedRecords: DeletedRecords,
    private readonly scopes: ScopeCheck,
  ) {}

  @Post()
  @HttpCode(200)
  @NeedsScope(['shipments:write', 'shipments:status'])
  @RunsUnits()
  @Operation('bulkShipments', 'Create, change, delete and restore many shipments', {
    description: BULK_TEXT,
    body: { name: 'Bulk', schema: BULK_SCHEMAS.request },
    response: batchOf('BulkAnswer', BULK_SCHEMAS.answer),
    examples: BULK_BODIES,
    problems: [BULK_REFUSED, 'OUTCOME_UNKNOWN'],
  })
  async write(@Req() request: Request): Promise<Reply> {
    for (const scope of scopesOf(opsIn(request.body))) this.scopes.require(request, scope);
    const { atomic, items } = readBulk(request.body);
    contextOf(request).countItems(items.length);
    const names = items.flatMap(({ id }) => id ?? []);
    const deleted = items.flatMap(({ op, id }) => (op === 'undelete' && id !== undefined ? [id] : []));
    const ids = new Map([
      ...(await this.deletedRecords.idsOf(deleted, SHIPMENTS)),
      ...(await this.records.idsOf(SHIPMENTS, names)),
    ]);
    requireDistinct(items.map(({ id }) => id && (ids.get(id) ?? id)));
    return this.bulk[atomic ? 'writeAll' : 'writeEach'](
      request,
      items.map((item) => bulkItem(item, ids)),
    );
  }
}
