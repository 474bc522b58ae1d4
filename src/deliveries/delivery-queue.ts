import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Statement } from '../database/statement.js';
import { newRequestID } from '../http/request-context.js';
import { Records } from '../records/records.js';
import { enabling } from '../webhooks/enabling.js';
import { SUBSCRIBABLE } from '../webhooks/subscribable.js';
import { LOCK_PROGRESS } from '../webhooks/webhook-sql.js';
import { WEBHOOKS, type DisabledReason, type Webhook } from '../webhooks/webhook.entity.js';
import { UnitOfWork, type Unit } from '../writes/unit-of-work.js';
import { CLAIM, FAN_OUT, LOCK_BEHIND, LOCK_DUE, RECORD, RELEASE } from './queue-sql.js';
import type { CallResult } from './receiver-call.js';

/** The author in history when the service disables a webhook. */
const DELIVERY = { subject: 'webhook-delivery' };

/** The parameters of MATCHES: kinds of records and the scopes to read them. */
export const KINDS = [SUBSCRIBABLE.map(({ name }) => name), SUBSCRIBABLE.map(({ readScope }) => readScope)];

/** A delivery that this replica has to send before its lease expires. */
export interface ClaimedDelivery {
  readonly id: string;
  readonly lease: string;
  readonly webhookID: string;
  /** Null for a ping. */
  readonly eventNumber: string | null;
  /** Failures so far. */
  readonly attempts: number;
  readonly createdAt: string;
  readonly url: string;
  readonly payload: Webhook['payload'];
  /** Whether nothing but failures came back for so long that another one disables the webhook. */
  readonly isLongFailing: boolean;
  readonly secrets: readonly string[];
}

/** The result of an attempt. */
export interface Attempt extends Omit<CallResult, 'retryAfter'> {
  readonly attemptedAt: Date;
  readonly state: 'delivered' | 'pending' | 'failed';
  /** Before the next attempt. */
  readonly pauseMs: number;
  readonly disables: DisabledReason | undefined;
}

/** The queue of deliveries in the database. Every change of it holds the lock of the webhook's progress. */
@Injectable()
export class DeliveryQueue {
  constructor(
    private readonly units: UnitOfWork,
    private readonly records: Records,
  ) {}

  /** Creates deliveries for webhooks that are behind the feed. Returns whether there were any. */
  fanOut(): Promise<boolean> {
    return this.run(async (unit) => {
      const ids = await lockedBy(unit, LOCK_BEHIND);
      if (ids.length > 0) await unit.commit(undefined, [{ statement: FAN_OUT, values: [ids, ...KINDS] }]);
      return ids.length > 0;
    });
  }

  /** Takes at most `slots` due deliveries. */
  claim(slots: number): Promise<readonly ClaimedDelivery[]> {
    return this.run(async (unit) => {
      const ids = await lockedBy(unit, LOCK_DUE, slots);
      if (ids.length === 0) return [];
      const claimed = await unit.transaction.query<ClaimedDelivery>(CLAIM, [ids, slots, randomUUID()]);
      await unit.commit();
      return claimed;
    });
  }

  /** Records an attempt, unless the lease has expired and somebody else has claimed the delivery. */
  record({ id, lease, webhookID }: ClaimedDelivery, attempt: Attempt): Promise<void> {
    const { state, pauseMs, attemptedAt, status, durationMs, error, answer, disables } = attempt;
    const lock = { statement: LOCK_PROGRESS, values: [webhookID] };
    const values = [id, lease, state, pauseMs, attemptedAt, status, durationMs, error, answer];
    const record = { statement: RECORD, values };
    return this.run(async (unit) => {
      if (disables === undefined) {
        await unit.commit(undefined, [lock, record]);
        return;
      }
      // The webhook before its progress, as requests lock them.
      const [webhook] = (await this.records.lockAll(unit.transaction, WEBHOOKS, [webhookID])).values();
      const [, recorded = []] = await unit.transaction.run([lock, record]);
      const isDisabled = recorded.length > 0 && webhook?.row.enabled === true;
      await unit.commit(isDisabled ? webhook.update(enabling(false, disables)) : undefined);
    });
  }

  /** Gives a delivery back, so that another replica sends it at once. */
  release({ id, lease }: ClaimedDelivery): Promise<void> {
    return this.run(async (unit) => {
      await unit.commit(undefined, [{ statement: RELEASE, values: [id, lease] }]);
    });
  }

  private run<Result>(work: (unit: Unit) => Promise<Result>): Promise<Result> {
    return this.units.run({ requestID: newRequestID(), caller: DELIVERY }, work);
  }
}

async function lockedBy(unit: Unit, statement: Statement, ...values: unknown[]): Promise<string[]> {
  const locked = await unit.transaction.query<{ id: string }>(statement, values);
  return locked.map(({ id }) => id);
}
