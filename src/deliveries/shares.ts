export const MAX_CALLS = 64;

const CALLS_PER_CREATOR = MAX_CALLS / 4;

/** A creator has at most three quarters of the calls that others leave, so that the next one gets some at once. */
const CALLS_PER_FREE_CALL = 3;

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

interface Tally {
  calls: number;
}

interface Waiting {
  readonly webhookID: string;
  readonly creator: Tally;
  readonly host: Tally;
  readonly calls: number;
  share: number;
}

/**
 * Distributes the calls that are free. The creator with the fewest calls comes first, and of its webhooks the one with the fewest new
 * ones. A creator gets more than its share only when no other one waits.
 */
export function distribute(due: readonly DueWebhook[], occupants: readonly Occupant[]): Shares {
  const creators = new Map<string, Tally>();
  const hosts = new Map<string, Tally>();
  for (const { creator, url } of occupants) {
    tallyOf(creators, creator).calls += 1;
    tallyOf(hosts, hostOf(url)).calls += 1;
  }
  const waiting = due.map(({ webhookID, creator, url, calls }): Waiting => {
    return { webhookID, calls, creator: tallyOf(creators, creator), host: tallyOf(hosts, hostOf(url)), share: 0 };
  });
  for (let free = MAX_CALLS - occupants.length; free > 0; free -= 1) {
    const next = nextOf(waiting, free);
    if (next === undefined) break;
    next.share += 1;
    next.creator.calls += 1;
    next.host.calls += 1;
  }
  return new Map(waiting.filter(({ share }) => share > 0).map(({ webhookID, share }) => [webhookID, share]));
}

/** The webhook that gets the next call. A single pass, because there may be thousands, for each call. */
function nextOf(waiting: readonly Waiting[], free: number): Waiting | undefined {
  let first: Waiting | undefined;
  let isAlone = true;
  for (const webhook of waiting) {
    if (webhook.share >= webhook.calls || webhook.host.calls >= CALLS_PER_HOST) continue;
    isAlone &&= first === undefined || webhook.creator === first.creator;
    if (first === undefined || comesBefore(webhook, first)) first = webhook;
  }
  if (first === undefined) return undefined;
  const { calls } = first.creator;
  return (isAlone || calls < CALLS_PER_CREATOR) && calls < CALLS_PER_FREE_CALL * free ? first : undefined;
}

function comesBefore(one: Waiting, other: Waiting): boolean {
  if (one.creator.calls !== other.creator.calls) return one.creator.calls < other.creator.calls;
  return one.share < other.share;
}

function tallyOf(tallies: Map<string, Tally>, key: string): Tally {
  const known = tallies.get(key);
  if (known !== undefined) return known;
  const tally = { calls: 0 };
  tallies.set(key, tally);
  return tally;
}

/** The parser of URLs has resolved other spellings of the same host, except the dot that a full name may end with. */
function hostOf(url: string): string {
  return new URL(url).hostname.replace(/\.$/, '');
}
