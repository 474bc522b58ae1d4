import { isDeepStrictEqual } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Event, Mirror, Shipment, WaybillClient } from '@waybill/client';
import type { Random } from '../crash/random.js';
import { eventually } from '../../../test/support/races/eventually.js';
import type { Replica } from '../../../test/support/service/replica.js';
import type { Outcome } from './two-replicas.js';
import { Writers } from './writers.js';

export interface Campaign {
  readonly client: WaybillClient;
  /** The same service, for writers and for the comparison in the end. */
  readonly replicas: readonly Replica[];
  readonly writes: number;
  /** How often each replica is restarted: by SIGTERM and by SIGKILL in turns. */
  readonly restarts: number;
  readonly random: Random;
  /** How many changes the database has recorded. */
  entries(): Promise<number>;
  say(line: string): void;
}

const CATCH_UP_WITHIN_MS = 30_000;
const FAULTS_SHOWN = 5;

/**
 * Writers change shipments at random while the replicas are restarted one after the other. Meanwhile one reader follows all events and checks
 * their numbers, and mirrors are kept: of all shipments, and of those with a status. In the end they must be what the database has.
 */
export async function run({ client, replicas, writes, restarts, random, entries, say }: Campaign): Promise<Outcome> {
  const ending = new AbortController();
  const { signal } = ending;
  let changes = 0;
  const mirrors = {
    all: await client.shipments.mirror({ signal, onChange: () => (changes += 1) }),
    submitted: await client.shipments.mirror({ signal, status: ['SUBMITTED'] }),
  };
  const reader = new Reader(client, await client.events.head(), signal);
  const before = await entries();
  const load = new Writers(client, random);
  const began = performance.now();

  const writing = load.run(writes);
  const restarting = restart(replicas, restarts, () => load.total / writes, say);
  const failing = Promise.race([reader.ended, mirrors.all.ended, mirrors.submitted.ended]);
  await Promise.race([Promise.all([writing, restarting]), failing]);
  const wroteMs = performance.now() - began;

  const written = (await entries()) - before;
  const faults: string[] = [];
  await eventually(() => reader.seen >= written, CATCH_UP_WITHIN_MS, 'the reader has seen all events').catch(
    (error: unknown) => faults.push(String(error)),
  );
  if (reader.seen !== written) faults.push(`${written} changes were written, and the reader saw ${reader.seen} events`);
  const truth = await allOf(client);
  const submitted = new Map([...truth].filter(([, { status }]) => status === 'SUBMITTED'));
  const compare = () => [...differences(mirrors.all, truth), ...differences(mirrors.submitted, submitted)];
  await eventually(() => compare().length === 0, CATCH_UP_WITHIN_MS, 'the mirrors equal the database').catch(
    () => undefined,
  );
  faults.push(...compare());
  const caughtUpMs = performance.now() - began - wroteMs;
  ending.abort();
  await Promise.all([mirrors.all.ended, mirrors.submitted.ended, reader.ended]);
  say(`Accepted: ${[...load.accepted].map(([kind, number]) => `${number} ${kind}`).join(', ')}.`);
  return {
    faults,
    figures: {
      writes: load.total,
      changes: written,
      eventsSeen: reader.seen,
      truncated: reader.truncated,
      shipments: truth.size,
      inMirror: mirrors.all.records.size,
      changesOfMirror: changes,
      restarts: restarts * replicas.length,
      seconds: Math.round(wroteMs / 1000),
      writesPerSecond: Math.round((1000 * load.total) / wroteMs),
      caughtUpAfterMs: Math.round(caughtUpMs),
    },
  };
}

/** Follows all events. That their numbers are contiguous is checked by the client, which throws when they are not. */
class Reader {
  seen = 0;
  truncated = 0;
  readonly ended: Promise<void>;

  constructor(client: WaybillClient, after: string, signal: AbortSignal) {
    this.ended = this.follow(client.events.follow({ after, signal })).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }

  private async follow(events: AsyncIterable<Event>): Promise<void> {
    for await (const { data } of events) {
      this.seen += 1;
      if (data.truncated) this.truncated += 1;
    }
  }
}

/** Spreads the restarts over the writes, so that the last one comes before the last write. One replica serves meanwhile. */
async function restart(
  replicas: readonly Replica[],
  restarts: number,
  progress: () => number,
  say: (line: string) => void,
): Promise<void> {
  const turns = Array.from({ length: restarts }, () => replicas).flat();
  for (const [turn, replica] of turns.entries()) {
    while (progress() < (turn + 1) / (turns.length + 1)) await sleep(20);
    await (turn % 4 < 2 ? replica.stop() : replica.kill());
    await replica.startAgain();
    say(`${turn + 1}/${turns.length} restarts, ${Math.round(100 * progress())} % of the writes`);
  }
}

async function allOf(client: WaybillClient): Promise<Map<string, Shipment>> {
  const all = new Map<string, Shipment>();
  for await (const shipment of client.shipments.list({ limit: 200 })) all.set(shipment.id, shipment);
  return all;
}

function differences(mirror: Mirror<Shipment>, truth: ReadonlyMap<string, Shipment>): string[] {
  const ids = new Set([...mirror.records.keys(), ...truth.keys()]);
  const differing = [...ids].filter((id) => !isDeepStrictEqual(mirror.records.get(id), truth.get(id)));
  return differing.slice(0, FAULTS_SHOWN).map((id) => {
    const [mirrored, stored] = [mirror.records.get(id), truth.get(id)];
    return `Shipment ${id} (one of ${differing.length}) is ${shown(mirrored)} in the mirror and ${shown(stored)} in the database`;
  });
}

function shown(shipment: Shipment | undefined): string {
  return shipment === undefined
    ? 'absent'
    : JSON.stringify({ ...shipment, customerRemarks: shipment.customerRemarks?.slice(0, 20) });
}
