import { namedStatement } from '../database/statement.js';

/** Makes the creations of keys by the subject $1 wait for each other, so that together they keep to the limit. */
export const LOCK_CREATOR = namedStatement(
  'key_lock_creator',
  `SELECT pg_advisory_xact_lock(hashtext('keys by creator'), hashtext($1))`,
);

/** Only a digest of the subject is stored. */
const digestOf = (subject: string) => `encode(sha256(convert_to(${subject}, 'UTF8')), 'hex')`;

/** How many keys the subject $1 has created. */
export const CREATED_BY = namedStatement(
  'key_created_by',
  `SELECT count(*)::int AS count FROM key_progress WHERE creator = ${digestOf('$1')}`,
);

/** Replaces the digest of the subject $1, which anybody could compute, by one of nobody. */
export const FORGET_CREATOR = namedStatement(
  'key_forget_creator',
  `
    UPDATE key_progress SET creator = (SELECT encode(sha256(uuid_send(gen_random_uuid())), 'hex'))
    WHERE creator = ${digestOf('$1')}`,
);

/** The hash $2 of the new key $1, which the subject $3 creates. */
export const ADD_HASH = namedStatement(
  'key_add_hash',
  `
    WITH added AS (INSERT INTO key_hashes (hash, key_id) VALUES ($2, $1::uuid))
    INSERT INTO key_progress (key_id, creator) VALUES ($1::uuid, ${digestOf('$3')})`,
);

/** How many replaced keys of the key $1 still work. */
export const REPLACED = namedStatement(
  'key_replaced',
  'SELECT count(*)::int AS count FROM key_hashes WHERE key_id = $1 AND expires_at > now()',
);

/** The current key works for another day beside the new one, whose hash is $2. */
export const ROTATE = namedStatement(
  'key_rotate',
  `
    WITH dropped AS (DELETE FROM key_hashes WHERE key_id = $1::uuid AND expires_at <= now()),
    replaced AS (
      UPDATE key_hashes SET expires_at = clock_timestamp() + interval '24 hours'
      WHERE key_id = $1::uuid AND expires_at IS NULL
    )
    INSERT INTO key_hashes (hash, key_id) VALUES ($2, $1::uuid)`,
);
