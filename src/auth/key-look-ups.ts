import type { Database } from '../database/database.js';
import { namedStatement } from '../database/statement.js';

const MAX_TOGETHER = 500;

/**
 * The keys with the hashes $1, except replaced ones that no longer work. Clocks of replicas may be wrong, so the database says how long a
 * key is valid.
 */
const FIND_KEYS = namedStatement('key_find')`
  SELECT encode(h.hash, 'base64') AS hash, k.id, k.name, k.scopes,
    (1000 * extract(epoch FROM least(k.expires_at, h.expires_at) - now()))::float8 AS "validForMs",
    p.last_used_at IS DISTINCT FROM date_trunc('hour', now()) AS "isNews"
  FROM key_hashes h JOIN keys k ON k.id = h.key_id JOIN key_progress p ON p.key_id = h.key_id
  WHERE h.hash = ANY ($1::bytea[]) AND (h.expires_at IS NULL OR h.expires_at > now())`;

export interface FoundKey {
  readonly hash: string;
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  /** Not positive if the key has expired. */
  readonly validForMs: number;
  /** Whether the key was not used in this hour. */
  readonly isNews: boolean;
}

interface Waiting {
  readonly hash: Buffer;
  readonly resolve: (found: FoundKey | undefined) => void;
  readonly reject: (failure: unknown) => void;
}

/** Looks keys up by their hashes, in one query at a time: a flood of unknown keys occupies one connection and delays others by one. */
export class KeyLookUps {
  private waiting: Waiting[] = [];
  private isRunning = false;

  constructor(private readonly database: Database) {}

  find(hash: Buffer): Promise<FoundKey | undefined> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ hash, resolve, reject });
      if (!this.isRunning) void this.run();
    });
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    while (this.waiting.length > 0) {
      const together = this.waiting.splice(0, MAX_TOGETHER);
      try {
        const found = await this.database.query<FoundKey>(FIND_KEYS, [together.map(({ hash }) => hash)]);
        const byHash = new Map(found.map((key) => [key.hash, key]));
        for (const { hash, resolve } of together) resolve(byHash.get(hash.toString('base64')));
      } catch (error) {
        // Those that came meanwhile have waited, too, and a database that does not respond would let them wait twice as long.
        for (const { reject } of [...together, ...this.waiting.splice(0)]) reject(error);
      }
    }
    this.isRunning = false;
  }
}
