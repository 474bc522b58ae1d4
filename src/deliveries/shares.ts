/** Calls at a time in this replica. */
export const MAX_CALLS = 64;

/** Calls of one creator while others wait. As many stay free for others when one creator has all the rest. */
const CALLS_PER_CREATOR = MAX_CALLS / 4;

/** Calls of one host, by whatever webhooks and creators. */
const CALLS_PER_HOST = 8;

/** What a call uses: a share of its creator and of its receiver's host. */
export interface Occupant {
  readonly creator: string;
  readonly url: string;
}

/** A webhook with deliveries that may be sent now, and how many. */
export interface DueWebhook extends Occupant {
  readonly webhookID: string;
  readonly calls: number;
}

/** How many deliveries of each webhook to claim. */
export type Shares = ReadonlyMap<string, number>;

/**
 * Distributes the calls that are free. The creator with the fewest calls comes first, and of its webhooks the one with the fewest new
 * ones. A creator gets more than its share only when no other one waits.
 */
export function distribute(due: readonly DueWebhook[], occupants: readonly Occupant[]): Shares {
  const shares = new Map<string, number>();
  const ofCreator = countedBy(occupants, ({ creator }) => creator);
  const ofHost = countedBy(occupants, ({ url }) => hostOf(url));
  const waiting = due.map((webhook) => ({ ...webhook, host: hostOf(webhook.url) }));
  const callsOf = ({ creator }: Occupant) => ofCreator.get(creator) ?? 0;
  for (let free = MAX_CALLS - occupants.length; free > 0; free -= 1) {
    const eligible = waiting.filter(({ webhookID, calls, host }) => {
      return calls > (shares.get(webhookID) ?? 0) && (ofHost.get(host) ?? 0) < CALLS_PER_HOST;
    });
    const within = eligible.filter((webhook) => callsOf(webhook) < CALLS_PER_CREATOR);
    const isAlone = free > CALLS_PER_CREATOR && eligible.every(({ creator }) => creator === eligible[0]?.creator);
    const [first] = (isAlone ? eligible : within).sort((one, other) => {
      return callsOf(one) - callsOf(other) || (shares.get(one.webhookID) ?? 0) - (shares.get(other.webhookID) ?? 0);
    });
    if (first === undefined) break;
    increment(shares, first.webhookID);
    increment(ofCreator, first.creator);
    increment(ofHost, first.host);
  }
  return shares;
}

/** The parser of URLs has resolved other spellings of the same host, except the dot that a full name may end with. */
function hostOf(url: string): string {
  return new URL(url).hostname.replace(/\.$/, '');
}

function countedBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) increment(counts, keyOf(item));
  return counts;
}

function increment(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
