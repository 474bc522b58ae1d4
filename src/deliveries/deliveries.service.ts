import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { ScopeCheck } from '../auth/scope.guard.js';
import { CONFIG, type Config } from '../config/config.js';
import { Database } from '../database/database.js';
import type { BoundStatement } from '../database/statement.js';
import type { Transaction } from '../database/transaction.js';
import { readCursor } from '../events/cursor.js';
import { Reply } from '../http/reply.js';
import { invalidField, Problem } from '../problem/problem.js';
import { numberedPage } from '../records/paging.js';
import { PendingWrite } from '../records/pending-write.js';
import { Records } from '../records/records.js';
import { Page } from '../records/rendered-record.js';
import { isUUID } from '../validation/json-schema.js';
import { ALL_RESOURCES, kindOf } from '../model/resources.js';
import { LOCK_PROGRESS } from '../webhooks/webhook-sql.js';
import { WEBHOOKS } from '../model/webhook.entity.js';
import { deliveriesBefore, DELIVERY, EVENT_AT, NOTE_REQUEST, REQUEST, REQUESTED_DELIVERY } from './deliveries-sql.js';
import { DeliveryWorker } from './delivery-worker.js';
import type { DeliveriesQuery } from './dto/delivery-queries.js';
import type { Replay } from './dto/replay.js';
import { PING } from './payload.js';
import { ADD_PING, MARK_NEXT, REDELIVER, REPLAY } from './queue-sql.js';
import { Sender, unsignedHeaders, type Sendable } from './sender.js';

/** Events that one replay examines at most. */
const MAX_REPLAYED = 10_000;

interface DeliveryRow extends Sendable {
  readonly json: string;
  readonly url: string;
  readonly type: string;
}

/** The deliveries of a webhook for those who operate it. */
@Injectable()
export class DeliveriesService {
  private readonly webhooksUrl: string;

  constructor(
    private readonly database: Database,
    private readonly records: Records,
    private readonly worker: DeliveryWorker,
    private readonly sender: Sender,
    private readonly scopes: ScopeCheck,
    @Inject(CONFIG) { PUBLIC_URL = '' }: Config,
  ) {
    this.webhooksUrl = PUBLIC_URL + WEBHOOKS.path;
  }

  async page(request: Request, webhookID: string, query: DeliveriesQuery): Promise<Page> {
    await this.records.read(WEBHOOKS, webhookID);
    const { limit, after } = numberedPage(query);
    const values = [webhookID, after, limit + 1, this.readableKinds(request)];
    const found = await this.database.query<{ position: string; json: string }>(deliveriesBefore(query.state), values);
    const fitting = found.findIndex(({ json }) => json === '');
    return Page.of(found, fitting === -1 ? limit : Math.min(limit, fitting));
  }

  /** With the request that the receiver is sent; without its body for callers who may not read the record of the event. */
  async read(request: Request, webhookID: string, deliveryID: string): Promise<Reply> {
    await this.records.read(WEBHOOKS, webhookID);
    const kinds = this.readableKinds(request);
    const values = [webhookID, deliveryID, kinds];
    const rows = isUUID(deliveryID) ? await this.database.query<DeliveryRow>(DELIVERY, values) : [];
    const [row = unknownDelivery(deliveryID)] = rows;
    const bodies = kinds.includes(kindOf(row.type).name) ? await this.sender.bodiesOf([row]) : undefined;
    const { id, url, json } = row;
    const sent = JSON.stringify({ request: { url, headers: unsignedHeaders(id), body: bodies?.get(row) ?? null } });
    return new Reply(`${json.slice(0, -1)},${sent.slice(1)}`);
  }

  ping(request: Request, webhookID: string): PendingWrite<Reply> {
    const id = randomUUID();
    return this.requested(request, webhookID, id, { statement: ADD_PING, values: [webhookID, id, PING] });
  }

  /** 403 if the caller may not read the record: the types of the webhook may have changed since. */
  async redeliver(
    request: Request,
    transaction: Transaction,
    webhookID: string,
    deliveryID: string,
  ): Promise<PendingWrite<Reply>> {
    if (!isUUID(deliveryID)) return unknownDelivery(deliveryID);
    await transaction.query(LOCK_PROGRESS, [[webhookID]]);
    const [again] = await transaction.query<{ recordID: string; type: string }>(REDELIVER, [webhookID, deliveryID]);
    if (again === undefined) return unknownDelivery(deliveryID);
    const { readScope } = kindOf(again.type);
    if (again.type !== PING && !this.scopes.allows(request, readScope)) {
      // 403 would tell callers who may not read webhooks that the delivery exists.
      if (!this.scopes.allows(request, WEBHOOKS.readScope)) return unknownDelivery(deliveryID);
      this.scopes.require(request, readScope);
    }
    const markNext = { statement: MARK_NEXT, values: [webhookID, [again.recordID]] };
    return this.requested(request, webhookID, deliveryID, markNext);
  }

  /** Sends events again that were sent before. Later ones are sent anyway. */
  async replay(transaction: Transaction, webhookID: string, { after, until }: Replay): Promise<PendingWrite<Reply>> {
    const [progress] = await transaction.query<{ position: number }>(LOCK_PROGRESS, [[webhookID]]);
    const first = after === null ? 0 : await numberOf(transaction, 'after', after);
    const last = until === null ? (progress?.position ?? 0) : await numberOf(transaction, 'until', until);
    if (last - first > MAX_REPLAYED) {
      const message = `must be at most ${MAX_REPLAYED} events after the start of the replay, not ${last - first}; replay them in parts`;
      throw invalidField('/until', 'OUT_OF_RANGE', message);
    }
    const again = await transaction.query<{ recordID: string }>(REPLAY, [[webhookID], first, last]);
    const records = [...new Set(again.map(({ recordID }) => recordID))];
    const noted = [randomUUID()];
    return new PendingWrite({
      recordID: webhookID,
      commands: [
        { statement: MARK_NEXT, values: [webhookID, records] },
        { statement: NOTE_REQUEST, values: noted },
      ],
      show: () =>
        new Reply(JSON.stringify({ deliveries: again.length }), { Location: `${this.webhooksUrl}/${webhookID}` }),
      reread: () => ({ statement: REQUEST, values: noted }),
    }).afterCommit(() => this.worker.wake());
  }

  private requested(request: Request, webhookID: string, id: string, command: BoundStatement): PendingWrite<Reply> {
    const noted = randomUUID();
    const rendered = { statement: REQUESTED_DELIVERY, values: [webhookID, id, this.readableKinds(request), noted] };
    return new PendingWrite({
      recordID: id,
      commands: [command, { statement: NOTE_REQUEST, values: [noted] }, rendered],
      show: ([, json]) => new Reply(json ?? '', { Location: `${this.webhooksUrl}/${webhookID}/deliveries/${id}` }),
      reread: () => rendered,
    }).afterCommit(() => this.worker.wake());
  }

  private readableKinds(request: Request): string[] {
    return ALL_RESOURCES.filter(({ readScope }) => this.scopes.allows(request, readScope)).map(({ name }) => name);
  }
}

function unknownDelivery(id: string): never {
  const quoted = id.length <= 64 ? ` ${JSON.stringify(id)}` : '';
  throw new Problem('NOT_FOUND', `The delivery${quoted} does not exist. Deliveries are kept for 30 days.`);
}

async function numberOf(transaction: Transaction, field: string, written: string): Promise<number> {
  const { number, seal } = readCursor(written) ?? {};
  const [event] = await transaction.query<{ number: number }>(EVENT_AT, [number, seal]);
  if (event !== undefined) return event.number;
  throw invalidField(`/${field}`, 'UNKNOWN_EVENT', 'names no event of this feed');
}
