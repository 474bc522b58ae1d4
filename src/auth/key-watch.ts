import type { Database } from '../database/database.js';
import { namedStatement } from '../database/statement.js';

/** Together with the time for which a key is believed, less than the 5 s after which a revoked key must not be used. */
const CHECK_EVERY_MS = 1000;

/** If the database cannot say whether a key still works, it counts as revoked. */
const UNCONFIRMED_MS = 4000;

/** The hashes among $1 whose keys work, and what they may do. */
const STILL_VALID = namedStatement('key_still_valid')`
  SELECT encode(h.hash, 'base64') AS name, k.scopes FROM key_hashes h JOIN keys k ON k.id = h.key_id
  WHERE h.hash = ANY ($1::bytea[]) AND least(k.expires_at, h.expires_at) > now()`;

interface Watched {
  readonly hash: Buffer;
  /** When the database last said that the key works, on the clock of performance.now(). */
  confirmedAt: number;
  /** What to call, with the scopes that the caller had. */
  readonly ends: Map<() => void, ReadonlySet<string>>;
}

interface Confirmed {
  readonly confirmedAt: number;
  readonly scopes: ReadonlySet<string>;
}

/** Tells open streams and similar requests when their API key was revoked, has expired or has lost a scope: one query a second for all of them. */
export class KeyWatch {
  private readonly watched = new Map<string, Watched>();
  private timer: NodeJS.Timeout | undefined;
  private isChecking = false;

  /** The reader continues while the pool of requests is busy. */
  constructor(private readonly reader: Pick<Database, 'query'>) {}

  /** Calls back once the key no longer works, or may no longer do what the caller may. The returned function ends the watch. */
  watch(hash: Buffer, { confirmedAt, scopes }: Confirmed, end: () => void): () => void {
    const name = hash.toString('base64');
    const one = this.watched.get(name) ?? { hash, confirmedAt, ends: new Map() };
    one.confirmedAt = Math.max(one.confirmedAt, confirmedAt);
    // The same callback may be watched twice.
    const own = () => end();
    one.ends.set(own, scopes);
    this.watched.set(name, one);
    this.timer ??= setInterval(() => void this.check(), CHECK_EVERY_MS).unref();
    return () => {
      one.ends.delete(own);
      if (one.ends.size === 0 && this.watched.get(name) === one) this.watched.delete(name);
      if (this.watched.size > 0) return;
      clearInterval(this.timer);
      this.timer = undefined;
    };
  }

  /** Called about once a second. */
  async check(now = performance.now()): Promise<void> {
    for (const [name, one] of this.watched) if (now - one.confirmedAt > UNCONFIRMED_MS) this.end(name, one);
    if (this.isChecking) return;
    this.isChecking = true;
    const asked = new Map(this.watched);
    try {
      const hashes = [...asked.values()].map(({ hash }) => hash);
      const found = await this.reader.query<{ name: string; scopes: readonly string[] }>(STILL_VALID, [hashes]);
      const valid = new Map(found.map(({ name, scopes }) => [name, scopes]));
      for (const [name, one] of asked) {
        const scopes = valid.get(name);
        if (scopes !== undefined) one.confirmedAt = Math.max(one.confirmedAt, now);
        this.end(name, one, scopes);
      }
    } catch {
      // The database is unavailable; requests say so.
    } finally {
      this.isChecking = false;
    }
  }

  /** Ends those whose callers had more than these scopes; all if the key does not work. */
  private end(name: string, one: Watched, left?: readonly string[]): void {
    for (const [end, scopes] of [...one.ends]) {
      if (left !== undefined && [...scopes].every((scope) => left.includes(scope))) continue;
      one.ends.delete(end);
      end();
    }
    if (one.ends.size === 0 && this.watched.get(name) === one) this.watched.delete(name);
  }
}
