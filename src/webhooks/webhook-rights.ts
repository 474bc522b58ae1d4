import type { Scope } from '../auth/access.js';
import { MOVES } from '../model/move.entity.js';
import { SHIPMENTS } from '../model/shipment.entity.js';
import { isUUID } from '../validation/json-schema.js';
import type { BodyUse } from '../validation/rules.js';
import { isObject } from '../writes/read-fields.js';
import type { RequiredScopes } from '../writes/write-rule.js';
import { ALL_RESOURCES, isEventType, kindOf } from '../model/resources.js';
import type { Webhook } from '../model/webhook.entity.js';

/**
 * Whoever changes what a webhook sends, to where, or signed by which secret must be able to read all that it sends before and after.
 * Otherwise a new URL, other types or a secret would show events to callers who may not read them.
 */

/** For the descriptions of such operations. */
export const NEEDS_TO_READ = 'Requires the scopes to read everything that the webhook sends, before and after.';

type Sent = Pick<Webhook, 'types' | 'scopes'>;

/** The scopes that creators of webhooks have stored. */
export const READ_SCOPES = [...new Set(ALL_RESOURCES.map(({ readScope }) => readScope))];

/** A webhook without types sends what its creator may read, except events of webhooks and keys. */
const SENT_WITHOUT_TYPES = READ_SCOPES.filter((scope) => {
  return ALL_RESOURCES.some(({ readScope, isAdministrative }) => readScope === scope && !isAdministrative);
});

export function scopesToRead({ types, scopes }: Sent): Scope[] {
  if (types === null) return SENT_WITHOUT_TYPES.filter((scope) => scopes.includes(scope));
  return types.map((type) => kindOf(type).readScope);
}

/** Whether these types would send more than the creator of the webhook may read, or nothing at all. */
export function exceedsCreator(sent: Sent): boolean {
  const needed = scopesToRead(sent);
  return needed.length === 0 || needed.some((scope) => !sent.scopes.includes(scope));
}

/** The scopes that a write of a webhook requires; `row` is undefined for a new one, `use` for a deletion. */
export function scopesToWrite(row: Webhook | undefined, body: unknown, use?: BodyUse): RequiredScopes {
  return [...scopesToSend(row, typesSent(body, use)), ...scopesToLookUp(body)];
}

function scopesToSend(row: Webhook | undefined, types: string[] | null | undefined): RequiredScopes {
  if (row === undefined) return types ? scopesToRead({ types, scopes: [] }) : [[...SENT_WITHOUT_TYPES].reverse()];
  const before = scopesToRead(row);
  return types === undefined ? before : [...before, ...scopesToRead({ types, scopes: row.scopes })];
}

/** A code becomes the id of its record, which only its readers may learn. */
function scopesToLookUp(body: unknown): Scope[] {
  if (!isObject(body)) return [];
  const named = [
    { name: body.moveID, resource: MOVES },
    { name: body.resourceID, resource: SHIPMENTS },
  ];
  return named
    .filter(({ name }) => typeof name === 'string' && !isUUID(name))
    .map(({ resource }) => resource.readScope);
}

/** The types in a body that is not validated yet, without invalid ones; undefined if the body leaves them unchanged. */
function typesSent(body: unknown, use: BodyUse | undefined): string[] | null | undefined {
  if (use === undefined || !isObject(body)) return undefined;
  const { types } = body;
  if (types === undefined && use === 'Patch') return undefined;
  return Array.isArray(types) ? types.filter(isEventType) : null;
}
