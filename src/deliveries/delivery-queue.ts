import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import type { Counter } from 'prom-client';
import type { Statement } from '../database/statement.js';
import type { BoundStatement } from '../database/transaction.js';
import { Housekeeping } from '../operations/housekeeping.js';
import { Metrics } from '../operations/metrics.js';
import { describeCause } from '../problem/failures.js';
import { Records } from '../records/records.js';
import { SUBSCRIBABLE } from '../webhooks/subscribable.js';
import { LOCK_PROGRESS } from '../webhooks/webhook-sql.js';
import { WEBHOOKS, type DisabledReason, type Webhook } from '../webhooks/webhook.entity.js';
import { enabling } from '../webhooks/webhooks.service.js';
import { UnitOfWork, type Unit } from '../writes/unit-of-work.js';
import { FORGET_DELIVERIES } from './deliveries-sql.js';
import { CLAIM, FAN_OUT, FOLLOW, LOCK_BEHIND, LOCK_DUE, RECORD, RELEASE } from './queue-sql.js';
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
  readonly eventNumber: number | null;
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

/** A delivery and the attempt that was made. */
export interface Result {
  readonly delivery: ClaimedDelivery;
  readonly attempt: Attempt;
}

/** The queue of deliveries in the database. Every change of it holds the lock of the webhook's progress. */
@Injectable()
export class DeliveryQueue {
  private readonly logger = new Logger('Webhooks');
  private readonly attempts: Counter<'outcome'>;

  constructor(
    private readonly units: UnitOfWork,
    private readonly records: Records,
    metrics: Metrics,
    housekeeping: Housekeeping,
  ) {
    const help = 'Attempts to deliver a webhook, by outcome: delivered, retried, or failed for good';
    this.attempts = metrics.counter('waybill_webhook_attempts_total', help, ['outcome']);
    housekeeping.add('Deleting old deliveries', () => housekeeping.deleteAll(FORGET_DELIVERIES));
  }

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

  /**
   * Records results in the order in which they came, except of deliveries whose lease has expired and that somebody else has claimed. A
   * failure is logged: the leases expire, and the deliveries are sent again.
   */
  async record(results: readonly Result[]): Promise<void> {
    const others = results.filter(({ attempt }) => attempt.disables === undefined);
    if (others.length > 0) await this.recorded(others, (unit) => unit.commit(undefined, recording(others)));
    for (const result of results) {
      const { disables } = result.attempt;
      if (disables !== undefined) await this.recorded([result], (unit) => this.disable(unit, result, disables));
    }
  }

  /** Gives deliveries back, so that another replica sends them at once. */
  async release(deliveries: readonly ClaimedDelivery[]): Promise<void> {
    const values = [deliveries.map(({ id }) => id), deliveries.map(({ lease }) => lease)];
    await this.isRecorded(deliveries, (unit) => unit.commit(undefined, [{ statement: RELEASE, values }]));
  }

  private async recorded(results: readonly Result[], work: (unit: Unit) => Promise<unknown>): Promise<void> {
    const deliveries = results.map(({ delivery }) => delivery);
    if (!(await this.isRecorded(deliveries, work))) return;
    for (const { attempt } of results) {
      this.attempts.inc({ outcome: attempt.state === 'pending' ? 'retried' : attempt.state });
    }
  }

  private async isRecorded(deliveries: readonly ClaimedDelivery[], work: (unit: Unit) => Promise<unknown>) {
    try {
      await this.run(work);
      return true;
    } catch (error) {
      const ids = deliveries.map(({ id }) => id).join(', ');
      this.logger.warn(`The results of deliveries were not recorded: ${describeCause(error)}: ${ids}`);
      return false;
    }
  }

  /** Records a result, and disables the webhook. */
  private async disable(unit: Unit, result: Result, reason: DisabledReason): Promise<void> {
    const { webhookID } = result.delivery;
    // The webhook before its progress, as requests lock them.
    const [webhook] = (await this.records.lockAll(unit.transaction, WEBHOOKS, [webhookID])).values();
    const [, recorded = []] = await unit.transaction.run(recording([result]));
    const isToDisable = recorded.length > 0 && webhook?.row.enabled === true;
    await unit.commit(isToDisable ? webhook.update(enabling(false, reason)) : undefined);
    if (isToDisable) this.logger.warn(`Webhook ${webhookID} is disabled: ${reason}`);
  }

  private run<Value>(work: (unit: Unit) => Promise<Value>): Promise<Value> {
    return this.units.run({ requestID: randomUUID(), caller: DELIVERY }, work);
  }
}

function recording(results: readonly Result[]): BoundStatement[] {
  const ids = results.map(({ delivery }) => delivery.id);
  const ofAttempts = <Name extends keyof Attempt>(name: Name) => results.map(({ attempt }) => attempt[name]);
  const values = [
    ids,
    results.map(({ delivery }) => delivery.lease),
    ...(['state', 'pauseMs', 'attemptedAt', 'status', 'durationMs', 'error', 'answer'] as const).map(ofAttempts),
  ];
  return [
    { statement: LOCK_PROGRESS, values: [[...new Set(results.map(({ delivery }) => delivery.webhookID))]] },
    { statement: RECORD, values },
    { statement: FOLLOW, values: [ids] },
  ];
}

async function lockedBy(unit: Unit, statement: Statement, ...values: unknown[]): Promise<string[]> {
  const locked = await unit.transaction.query<{ id: string }>(statement, values);
  return locked.map(({ id }) => id);
}
