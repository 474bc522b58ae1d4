import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { ScopeCheck } from '../auth/scope.guard.js';
import { CONFIG, type Config } from '../config/config.js';
import type { Transaction } from '../database/transaction.js';
import { MOVES } from '../model/move.entity.js';
import { contextOf } from '../http/request-context.js';
import { invalidField, Problem } from '../problem/problem.js';
import type { PendingWrite } from '../records/pending-write.js';
import { Records, type Locked } from '../records/records.js';
import type { Resource } from '../records/resource.js';
import { SHIPMENTS } from '../model/shipment.entity.js';
import type { WebhookFields } from './dto/webhook-fields.js';
import { withSecret } from './secret.js';
import { exceedsCreator, READ_SCOPES } from './webhook-rights.js';
import {
  ADD_SECRET_AND_PROGRESS,
  CREATOR_OF_WEBHOOKS,
  LOCK_PROGRESS,
  RESUME,
  ROTATE_SECRET,
  TAKE_OVER,
} from './webhook-sql.js';
import { WEBHOOKS, type DisabledReason, type Webhook } from '../model/webhook.entity.js';

@Injectable()
export class WebhooksService {
  constructor(
    private readonly records: Records,
    private readonly scopes: ScopeCheck,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** The response shows the secret. */
  async create(request: Request, transaction: Transaction, fields: WebhookFields): Promise<PendingWrite> {
    await this.requirePlace(contextOf(request).caller.subject, transaction);
    const scopes = READ_SCOPES.filter((scope) => this.scopes.allows(request, scope));
    const { enabled, payload, ...others } = await this.withIDs(fields, transaction);
    const values = { ...others, payload: payload ?? 'thin', scopes, ...enabling(enabled ?? true) };
    return withSecret(this.records.create(WEBHOOKS, values), ADD_SECRET_AND_PROGRESS);
  }

  async update(
    transaction: Transaction,
    webhook: Locked<Webhook>,
    fields: Partial<WebhookFields>,
  ): Promise<PendingWrite> {
    const { row } = webhook;
    const { types } = fields;
    if (types !== undefined && exceedsCreator({ types, scopes: row.scopes })) {
      throw invalidField('/types', 'NOT_ALLOWED', BEYOND_CREATOR);
    }
    const { enabled, payload, ...others } = await this.withIDs(fields, transaction);
    const isEnabled = enabled === undefined ? row.enabled : (enabled ?? true);
    const update = webhook.update({
      ...others,
      ...(payload !== undefined && { payload: payload ?? 'thin' }),
      ...(isEnabled !== row.enabled && enabling(isEnabled)),
    });
    if (row.enabled || !isEnabled) return update;
    // Deliveries resume where they stopped.
    return update.preceded([
      { statement: LOCK_PROGRESS, values: [[row.id]] },
      { statement: RESUME, values: [row.id] },
      { statement: TAKE_OVER, values: [row.id] },
    ]);
  }

  rotateSecret(webhook: Locked<Webhook>): PendingWrite {
    return withSecret(webhook.update({}), ROTATE_SECRET);
  }

  /** The fields with ids in place of codes; 422 for an unknown code. A record may be deleted or not exist yet, but a code must name one. */
  private async withIDs<F extends Partial<WebhookFields>>(fields: F, transaction: Transaction): Promise<F> {
    const { moveID, resourceID } = fields;
    return {
      ...fields,
      ...(moveID && { moveID: await this.idOf(MOVES, 'moveID', moveID, transaction) }),
      ...(resourceID && { resourceID: await this.idOf(SHIPMENTS, 'resourceID', resourceID, transaction) }),
    };
  }

  private async idOf(resource: Resource, field: string, name: string, transaction: Transaction): Promise<string> {
    const id = await this.records.findID(resource, name, transaction);
    if (id !== undefined) return id;
    throw invalidField(`/${field}`, 'UNKNOWN_CODE', `names no existing ${resource.name}`);
  }

  /** 409 if the caller has created as many webhooks as allowed. */
  private async requirePlace(subject: string, transaction: Transaction): Promise<void> {
    await transaction.query(CREATOR_OF_WEBHOOKS.lock, [subject]);
    const [created] = await transaction.query<{ count: number }>(CREATOR_OF_WEBHOOKS.count, [subject]);
    const limit = this.config.WEBHOOKS_PER_CALLER;
    if ((created?.count ?? 0) < limit) return;
    const webhooks = limit === 1 ? '1 webhook' : `${limit} webhooks`;
    const detail = `You have created ${webhooks}, which is the maximum (WEBHOOKS_PER_CALLER). Delete one first.`;
    throw new Problem('LIMIT_REACHED', detail);
  }
}

/** The fields of an enabled webhook, or of one that is disabled for this reason. */
export function enabling(
  enabled: boolean,
  reason: DisabledReason = 'REQUESTED',
): Pick<Webhook, 'enabled' | 'disabledReason' | 'disabledAt'> {
  return enabled
    ? { enabled, disabledReason: null, disabledAt: null }
    : { enabled, disabledReason: reason, disabledAt: new Date().toISOString() };
}

const BEYOND_CREATOR =
  'names events that the creator of the webhook may not read (see scopes); create another webhook for them';
