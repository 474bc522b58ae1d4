import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { Scope } from '../auth/access.js';
import { ScopeCheck } from '../auth/scope.guard.js';
import type { Transaction } from '../database/transaction.js';
import { MOVES } from '../moves/move.entity.js';
import { invalidField } from '../problem/problem.js';
import type { PendingWrite } from '../records/pending-write.js';
import { Records, type Locked } from '../records/records.js';
import type { Resource } from '../records/resource.js';
import { SHIPMENTS } from '../shipments/shipment.entity.js';
import type { WebhookFields } from './dto/webhook-fields.js';
import { withSecret } from './secret.js';
import { kindOf, SUBSCRIBABLE } from './subscribable.js';
import { ADD_SECRET_AND_PROGRESS, LOCK_PROGRESS, RESUME, ROTATE_SECRET } from './webhook-sql.js';
import { WEBHOOKS, type DisabledReason, type Webhook } from './webhook.entity.js';

@Injectable()
export class WebhooksService {
  constructor(
    private readonly records: Records,
    private readonly scopes: ScopeCheck,
  ) {}

  /** 403 if the caller may not read what the webhook would send. The response shows the secret. */
  async create(request: Request, transaction: Transaction, fields: WebhookFields): Promise<PendingWrite> {
    if (fields.types === null) this.scopes.require(request, 'shipments:read', 'moves:read');
    this.requireAll(request, scopesOf(fields.types ?? []));
    const scopes = READ_SCOPES.filter((scope) => this.scopes.allows(request, scope));
    const { enabled, payload, ...others } = await this.withIDs(fields, transaction);
    const values = { ...others, payload: payload ?? 'thin', scopes, ...enabling(enabled ?? true) };
    return withSecret(this.records.create(WEBHOOKS, values), ADD_SECRET_AND_PROGRESS);
  }

  /** 403 unless the caller may read what the webhook sends: otherwise a new URL would show it to them. */
  async update(
    request: Request,
    transaction: Transaction,
    webhook: Locked<Webhook>,
    fields: Partial<WebhookFields>,
  ): Promise<PendingWrite> {
    const { row } = webhook;
    // Without types, a webhook sends no events of webhooks.
    const all = row.scopes.filter((scope) => scope !== WEBHOOKS.readScope);
    this.requireAll(request, row.types === null ? all : scopesOf(row.types));
    if (fields.types) this.requireAll(request, scopesOf(fields.types));
    if (fields.types && scopesOf(fields.types).some((scope) => !row.scopes.includes(scope))) {
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

  private requireAll(request: Request, scopes: readonly Scope[]): void {
    for (const scope of scopes) this.scopes.require(request, scope);
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

const READ_SCOPES = [...new Set(SUBSCRIBABLE.map(({ readScope }) => readScope))];

function scopesOf(types: readonly string[]): Scope[] {
  return types.map((type) => kindOf(type).readScope);
}

const BEYOND_CREATOR =
  'names events that the creator of the webhook may not read (see scopes); create another webhook for them';
