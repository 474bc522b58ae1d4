import { SCOPES } from '../../auth/scopes.js';
import type { Scope } from '../../auth/access.js';
import { KEY_NAME_LENGTH, type Key } from '../../model/key.entity.js';
import type { FieldError } from '../../problem/problem.js';
import { Required, SetOf, Text, Timestamp } from '../../validation/rules.js';

const LIVE = ['state', 'lastUsedAt', 'creatorLacks'];

export class KeyFields {
  static readonly record = 'a key';
  static readonly readOnly = ['id', 'createdBy', 'createdAt', 'updatedAt', 'eTag', ...LIVE];
  static readonly live = LIVE;
  static readonly examples = {
    New: { name: 'Carrier North', scopes: ['shipments:read', 'shipments:status'] },
    Replacement: { name: 'Carrier North', scopes: ['shipments:read'], expiresAt: '2027-03-01T09:30:00.000Z' },
    Patch: { name: 'Carrier North, depot 2' },
  };

  @Required()
  @Text(KEY_NAME_LENGTH)
  name!: string;

  @Required()
  @SetOf(SCOPES, { of: 'scopes' })
  scopes!: Scope[];

  /** Null means a year from now. */
  @Timestamp()
  expiresAt!: string | null;
}

const MAX_YEARS = 5;

function yearsFromNow(years: number): Date {
  const date = new Date();
  date.setUTCFullYear(date.getUTCFullYear() + years);
  return date;
}

/** A new expiry must be in the future, but not too far. What was read may be sent back. */
export function permittedExpiry({ expiresAt }: KeyFields, current?: Key): FieldError[] {
  if (typeof expiresAt !== 'string' || Number.isNaN(Date.parse(expiresAt))) return [];
  const moment = Date.parse(expiresAt);
  const isKept = current !== undefined && moment === Date.parse(current.expiresAt);
  if (isKept || (moment > Date.now() && moment <= yearsFromNow(MAX_YEARS).getTime())) return [];
  const message = `must be in the future, and at most ${MAX_YEARS} years from now`;
  return [{ pointer: '/expiresAt', code: 'OUT_OF_RANGE', message }];
}

/** The fields as stored: scopes in one order, and by default a year until the expiry. */
export function storedFields<Fields extends Partial<KeyFields>>({ scopes, expiresAt, ...others }: Fields) {
  const until = expiresAt === null ? yearsFromNow(1) : expiresAt && new Date(expiresAt);
  return {
    ...others,
    ...(scopes && { scopes: SCOPES.filter((scope) => scopes.includes(scope)) }),
    ...(until && { expiresAt: until.toISOString() }),
  };
}
