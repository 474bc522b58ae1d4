import { valueAt } from '../../history/changes.js';
import { isObject } from '../../writes/read-fields.js';
import type { ImportRow } from '../import-row.js';
import type { ImportRows } from '../import-rows.js';
import { isMemberOfResult } from '../reading/header.js';
import type { Json } from '../row-values.js';
import { explanationOf, refusedRows, sourceOf } from './refused-rows.js';

/** The refused rows as JSON Lines, with only the members that were sent and still exist: a new upload would change any other. */
export async function* jsonResult(rows: ImportRows, importID: string): AsyncGenerator<string, void, undefined> {
  for await (const batch of refusedRows(rows, importID)) {
    yield batch.map((row) => `${JSON.stringify(objectOf(row))}\n`).join('');
  }
}

function objectOf(row: ImportRow): object {
  const { error, conflicts, changedBy, changedAt } = explanationOf(row);
  const names = new Set(conflicts.map(({ field }) => field));
  const who = changedBy !== '' && { changedBy };
  const when = changedAt !== '' && { changedAt };
  return { ...valuesOf(row), error, ...who, ...when, ...(names.size > 0 && { theirs: theirsOf(row, names) }) };
}

function valuesOf(row: ImportRow): object {
  const sent = Object.entries(row.sent ?? {}).filter(([name]) => !isMemberOfResult(name));
  const values = sent.map(([name, value]): readonly [string, unknown] => {
    const [written, current] = [row.body?.[name], (row.current as Json | null)?.[name]];
    if (sourceOf(row, [name]) === 'current') return [name, current];
    return [name, isObject(value) && isObject(written) ? partOf(row, name, value) : value];
  });
  return Object.fromEntries(values);
}

/** An address with the members that were sent, and those of its version that others have changed. */
function partOf(row: ImportRow, name: string, sent: Json): object {
  const valuesFrom = (record: object | null) => (record as Json | null)?.[name] as Json | null | undefined;
  const current = valuesFrom(row.current);
  const before = Object.entries(row.base ?? {}).flatMap(([field, value]) => {
    const [part, member = ''] = field.split('/');
    return part === name && value !== (current?.[member] ?? null) ? [[member, value] as const] : [];
  });
  const base = Object.fromEntries(before);
  const members = [...new Set([...Object.keys(sent), ...Object.keys(base)])].map((member) => {
    const source = sourceOf(row, [name, member]);
    const values = { sent: sent[member], base: row.base?.[`${name}/${member}`], current: current?.[member] };
    return [member, values[source]];
  });
  return Object.fromEntries(members) as object;
}

/** The values by others, in the structure of a shipment. An address that others have removed is null. */
function theirsOf({ current }: ImportRow, fields: ReadonlySet<string>): object {
  const theirs: Record<string, unknown> = {};
  for (const field of fields) {
    const [part = '', member] = field.split('/');
    const now = valueAt(current ?? {}, part) ?? null;
    if (member === undefined || now === null) theirs[part] = now;
    else theirs[part] = { ...(theirs[part] as Json | undefined), [member]: (now as Json)[member] };
  }
  return theirs;
}
