import { ADDRESSES, partsOf, REQUIRED_PARTS, type Value, type Values } from './fields.js';

/** A version of a record. */
export interface Version {
  readonly eTag: string;
  readonly values: Values;
}

/** An edited field: the value that the user saw, and the new value. */
export interface Edit {
  readonly from: Value;
  readonly to: Value;
}

export type Edits = Readonly<Record<string, Edit>>;

/** A change by others, as reported by a 412. */
export interface TheirChange {
  readonly field: string;
  readonly base: Value;
  readonly current: Value;
  readonly changedBy?: string | undefined;
  readonly changedAt?: string | undefined;
}

/** The content of a 412 that knows the version in the request. */
export interface Report {
  readonly currentETag: string;
  readonly changes: readonly TheirChange[];
}

/** A conflict: both sides changed the same field or the same address differently. An address is one value. */
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
  /** Changes by others to fields that the user did not edit. They are kept. */
  readonly theirs: readonly TheirChange[];
  /** Fields that only the user changed. They are written. */
  readonly mine: readonly string[];
  /** Fields that both sides changed to the same value. */
  readonly same: readonly TheirChange[];
}

/** The chosen values, by the name of the collision. */
export type Decisions = Readonly<Record<string, Values | undefined>>;

/**
 * Merges the user's edits with changes by others since the base version. A change collides if the user edited the same field, had not seen
 * the new value before, and wants a different one. An address is one value: put together from both sides, it would be one that nobody wrote.
 */
export function merge(base: Version, edits: Edits, { currentETag, changes }: Report): Merge {
  const values = { ...base.values, ...Object.fromEntries(changes.map(({ field, current }) => [field, current])) };
  const current = { eTag: currentETag, values };
  const met = changes.filter(({ field, current: now }) => edits[field] !== undefined && edits[field].from !== now);
  const colliding = met.filter(({ field, current: now }) => edits[field]?.to !== now);
  const addresses = ADDRESSES.filter((address) => isChangedByBoth(address, base.values, edits, current, changes));
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

/** An address without a street does not exist. */
function hasAddress(address: string, values: Values): boolean {
  return values[`${address}/streetAddress1`] != null;
}

function isChangedByBoth(
  address: string,
  base: Values,
  edits: Edits,
  { values }: Version,
  changes: readonly TheirChange[],
): boolean {
  const fields = partsOf(address);
  const isNew = ({ field, current }: TheirChange) => edits[field] === undefined || edits[field].from !== current;
  const isTheirs = changes.some((change) => fields.includes(change.field) && isNew(change));
  if (!isTheirs || !fields.some((field) => edits[field] !== undefined)) return false;
  const mine = withEdits(base, edits);
  return fields.some((field) => (mine[field] ?? null) !== (values[field] ?? null));
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
 * The remaining edits after every collision is decided, based on the current version. Values that the record already has are left out. The
 * next conflict is merged from here, so that the user is asked only about new changes.
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

/** The PATCH body that applies the edits to a version. */
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
  // A new address is sent as a whole, so that the service reports missing fields.
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

/** The differences between two versions without a 412, so without authors. `base` may have fields of expanded records, too. */
export function differences(base: Values, current: Values): TheirChange[] {
  const fields = Object.keys(current).filter((field) => !['updatedAt', 'eTag'].includes(field));
  return fields
    .filter((field) => (base[field] ?? null) !== (current[field] ?? null))
    .map((field) => ({ field, base: base[field] ?? null, current: current[field] ?? null }));
}
