import { LRUCache } from 'lru-cache';
import type { Database } from '../database/database.js';
import { namedStatement } from '../database/statement.js';
import type { Caller } from '../http/request-context.js';
import { KeyLookUps } from './key-look-ups.js';
import { hashOf, isKey } from './key-text.js';
import type { KeyWatch } from './key-watch.js';
import { subjectOfKey } from './subjects.js';
import { unauthenticated, UNKNOWN_KEY } from './unauthenticated.js';

/** How long a key is believed without asking the database, so a revoked one is refused everywhere after this time. */
const BELIEVED_FOR_MS = 3000;

const MAX_BELIEVED = 10_000;

/** Stores that the key $1 was used in this hour, once for all replicas. */
const USE_KEY = namedStatement('key_use')`
  UPDATE key_progress SET last_used_at = date_trunc('hour', now())
  WHERE key_id = $1 AND last_used_at IS DISTINCT FROM date_trunc('hour', now())`;

export interface RejectedKeys {
  /** Not a key: cut, mistyped, or of something else. */
  malformed: number;
  /** Forged, replaced or revoked. */
  unknown: number;
  expired: number;
}

interface Believed {
  readonly caller: Promise<Caller | undefined>;
  /** On the clock of performance.now(). */
  readonly until: number;
}

/** Verifies API keys: one look-up by hash, which is remembered for a moment. Fails closed if the database is unavailable. */
export class KeyVerifier {
  /** By hash, so that keys are not kept in memory. */
  private readonly believed = new LRUCache<string, Believed>({ max: MAX_BELIEVED });
  private readonly lookUps: KeyLookUps;
  readonly rejected: RejectedKeys = { malformed: 0, unknown: 0, expired: 0 };

  constructor(
    private readonly database: Database,
    private readonly keyWatch: KeyWatch,
  ) {
    this.lookUps = new KeyLookUps(database);
  }

  async verify(key: string, now = performance.now()): Promise<Caller> {
    if (!isKey(key)) return this.reject('malformed');
    const hash = hashOf(key);
    const name = hash.toString('base64');
    let entry = this.believed.get(name);
    if (entry === undefined || now >= entry.until) {
      // Counts from before the look-up, which may wait for a connection.
      entry = { caller: this.find(hash, now), until: now + BELIEVED_FOR_MS };
      this.believed.set(name, entry);
    }
    try {
      const caller = await entry.caller;
      if (caller === undefined) return this.reject('unknown');
      return Date.now() < (caller.expiresAt ?? 0) ? caller : this.reject('expired');
    } catch (error) {
      if (this.believed.get(name) === entry) this.believed.delete(name);
      throw error;
    }
  }

  private reject(reason: keyof RejectedKeys): never {
    this.rejected[reason] += 1;
    // Nothing else depends on what a wrong key looks like.
    throw unauthenticated(reason === 'expired' ? 'The API key has expired. Use another one.' : UNKNOWN_KEY);
  }

  private async find(hash: Buffer, askedAt: number): Promise<Caller | undefined> {
    const found = await this.lookUps.find(hash);
    if (found === undefined) return undefined;
    const { id, name, validForMs, isNews } = found;
    const scopes = new Set(found.scopes);
    // Whether it is stored makes no difference to the request.
    if (isNews && validForMs > 0) this.database.query(USE_KEY, [id]).catch(() => undefined);
    return {
      subject: subjectOfKey(id),
      name,
      keyName: name,
      scopes,
      expiresAt: Date.now() + validForMs,
      whenRevoked: (end) => this.keyWatch.watch(hash, { confirmedAt: askedAt, scopes }, end),
    };
  }
}
