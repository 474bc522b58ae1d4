import { WaybillClient } from '@waybill/client';
import { Replica } from '../../../test/support/service/replica.js';
import { measured } from '../../evidence/measured.mjs';
import { oneOf } from '../crash/random.js';
import { say } from '../crash/report.js';

/** Stands for any replica that is up. */
const ANY_REPLICA = 'http://any-replica';
const FAULTS_SHOWN = 10;

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** The findings of a campaign, and what it counted. */
export interface Outcome {
  readonly faults: readonly string[];
  readonly figures: Readonly<Record<string, number>>;
}

/** Runs a campaign with two replicas, and a client whose requests go to any that is up. Says what was found; true if that is nothing. */
export async function withTwoReplicas(
  environment: Readonly<Record<string, string>>,
  campaign: (replicas: readonly Replica[], client: WaybillClient) => Promise<Outcome>,
  { success, spoil = (send) => send }: { success: string; spoil?: (send: Fetch) => Fetch },
): Promise<boolean> {
  const replicas: Replica[] = [];
  const toAnyReplica: Fetch = (url, init) => {
    const up = replicas.filter(({ isRunning }) => isRunning);
    return fetch(url.replace(ANY_REPLICA, oneOf(up.length > 0 ? up : replicas, Math.random).url), init);
  };
  try {
    // One after the other: the first migrates.
    for (let index = 0; index < 2; index += 1)
      replicas.push(await Replica.start({ ...environment, LOG_LEVEL: 'error' }));
    const client = new WaybillClient({ baseUrl: ANY_REPLICA, fetch: spoil(toAnyReplica), retries: 50 });
    const { faults, figures } = await campaign(replicas, client);
    say(JSON.stringify(figures));
    measured({ figures, failed: faults });
    for (const fault of faults.slice(0, FAULTS_SHOWN)) say(`FAIL  ${fault}`);
    say(faults.length === 0 ? success : `${faults.length} faults.`);
    return faults.length === 0;
  } finally {
    await Promise.all(replicas.map((replica) => replica.kill()));
  }
}
