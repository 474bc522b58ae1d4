import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Database } from '../database/database.js';
import { namedStatement } from '../database/statement.js';
import type { Caller } from '../http/request-context.js';
import { SCOPES } from './scopes.js';

const HOUR_MS = 3_600_000;

/** Callers that are not stored again; each is about 200 bytes. */
const MAX_CALLERS = 10_000;

/** In these scopes, the empty name stands for any call. */
const ANY_CALL = '';

/** The present hour for each name of an array, as JSON. */
export const hoursOf = (array: string) => `
  (SELECT jsonb_object_agg(name, floor(extract(epoch FROM now()) / 3600)::int) FROM unnest(${array}) AS name)`;

/** Stores that the creator with the digest $1 has called with the scopes $2, if the caller has created keys. */
const SEE_CREATOR = namedStatement('key_see_creator')`
    UPDATE key_progress SET creator_scopes = coalesce(creator_scopes, '{}') || seen.hours
    FROM (SELECT ${hoursOf('$2::text[]')} AS hours) AS seen
    WHERE creator = $1 AND (creator_scopes @> seen.hours) IS NOT TRUE`;

/** The scopes of a caller, as stored with the keys that the caller has created. */
export function seenScopes({ scopes }: Caller): string[] {
  return [ANY_CALL, ...SCOPES.filter((scope) => scopes.has(scope))];
}

/** Notes the scopes with which creators of keys call, so that lists can show the scopes of a key that its creator no longer has. */
export class CreatorScopes {
  private readonly seen = new LRUCache<string, true>({ max: MAX_CALLERS, ttl: HOUR_MS });

  constructor(private readonly database: Database) {}

  /** Stores the scopes of a caller in the background, about once an hour. */
  see(caller: Caller): void {
    const scopes = seenScopes(caller);
    const name = `${scopes.join(' ')} ${caller.subject}`;
    if (this.seen.has(name)) return;
    this.seen.set(name, true);
    const digest = createHash('sha256').update(caller.subject).digest('hex');
    // Whether it is stored makes no difference to the request.
    this.database.query(SEE_CREATOR, [digest, scopes]).catch(() => this.seen.delete(name));
  }
}
