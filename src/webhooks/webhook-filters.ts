import { Injectable } from '@nestjs/common';
import type { Transaction } from '../database/transaction.js';
import { MOVES } from '../moves/move.entity.js';
import { fieldProblem } from '../problem/problem.js';
import { Records } from '../records/records.js';
import type { Resource } from '../records/resource.js';
import { SHIPMENTS } from '../shipments/shipment.entity.js';
import type { WebhookFields } from './dto/webhook-fields.js';

/** The filters of a webhook, by id. A record may be deleted or not exist yet, but a code must name one. */
@Injectable()
export class WebhookFilters {
  constructor(private readonly records: Records) {}

  /** The same fields with ids in place of codes; 422 for an unknown code. */
  async resolved<F extends Partial<WebhookFields>>(fields: F, transaction: Transaction): Promise<F> {
    return {
      ...fields,
      ...(fields.moveID && { moveID: await this.idOf(MOVES, 'moveID', fields.moveID, transaction) }),
      ...(fields.resourceID && {
        resourceID: await this.idOf(SHIPMENTS, 'resourceID', fields.resourceID, transaction),
      }),
    };
  }

  private async idOf(resource: Resource, field: string, name: string, transaction: Transaction): Promise<string> {
    const id = await this.records.findID(resource, name, transaction);
    if (id !== undefined) return id;
    const message = `names no existing ${resource.name}`;
    throw fieldProblem('VALIDATION_FAILED', [{ pointer: `/${field}`, code: 'UNKNOWN_CODE', message }]);
  }
}
