import type { Api, Json } from './api.js';

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

/**
 * Writers that all change one shipment, each a number of times with the newest eTag it knows of. They begin with the same one, so
 * that all but one of them are refused at least once.
 */
export async function race(api: Api, shipment: Json, writers: number, turns: number): Promise<RaceResult> {
  const successes: Success[] = [];
  const statuses = new Map<number, number>();
  const path = `/v1/shipments/${shipment.id}`;

  const write = async (writer: number) => {
    let known: string = shipment.eTag;
    for (let turn = 0; turn < turns; turn += 1) {
      const { status, body }: { status: number; body: Json } = await api.patch(path, known, {
        customerRemarks: `${writer}/${turn}`,
      });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === 200) successes.push({ spent: known, gained: body.eTag });
      known = body.eTag ?? body.currentETag ?? known;
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
