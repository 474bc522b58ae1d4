import { LRUCache } from 'lru-cache';
import type { Database } from '../database/database.js';
import { namedStatement } from '../database/statement.js';
import type { Caller } from '../http/request-context.js';
import { hashOf, isKey } from './key-text.js';
import type { KeyWatch } from './key-watch.js';
import { subjectOfKey } from './subjects.js';
import { unauthenticated } from './unauthenticated.js';

/** How long a key is believed without asking the database, so a revoked one is refused everywhere after this time. */
const BELIEVED_FOR_MS = 3000;

const MAX_BELIEVED = 10_000;

/** The key with the hash $1. Clocks of replicas may be wrong, so the database says how long it is valid. */
const FIND_KEY = namedStatement(
  'key_find',
  `
    SELECT k.id, k.name, k.scopes,
      (1000 * extract(epoch FROM least(k.expires_at, h.expires_at) - now()))::float8 AS "validForMs",
      p.last_used_at IS DISTINCT FROM date_trunc('hour', now()) AS "isNews"
    FROM key_hashes h JOIN keys k ON k.id = h.key_id JOIN key_progress p ON p.key_id = h.key_id
    WHERE h.hash = $1`,
);

/** Stores that the key $1 was used in this hour, once for all replicas. */
const USE_KEY = namedStatement(
  'key_use',
  `
    UPDATE key_progress SET last_used_at = date_trunc('hour', now())
    WHERE key_id = $1 AND last_used_at IS DISTINCT FROM date_trunc('hour', now())`,
);

interface FoundKey {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly validForMs: number;
  readonly isNews: boolean;
}

interface Believed {
  readonly caller: Promise<Caller>;
  /** On the clock of performance.now(). */
  readonly until: number;
}

/** Verifies API keys: one look-up by hash, which is remembered for a moment. Fails closed if the database is unavailable. */
export class KeyVerifier {
  /** By hash, so that keys are not kept in memory. */
  private readonly believed = new LRUCache<string, Believed>({ max: MAX_BELIEVED });

  constructor(
    private readonly database: Database,
    private readonly keyWatch: KeyWatch,
  ) {}

  async verify(key: string, now = performance.now()): Promise<Caller> {
    if (!isKey(key)) throw unknownKey();
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
      if (Date.now() >= (caller.expiresAt ?? 0)) throw unauthenticated('The API key has expired. Use another one.');
      return caller;
    } catch (error) {
      if (this.believed.get(name) === entry) this.believed.delete(name);
      throw error;
    }
  }

  private async find(hash: Buffer, askedAt: number): Promise<Caller> {
    const found = await this.database.queryOne<FoundKey>(FIND_KEY, [hash]);
    if (found === undefined) throw unknownKey();
    const { id, name, scopes, validForMs, isNews } = found;
    // Whether it is stored makes no difference to the request.
    if (isNews && validForMs > 0) this.database.query(USE_KEY, [id]).catch(() => undefined);
    return {
      subject: subjectOfKey(id),
      name,
      scopes: new Set(scopes),
      expiresAt: Date.now() + validForMs,
      whenRevoked: (end) => this.keyWatch.watch(hash, askedAt, end),
    };
  }
}

function unknownKey() {
  return unauthenticated('The API key is unknown: it was mistyped, replaced or revoked.');
}
