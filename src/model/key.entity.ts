import { Column, Entity } from 'typeorm';
import type { Scope } from '../auth/access.js';
import { SCOPES } from '../auth/scopes.js';
import type { Resource } from '../records/resource.js';
import { VersionedRecord } from '../records/versioned-record.js';
import { JsonSchema } from '../validation/json-schema.decorator.js';
import { nullable, TIMESTAMP } from '../validation/json-schema.js';

export const KEY_NAME_LENGTH = 100;
/** Some tokens of a creator may have fewer scopes than others. */
const HOURS_WITHOUT = 24;
const STATES = ['active', 'expired'] as const;

/** Hashes and uses are in tables of their own: a record shows all its columns, and history keeps them. */
@Entity('keys')
@JsonSchema({ description: 'An API key, without the key itself. A revoked key is deleted.' })
export class Key extends VersionedRecord {
  @JsonSchema({
    description: 'Who or what uses the key. History and events show it as the author.',
    examples: ['Carrier North'],
  })
  @Column('varchar', { length: KEY_NAME_LENGTH })
  name!: string;

  @JsonSchema({
    description: 'What the key may do.',
    items: { type: 'string', enum: SCOPES, 'x-extensible': true },
    examples: [['shipments:read', 'shipments:status']],
  })
  @Column('varchar', { length: 32, array: true })
  scopes!: Scope[];

  @JsonSchema({ description: 'When the key stops working.', examples: ['2027-03-01T09:30:00.000Z'] })
  @Column({ type: 'timestamptz', precision: 3 })
  expiresAt!: string;

  @JsonSchema({ description: 'Who created the key.', examples: ['Ann Porter'] })
  @Column('varchar', { length: 255 })
  createdBy!: string;

  @JsonSchema({
    description: 'Whether the key works. Changes without a new version, as do `lastUsedAt` and `creatorLacks`.',
    type: 'string',
    enum: STATES,
    examples: ['active'],
  })
  state!: (typeof STATES)[number];

  @JsonSchema({
    ...nullable(TIMESTAMP),
    description: 'The hour in which the key was last used.',
    examples: ['2026-03-02T14:00:00.000Z'],
  })
  lastUsedAt!: string | null;

  @JsonSchema({
    description:
      'The scopes of the key that its creator no longer has. The key keeps them. If a key created it, those that this key lacks now: all of them if it was revoked or has expired. If somebody else did, those that their tokens lacked in the last 24 hours in which they called.',
    type: 'array',
    items: { type: 'string', enum: SCOPES, 'x-extensible': true },
    examples: [[]],
  })
  creatorLacks!: Scope[];
}

/** The scopes of the key `alias` that its creator lacks, by what `key_progress` says. */
function creatorLacks(alias: string): string {
  return `ARRAY(
    SELECT scope FROM unnest(${alias}.scopes) AS scope, key_progress p WHERE p.key_id = ${alias}.id AND CASE
      WHEN p.creator_key_id IS NULL
        THEN coalesce((p.creator_scopes ->> scope)::int, 0) < (p.creator_scopes ->> '')::int - ${HOURS_WITHOUT}
      ELSE NOT EXISTS (SELECT FROM keys c WHERE c.id = p.creator_key_id AND c.expires_at > now() AND scope = ANY (c.scopes))
    END)`;
}

export const KEYS: Resource<Key> = {
  entity: Key,
  name: 'key',
  path: '/v1/keys',
  parameter: 'keyID',
  tables: {
    key_hashes: 'SELECT,INSERT,UPDATE,DELETE',
    key_progress: 'SELECT,INSERT,UPDATE',
  },
  readScope: 'keys:read',
  isAdministrative: true,
  exampleID: '0199c3a0-8a10-7b3c-8e52-4d7f9a1b6c20',
  sortIndexes: { createdAt: {} },
  live: {
    state: (alias) => `CASE WHEN ${alias}.expires_at > now() THEN 'active' ELSE 'expired' END`,
    lastUsedAt: (alias) => `(SELECT iso_ms(p.last_used_at) FROM key_progress p WHERE p.key_id = ${alias}.id)`,
    creatorLacks,
  },
};
