import { hoursOf } from '../auth/creator-scopes.js';
import { namedStatement } from '../database/statement.js';
import { creatorSql, digestOfSubject } from '../records/creator-sql.js';

export const CREATOR_OF_KEYS = creatorSql('key', 'key_progress');

/** The hash $2 of the new key $1, which the subject $3 creates, a caller with the scopes $4; null if they are not known. */
export const ADD_HASH = namedStatement('key_add_hash')`
    WITH added AS (INSERT INTO key_hashes (hash, key_id) VALUES ($2, $1::uuid))
    INSERT INTO key_progress (key_id, creator, creator_scopes) VALUES ($1::uuid, ${digestOfSubject('$3')}, ${hoursOf('$4::text[]')})`;

/** What the key $1, which calls, may do now. It cannot be revoked before the end of the transaction. */
export const CALLING_KEY = namedStatement('key_calling')`
    SELECT scopes FROM keys WHERE id = $1 AND expires_at > now() FOR KEY SHARE`;

/** How many replaced keys of the key $1 still work. */
export const REPLACED = namedStatement('key_replaced')`
    SELECT count(*)::int AS count FROM key_hashes WHERE key_id = $1 AND expires_at > now()`;

/** The current key works for another day beside the new one, whose hash is $2. */
export const ROTATE = namedStatement('key_rotate')`
    WITH dropped AS (DELETE FROM key_hashes WHERE key_id = $1::uuid AND expires_at <= now()),
    replaced AS (
      UPDATE key_hashes SET expires_at = clock_timestamp() + interval '24 hours'
      WHERE key_id = $1::uuid AND expires_at IS NULL
    )
    INSERT INTO key_hashes (hash, key_id) VALUES ($2, $1::uuid)`;
