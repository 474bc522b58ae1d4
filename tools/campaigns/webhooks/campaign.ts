import { setTimeout as sleep } from 'node:timers/promises';
import type { Event, NewWebhook, WaybillClient } from '@waybill/client';
import type { PostgresServer } from '../../../test/support/database/postgres-server.js';
import { eventually } from '../../../test/support/races/eventually.js';
import type { Replica } from '../../../test/support/service/replica.js';
import type { Random } from '../crash/random.js';
import type { Outcome } from '../mirror/two-replicas.js';
import { Writers } from '../mirror/writers.js';
import { faultsOf, wants } from './check.js';
import { killAt, STEPS } from './faults.js';
import type { Receivers } from './receivers.js';

export interface Campaign {
  readonly client: WaybillClient;
  readonly replicas: readonly Replica[];
  readonly server: PostgresServer;
  readonly receivers: Receivers;
  readonly writes: number;
  readonly webhooks: number;
  /** How often a replica is killed at each step; PostgreSQL is restarted once for every two rounds. */
  readonly rounds: number;
  readonly random: Random;
  /** The statement that spoils the run, if one does. */
  readonly sabotage: string | undefined;
  say(line: string): void;
}

const CATCH_UP_WITHIN_MS = 3_600_000;
const HURRY_EVERY_MS = 1000;

/** The retries of a day come within a second. */
const HURRY = `UPDATE webhook_deliveries SET next_attempt_at = now() WHERE state = 'pending' AND lease IS NULL AND next_attempt_at > now()`;

const UNNUMBERED = 'SELECT FROM history WHERE position > (SELECT max(position) FROM events)';
const UNFINISHED = `
  SELECT FROM webhook_deliveries WHERE state = 'pending'
  UNION ALL SELECT FROM webhook_progress WHERE position < (SELECT max(number) FROM events)
  UNION ALL ${UNNUMBERED} LIMIT 1`;

/**
 * Writers change records while webhooks with different filters are delivered to receivers that fail, and replicas and PostgreSQL are
 * killed. In the end every webhook must have got every matching event, per record in order.
 */
export async function run(campaign: Campaign): Promise<Outcome> {
  const { client, server, receivers, writes, sabotage, say } = campaign;
  const load = new Writers(client, campaign.random);
  const { filters, start } = await subscribe(campaign);
  const began = performance.now();
  let isOver = false;
  const hurry = async () => {
    while (!isOver) {
      await server.sql(HURRY).catch(() => undefined);
      if (sabotage !== undefined) await server.sql(sabotage).catch(() => undefined);
      await sleep(sabotage === undefined ? HURRY_EVERY_MS : 20);
    }
  };
  const hurrying = hurry();
  const faulting = breakThings(campaign, () => load.total / writes);
  await load.run(writes);
  const wroteMs = performance.now() - began;
  await faulting;
  say(`${load.total} writes in ${Math.round(wroteMs / 1000)} s; waiting for the deliveries.`);
  await eventually(async () => (await server.sql(UNFINISHED)).length === 0, CATCH_UP_WITHIN_MS, 'everything is sent');
  isOver = true;
  await hurrying;

  const events: Event[] = [];
  for await (const event of client.events.list({ after: start, limit: 1000 })) events.push(event);
  const faults: string[] = [];
  let expected = 0;
  let received = 0;
  for (const [name, filter] of filters) {
    const matching = events.filter((event) => wants(filter, event));
    const receipts = receivers.receipts.get(name) ?? [];
    faults.push(...faultsOf(name, matching, receipts));
    expected += matching.length;
    received += receipts.length;
  }
  if (receivers.unverified > 0) faults.push(`${receivers.unverified} signatures were not valid`);
  return {
    faults,
    figures: {
      writes: load.total,
      events: events.length,
      webhooks: filters.size,
      expected,
      received,
      duplicates: received - expected,
      failedCalls: receivers.failed,
      kills: campaign.rounds * STEPS.length,
      seconds: Math.round((performance.now() - began) / 1000),
    },
  };
}

/** Webhooks with different filters, and where the events begin that they get. */
async function subscribe({ client, server, receivers, webhooks, random }: Campaign) {
  const moves = [await client.moves.create({}), await client.moves.create({})];
  const shipment = await client.shipments.create({ shipmentType: 'HHG', moveID: moves[0]?.id ?? null });
  // An event that is numbered after a webhook was created would be delivered, too.
  await eventually(async () => (await server.sql(UNNUMBERED)).length === 0, CATCH_UP_WITHIN_MS, 'events are numbered');
  const start = await client.events.head();
  const kinds: readonly Partial<NewWebhook>[] = [
    { types: ['shipment.created', 'shipment.deleted'] },
    { types: ['shipment.updated'], payload: 'full' },
    { types: ['shipment.statusChanged'] },
    { types: ['service.created', 'service.deleted', 'move.created'], payload: 'full' },
    { moveID: moves[0]?.id ?? null },
    { resourceID: shipment.id, payload: 'full' },
    { payload: random() < 0.5 ? 'full' : 'thin' },
  ];
  const filters = new Map<string, Partial<NewWebhook>>();
  for (let index = 0; index < webhooks; index += 1) {
    const name = `receiver-${index}`;
    const filter = kinds[index % kinds.length] ?? {};
    const { secret } = await client.webhooks.create({ url: receivers.urlOf(name), ...filter });
    receivers.secrets.set(name, secret);
    filters.set(name, filter);
  }
  return { filters, start };
}

/** Spreads the faults over the writes. */
async function breakThings(campaign: Campaign, progress: () => number): Promise<void> {
  const { replicas, receivers, server, rounds, say } = campaign;
  const kills = Array.from({ length: rounds }, () => STEPS).flat();
  for (const [turn, step] of kills.entries()) {
    while (progress() < (turn + 1) / (kills.length + 1)) await sleep(20);
    const replica = replicas[turn % replicas.length];
    if (replica !== undefined) await killAt(step, replica, receivers, server);
    const isHalf = turn % (2 * STEPS.length) === 1;
    if (isHalf) {
      await server.kill();
      await server.startAgain();
    }
    say(
      `${turn + 1}/${kills.length} kills, ${step}${isHalf ? ', and PostgreSQL' : ''}; ${Math.round(100 * progress())} % of the writes`,
    );
  }
}
