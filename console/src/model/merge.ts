import { ADDRESSES, partsOf, REQUIRED_PARTS, type Value, type Values } from './fields.js';

/** A version of a record. */
export interface Version {
  readonly eTag: string;
  readonly values: Values;
}

/** A field that somebody edits: what they saw when they began, and what it shall become. */
export interface Edit {
  readonly from: Value;
  readonly to: Value;
}

export type Edits = Readonly<Record<string, Edit>>;

/** A field that others changed, as a 412 reports it. */
export interface TheirChange {
  readonly field: string;
  readonly base: Value;
  readonly current: Value;
  readonly changedBy?: string | undefined;
  readonly changedAt?: string | undefined;
}

/** What a 412 reports when it knows the version that was sent. */
export interface Report {
  readonly currentETag: string;
  readonly changes: readonly TheirChange[];
}

/** Both sides changed the same thing, differently. An address that one side removed is one thing; else each field is. */
export interface Collision {
  /** The field, or the address. */
  readonly name: string;
  readonly fields: readonly string[];
  readonly base: Values;
  readonly theirs: Values;
  readonly mine: Values;
  readonly changedBy?: string | undefined;
  readonly changedAt?: string | undefined;
}

export interface Merge {
  /** The record as it is now. */
  readonly current: Version;
  readonly collisions: readonly Collision[];
  /** What others changed and I did not touch. It stays. */
  readonly theirs: readonly TheirChange[];
  /** What I changed and nobody else did. It goes in. */
  readonly mine: readonly string[];
  /** What both sides changed to the same value. */
  readonly same: readonly TheirChange[];
}

/** The values of one field or address that were decided on, by the name of the collision. */
export type Decisions = Readonly<Record<string, Values | undefined>>;

/**
 * How my edits meet what others did since the version they were made for. A change collides when I edit its field, did not see its value
 * before I began, and want another one.
 */
export function merge(base: Version, edits: Edits, { currentETag, changes }: Report): Merge {
  const values = { ...base.values, ...Object.fromEntries(changes.map(({ field, current }) => [field, current])) };
  const current = { eTag: currentETag, values };
  const met = changes.filter(({ field, current: now }) => edits[field] !== undefined && edits[field].from !== now);
  const colliding = met.filter(({ field, current: now }) => edits[field]?.to !== now);
  const addresses = ADDRESSES.filter((address) => isRemovedByOneSide(address, base.values, edits, current, changes));
  const inAddress = (field: string) => addresses.some((address) => field.startsWith(`${address}/`));
  const collisions = [
    ...colliding.filter(({ field }) => !inAddress(field)).map((change) => fieldCollision(change, edits)),
    ...addresses.map((address) => addressCollision(address, base.values, edits, current, changes)),
  ];
  const isColliding = (field: string) => collisions.some(({ fields }) => fields.includes(field));
  return {
    current,
    collisions,
    theirs: changes.filter(({ field }) => edits[field] === undefined && !isColliding(field)),
    mine: Object.keys(edits).filter((field) => !isColliding(field) && edits[field]?.to !== values[field]),
    same: met.filter(({ field, current: now }) => edits[field]?.to === now && !isColliding(field)),
  };
}

function fieldCollision({ field, current, changedBy, changedAt }: TheirChange, edits: Edits): Collision {
  const edit = edits[field] ?? { from: null, to: null };
  return {
    name: field,
    fields: [field],
    base: { [field]: edit.from },
    theirs: { [field]: current },
    mine: { [field]: edit.to },
    changedBy,
    changedAt,
  };
}

/** Without its street there is no address. */
function hasAddress(address: string, values: Values): boolean {
  return values[`${address}/streetAddress1`] != null;
}

function isRemovedByOneSide(
  address: string,
  base: Values,
  edits: Edits,
  { values }: Version,
  changes: readonly TheirChange[],
): boolean {
  const isTheirs = changes.some(({ field }) => field.startsWith(`${address}/`));
  const isMine = Object.keys(edits).some((field) => field.startsWith(`${address}/`));
  if (!isTheirs || !isMine || !hasAddress(address, base)) return false;
  return hasAddress(address, values) !== hasAddress(address, withEdits(base, edits));
}

function addressCollision(
  address: string,
  base: Values,
  edits: Edits,
  { values }: Version,
  changes: readonly TheirChange[],
): Collision {
  const fields = partsOf(address);
  const pick = (from: Values) => Object.fromEntries(fields.map((field) => [field, from[field] ?? null]));
  const last = changes
    .filter(({ field }) => fields.includes(field))
    .sort((one, other) => (one.changedAt ?? '').localeCompare(other.changedAt ?? ''))
    .at(-1);
  const { changedBy, changedAt } = last ?? {};
  const mine = pick(withEdits(base, edits));
  return { name: address, fields, base: pick(base), theirs: pick(values), mine, changedBy, changedAt };
}

function withEdits(values: Values, edits: Edits): Values {
  return { ...values, ...Object.fromEntries(Object.entries(edits).map(([field, { to }]) => [field, to])) };
}

/**
 * The edits that are left when every collision is decided, made for the version that they were decided on. What is as the record is
 * already needs no writing. A further conflict is merged from here, so that only what is new is asked for.
 */
export function resolve({ current, collisions, mine }: Merge, edits: Edits, decisions: Decisions): Edits {
  const left: Record<string, Edit> = {};
  const put = (field: string, to: Value) => {
    const from = current.values[field] ?? null;
    if (to !== from) left[field] = { from, to };
  };
  for (const field of mine) put(field, edits[field]?.to ?? null);
  for (const { name, fields } of collisions) {
    const decided = decisions[name];
    if (decided === undefined) throw new Error(`${name} is not decided`);
    for (const field of fields) put(field, decided[field] ?? null);
  }
  return left;
}

/** The body of the PATCH that makes the edits of a version. */
export function patchOf(edits: Edits, { values }: Version): Record<string, unknown> {
  const patch: Record<string, unknown> = {};
  const result = withEdits(values, edits);
  for (const [field, { to }] of Object.entries(edits)) {
    const [owner = '', part] = field.split('/');
    if (part === undefined) patch[owner] = to;
    else if (!(owner in patch)) patch[owner] = addressPatch(owner, edits, values, result);
  }
  return patch;
}

function addressPatch(address: string, edits: Edits, values: Values, result: Values): object | null {
  const parts = partsOf(address);
  if (parts.every((field) => result[field] == null)) return null;
  const isNew = !hasAddress(address, values);
  // A new address is sent as a whole, so that the service can say which of its parts are missing.
  const sent = parts.filter((field) =>
    isNew ? result[field] != null || isRequired(field) : edits[field] !== undefined,
  );
  return Object.fromEntries(
    sent.map((field) => [field.slice(address.length + 1), result[field] ?? (isNew ? '' : null)]),
  );
}

function isRequired(field: string): boolean {
  return REQUIRED_PARTS.includes(field.split('/')[1] ?? '');
}

/** What differs between two versions, when no 412 tells it: nobody knows who changed it. */
export function differences(base: Values, current: Values): TheirChange[] {
  const fields = Object.keys({ ...base, ...current }).filter((field) => !['updatedAt', 'eTag'].includes(field));
  return fields
    .filter((field) => (base[field] ?? null) !== (current[field] ?? null))
    .map((field) => ({ field, base: base[field] ?? null, current: current[field] ?? null }));
}
