import type { Scope } from '../auth/access.js';
import { SCOPES } from '../auth/scopes.js';
import type { Key } from '../model/key.entity.js';
import type { BodyUse } from '../validation/rules.js';
import { isObject } from '../writes/read-fields.js';

/** Nobody gives a key more than they have: whoever creates, changes or rotates one needs all its scopes, before and after. */
export const NEEDS_ITS_SCOPES = 'Requires every scope of the key, before and after.';

/** The scopes that a write of a key requires. Revoking one gives nothing. */
export function scopesToWrite(row: Key | undefined, body: unknown, use?: BodyUse): Scope[] {
  if (use === undefined) return [];
  const sent = isObject(body) && Array.isArray(body.scopes) ? body.scopes : [];
  return [...(row?.scopes ?? []), ...SCOPES.filter((scope) => sent.includes(scope))];
}
