import type { Key } from '@waybill/client';
import type { Edits, Report, TheirChange } from './merge.js';
import type { Value, Values } from './fields.js';

/** What can be changed of an API key, as values that are compared: scopes are one text. */
export function keyValues({ name, scopes, expiresAt }: Pick<Key, 'name' | 'scopes' | 'expiresAt'>): Values {
  return { name, scopes: scopes.join(' '), expiresAt };
}

/** The PATCH body of edits of such values. */
export function keyPatch(edits: Edits): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(edits).map(([field, { to }]) => [field, field === 'scopes' ? scopesIn(to) : to]),
  );
}

export function scopesIn(value: Value): string[] {
  return String(value ?? '')
    .split(' ')
    .filter(Boolean);
}

/** Changes as a 412 reports them, where scopes are lists. */
export function withTextsOfScopes({ currentETag, changes }: Report): Report {
  return { currentETag, changes: changes.map(asText) };
}

function asText({ base, current, ...change }: TheirChange): TheirChange {
  return { ...change, base: textOf(base), current: textOf(current) };
}

function textOf(value: unknown): Value {
  return Array.isArray(value) ? value.join(' ') : (value as Value);
}

/** The last moment of a day, in local time: a key expires when the day is over. */
export function endOf(day: string): string {
  return new Date(`${day}T23:59:59.999`).toISOString();
}
