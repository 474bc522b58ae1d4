import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Api } from './api.js';

/** A write that was accepted: the version it named and the version it led to. */
export interface Success {
  readonly spent: string;
  readonly gained: string;
}

export interface RaceResult {
  readonly successes: readonly Success[];
  /** How often each status was answered. */
  readonly statuses: ReadonlyMap<number, number>;
}

/** Writers that all change one shipment for some time, each with the newest eTag it knows of. */
export async function race(api: Api, shipmentID: string, writers: number, milliseconds: number): Promise<RaceResult> {
  const successes: Success[] = [];
  const statuses = new Map<number, number>();
  const end = Date.now() + milliseconds;
  const path = `/v1/shipments/${shipmentID}`;

  const write = async (writer: number) => {
    let { eTag: known } = (await api.get(path)).body;
    for (let turn = 0; Date.now() < end; turn += 1) {
      const answer: Answer = await api.patch(path, known, { customerRemarks: `${writer}/${turn}` });
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      if (answer.status === 200) successes.push({ spent: known, gained: String(answer.body['eTag']) });
      known = answer.body['eTag'] ?? answer.body['currentETag'] ?? known;
      await sleep(0);
    }
  };
  await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
  return { successes, statuses };
}

/** Why the successes are not one unbroken chain of versions from the first to the last; undefined when they are. */
export function chainFault(first: string, last: string, successes: readonly Success[]): string | undefined {
  const next = new Map(successes.map(({ spent, gained }) => [spent, gained]));
  if (next.size !== successes.length) return `${successes.length - next.size} eTags were spent more than once`;
  let version = first;
  for (let step = 0; step < successes.length; step += 1) {
    const following = next.get(version);
    if (following === undefined) return `the chain breaks after ${step} of ${successes.length} steps`;
    version = following;
  }
  return version === last ? undefined : 'the chain does not end in the current version';
}
