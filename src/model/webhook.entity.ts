import { Column, Entity } from 'typeorm';
import type { Scope } from '../auth/access.js';
import { SCOPES } from '../auth/scopes.js';
import { REMARKS_LENGTH } from './move.entity.js';
import type { Resource } from '../records/resource.js';
import { VersionedRecord } from '../records/versioned-record.js';
import { JsonSchema } from '../validation/json-schema.decorator.js';
import { nullable, TIMESTAMP } from '../validation/json-schema.js';

export const URL_LENGTH = 2048;
export const MAX_TYPES = 50;
export const PAYLOADS = ['thin', 'full'] as const;
const DISABLED_REASONS = ['REQUESTED', 'GONE', 'FAILING', 'KEY_ENDED'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];
const STATES = ['active', 'failing', 'disabled'] as const;

/** Secrets, cursors and deliveries are in tables of their own: a record shows all its columns, and history keeps them. */
@Entity('webhooks')
@JsonSchema({ description: 'A receiver that is called for each matching event.' })
export class Webhook extends VersionedRecord {
  @JsonSchema({
    description:
      'Where events are sent. Must be https at a public address, unless the service allows the network of the receiver.',
    format: 'uri',
    examples: ['https://partner.example/waybill'],
  })
  @Column('varchar', { length: URL_LENGTH })
  url!: string;

  @JsonSchema({
    description:
      'The types of events to send; null for all that the creator may read, except those of webhooks and keys. With `created`, the webhook also gets `restored`.',
    examples: [['shipment.created', 'shipment.statusChanged']],
  })
  @Column('varchar', { length: 64, array: true, nullable: true })
  types!: string[] | null;

  @JsonSchema({ description: 'Only events of this record and, if it is a shipment, of its children.' })
  @Column('uuid', { nullable: true })
  resourceID!: string | null;

  @JsonSchema({ description: 'Only events of this move, of its shipments and of their children.' })
  @Column('uuid', { nullable: true })
  moveID!: string | null;

  @JsonSchema({
    description: '`thin`: ids, eTag and the names of changed fields. `full`: the event as in the feed, with values.',
    enum: PAYLOADS,
    examples: ['thin'],
  })
  @Column('varchar', { length: 8 })
  payload!: (typeof PAYLOADS)[number];

  @JsonSchema({ description: 'A note on the receiver.', examples: ['Billing of our partner'] })
  @Column('varchar', { length: REMARKS_LENGTH, nullable: true })
  description!: string | null;

  @JsonSchema({ description: 'Whether events are sent. Enabling resumes where deliveries stopped.', examples: [true] })
  @Column('boolean')
  enabled!: boolean;

  @JsonSchema({
    description:
      'Why nothing is sent. `REQUESTED`: by a caller. `GONE`: the receiver answered 410. `FAILING`: every delivery failed for five days. `KEY_ENDED`: the API key that created the webhook was revoked, has expired, or may no longer read what the webhook sends.',
    enum: DISABLED_REASONS,
    'x-extensible': true,
    examples: [null],
  })
  @Column('varchar', { length: 16, nullable: true })
  disabledReason!: DisabledReason | null;

  @JsonSchema({ description: 'Since when nothing is sent.', examples: [null] })
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  disabledAt!: string | null;

  @JsonSchema({
    description: 'The scopes of the creator that decide which events are sent.',
    items: { type: 'string', enum: SCOPES, 'x-extensible': true },
    examples: [['moves:read', 'shipments:read']],
  })
  @Column('varchar', { length: 32, array: true })
  scopes!: Scope[];

  @JsonSchema({
    description:
      '`failing`: the latest delivery failed and will be retried. Changes without a new version, as do `lastDeliveryAt` and `failureRate`.',
    type: 'string',
    enum: STATES,
    examples: ['active'],
  })
  state!: (typeof STATES)[number];

  @JsonSchema({
    ...nullable(TIMESTAMP),
    description: 'The last successful delivery.',
    examples: ['2026-03-02T14:05:12.345Z'],
  })
  lastDeliveryAt!: string | null;

  @JsonSchema({
    type: ['number', 'null'],
    minimum: 0,
    maximum: 1,
    description: 'The share of failed attempts among about the last 50; null before the first attempt.',
    examples: [0.02],
  })
  failureRate!: number | null;
}

function progress(column: string) {
  return (alias: string) => `(SELECT ${column} FROM webhook_progress p WHERE p.webhook_id = ${alias}.id)`;
}

export const WEBHOOKS: Resource<Webhook> = {
  entity: Webhook,
  name: 'webhook',
  path: '/v1/webhooks',
  parameter: 'webhookID',
  tables: {
    webhook_secrets: 'SELECT,INSERT,UPDATE,DELETE',
    webhook_progress: 'SELECT,INSERT,UPDATE',
    webhook_deliveries: 'SELECT,INSERT,UPDATE,DELETE',
    webhook_attempts: 'SELECT,INSERT',
    webhook_requests: 'SELECT,INSERT,DELETE',
  },
  readScope: 'webhooks:read',
  specialChange: 'disabled',
  isAdministrative: true,
  exampleID: '0199c3a0-8a10-7d2f-9b41-6c1d5e8f7a90',
  sortIndexes: { createdAt: {} },
  live: {
    state: (alias) =>
      `CASE WHEN NOT ${alias}.enabled THEN 'disabled' WHEN ${progress('failing_since')(alias)} IS NULL THEN 'active' ELSE 'failing' END`,
    lastDeliveryAt: progress('iso_ms(p.last_delivery_at)'),
    failureRate: progress('round(p.failure_rate::numeric, 2)'),
  },
};
