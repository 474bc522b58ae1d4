import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { OTHER_AUTHORS } from '../auth/subjects.js';
import type { BoundStatement, Statement } from '../database/statement.js';
import { Housekeeping } from '../operations/housekeeping.js';
import { Metrics } from '../operations/metrics.js';
import { describeCause } from '../problem/failures.js';
import { Records } from '../records/records.js';
import { WEBHOOKS, type DisabledReason, type Webhook } from '../model/webhook.entity.js';
import { enabling } from '../webhooks/webhooks.service.js';
import { UnitOfWork, type Unit } from '../writes/unit-of-work.js';
import { FORGET_DELIVERIES, FORGET_ORPHANS, FORGET_REQUESTS } from './deliveries-sql.js';
import type { DeliveryState } from './delivery-schemas.js';
import {
  CLAIM,
  EVENTS_AT_ONCE,
  EXISTING,
  FAN_OUT,
  FOLLOW,
  LOCK_BEHIND,
  LOCK_FREE,
  LOCK_OF_ENDED_KEY,
  LOCK_RESUMING,
  LONG_FAILING,
  OF_ENDED_KEY,
  RECORD,
  RELEASE,
  RESUME_NEXT,
} from './queue-sql.js';
import type { CallResult } from './receiver-call.js';
import type { Occupant, Shares } from './shares.js';

/** The author in history when the service disables a webhook. */
const DELIVERY = { subject: OTHER_AUTHORS.delivery };

const OUTCOMES = ['delivered', 'retried', 'failed'] as const;

/** A delivery that this replica has to send before its lease expires. */
export interface ClaimedDelivery extends Occupant {
  readonly id: string;
  readonly lease: string;
  readonly webhookID: string;
  /** Null for a ping. */
  readonly eventNumber: number | null;
  /** Failures so far. */
  readonly attempts: number;
  readonly createdAt: string;
  readonly payload: Webhook['payload'];
  readonly secrets: readonly string[];
}

export interface Attempt extends Omit<CallResult, 'retryAfter'> {
  readonly attemptedAt: Date;
  /** `pending` after a failure, unless the queue gives the delivery up. */
  readonly state: DeliveryState;
  /** Before the next attempt. */
  readonly pauseMs: number;
  readonly isGone: boolean;
}

export interface Result {
  readonly delivery: ClaimedDelivery;
  readonly attempt: Attempt;
}

interface Recorded {
  readonly id: string;
  readonly webhookID: string;
  readonly state: DeliveryState;
  readonly isLongFailing: boolean;
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
    // From the start, so that an alert notices the first one.
    for (const outcome of OUTCOMES) this.attempts.inc({ outcome }, 0);
    housekeeping.add('Deleting old deliveries', () => housekeeping.deleteAll(FORGET_DELIVERIES));
    housekeeping.add('Deleting deliveries of deleted webhooks', () => housekeeping.deleteAll(FORGET_ORPHANS));
    housekeeping.add('Deleting old requests for deliveries', () => housekeeping.deleteAll(FORGET_REQUESTS));
  }

  /** Creates deliveries for webhooks that are behind the feed. Returns whether there were any. */
  fanOut(): Promise<boolean> {
    return this.run(async (unit) => {
      const ids = await idsFrom(unit, LOCK_BEHIND);
      const values = [ids, Math.ceil(EVENTS_AT_ONCE / ids.length)];
      if (ids.length > 0) await unit.commit(undefined, [{ statement: FAN_OUT, values }]);
      return ids.length > 0;
    });
  }

  /** Makes deliveries due of a webhook that was enabled again. Returns whether there was one. */
  resume(): Promise<boolean> {
    return this.run(async (unit) => {
      const ids = await idsFrom(unit, LOCK_RESUMING);
      if (ids.length > 0) await unit.commit(undefined, [{ statement: RESUME_NEXT, values: ids }]);
      return ids.length > 0;
    });
  }

  /** Takes due deliveries, at most these of each webhook. */
  claim(shares: Shares): Promise<readonly ClaimedDelivery[]> {
    return this.run(async (unit) => {
      const ids = await idsFrom(unit, LOCK_FREE, [...shares.keys()]);
      if (ids.length === 0) return [];
      const values = [ids, ids.map((id) => shares.get(id)), randomUUID()];
      const claimed = await unit.transaction.query<ClaimedDelivery>(CLAIM, values);
      await unit.commit();
      return claimed;
    });
  }

  /**
   * Records results in the order in which they came, except of deliveries whose lease has expired and that somebody else has claimed, or
   * whose webhook was deleted. Returns those whose webhooks somebody else has locked. Another failure is logged: the leases expire, and the
   * deliveries are sent again.
   */
  async record(results: readonly Result[]): Promise<readonly Result[]> {
    if (results.length === 0) return [];
    let left: readonly Result[] = [];
    const deliveries = results.map(({ delivery }) => delivery);
    await this.logged(deliveries, async () => {
      const recorded = await this.run(async (unit) => {
        const locked = new Set(await idsFrom(unit, LOCK_FREE, webhooksOf(results)));
        const ours = results.filter(({ delivery }) => locked.has(delivery.webhookID));
        const others = results.filter(({ delivery }) => !locked.has(delivery.webhookID));
        const existing = new Set(others.length === 0 ? [] : await idsFrom(unit, EXISTING, webhooksOf(others)));
        left = others.filter(({ delivery }) => existing.has(delivery.webhookID));
        const [rows = []] = ours.length === 0 ? [] : await unit.transaction.run<Recorded>(recording(ours));
        await unit.commit();
        return rows;
      });
      await this.follow(recorded, results);
    });
    return left;
  }

  /** Gives deliveries back, so that another replica sends them at once. */
  async release(deliveries: readonly ClaimedDelivery[]): Promise<void> {
    const values = [deliveries.map(({ id }) => id), deliveries.map(({ lease }) => lease)];
    const work = (unit: Unit) => unit.commit(undefined, [{ statement: RELEASE, values }]);
    await this.logged(deliveries, () => this.run(work));
  }

  private async follow(recorded: readonly Recorded[], results: readonly Result[]): Promise<void> {
    for (const { state } of recorded) this.attempts.inc({ outcome: state === 'pending' ? 'retried' : state });
    for (const { id, webhookID, state, isLongFailing } of recorded) {
      if (state === 'failed') this.logger.warn(`Delivery ${id} of webhook ${webhookID} is given up`);
      const result = results.find(({ delivery }) => delivery.id === id);
      if (result?.attempt.isGone) await this.disable(result.delivery, 'GONE');
      else if (result && isLongFailing) await this.disable(result.delivery, 'FAILING');
    }
  }

  private async logged(deliveries: readonly ClaimedDelivery[], work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const ids = deliveries.map(({ id }) => id).join(', ');
      this.logger.warn(`The results of deliveries were not recorded: ${describeCause(error)}: ${ids}`);
    }
  }

  /**
   * Disables a webhook that an API key created which was revoked, has expired or may no longer read what the webhook sends, unless a caller has
   * taken it over meanwhile. Returns whether there was one: those that somebody else has locked must not delay deliveries.
   */
  disableOfEndedKey(): Promise<boolean> {
    return this.run(async (unit) => {
      const [id] = await idsFrom(unit, LOCK_OF_ENDED_KEY);
      if (id === undefined) return false;
      await this.disableIf(unit, id, 'KEY_ENDED', async () => {
        return (await unit.transaction.query(OF_ENDED_KEY, [id])).length > 0;
      });
      return true;
    });
  }

  /** Unless a caller has given it another receiver, or another result has come meanwhile. */
  private disable({ webhookID, url }: ClaimedDelivery, reason: 'GONE' | 'FAILING'): Promise<void> {
    return this.run((unit) =>
      this.disableIf(unit, webhookID, reason, async (row) => {
        if (row.url !== url) return false;
        return reason === 'GONE' || (await unit.transaction.query(LONG_FAILING, [webhookID])).length > 0;
      }),
    );
  }

  /** `applies` is asked under the lock of the webhook. */
  private async disableIf(
    unit: Unit,
    webhookID: string,
    reason: DisabledReason,
    applies: (row: Webhook) => Promise<boolean>,
  ): Promise<void> {
    const [webhook] = (await this.records.lockAll(unit.transaction, WEBHOOKS, [webhookID])).values();
    if (webhook?.row.enabled !== true || !(await applies(webhook.row))) return;
    await unit.commit(webhook.update(enabling(false, reason)));
    this.logger.warn(`Webhook ${webhookID} is disabled: ${reason}`);
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
    { statement: RECORD, values },
    { statement: FOLLOW, values: [ids] },
  ];
}

function webhooksOf(results: readonly Result[]): string[] {
  return [...new Set(results.map(({ delivery }) => delivery.webhookID))];
}

async function idsFrom(unit: Unit, statement: Statement, ...values: unknown[]): Promise<string[]> {
  const found = await unit.transaction.query<{ id: string }>(statement, values);
  return found.map(({ id }) => id);
}
