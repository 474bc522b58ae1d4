import { isDeepStrictEqual } from 'node:util';
import { valueOf } from '../files/cells.js';
import type { Column } from '../files/columns.js';
import { fieldsOf } from '../validation/fields-of.js';
import { ShipmentFields } from '../shipments/dto/shipment-fields.js';
import { isObject } from '../writes/read-fields.js';
import type { FileRow } from './reading/file-row.js';

export type Json = Readonly<Record<string, unknown>>;

/** A row with its values as a request body, with only the fields in the file. */
export interface ReadRow extends FileRow {
  readonly id: unknown;
  readonly eTag: unknown;
  readonly body: Json;
}

/** Set by the service and reformatted by spreadsheets: nobody expects to change them. */
const IGNORED = ['createdAt', 'updatedAt'];

export function readRow(row: FileRow): ReadRow {
  const { sent, header } = row;
  if (isCells(sent)) return { ...row, ...valuesOfCells(sent, header?.columns ?? []) };
  const { id = null, eTag = null, ...values } = sent as Json;
  const body = Object.fromEntries(Object.entries(values).filter(([name]) => !IGNORED.includes(name)));
  return { ...row, id, eTag, body };
}

function isCells(sent: FileRow['sent']): sent is readonly string[] {
  return Array.isArray(sent);
}

function valuesOfCells(cells: readonly string[], columns: readonly (Column | undefined)[]) {
  const body: Record<string, unknown> = {};
  const version: Record<string, unknown> = { id: null, eTag: null };
  columns.forEach((column, index) => {
    if (column === undefined || column.use === 'ignored') return;
    const value = valueOf(cells[index] ?? '', column);
    const [name = '', inside] = column.names;
    if (column.use === 'version') version[name] = value;
    else if (inside === undefined) body[name] = value;
    else body[name] = { ...(body[name] as Json | undefined), [inside]: value };
  });
  for (const { name, part } of fieldsOf(ShipmentFields)) {
    if (part !== undefined && isEmptied(body[name], fieldsOf(part))) body[name] = null;
  }
  return { id: version['id'], eTag: version['eTag'], body };
}

/** Whether a part is cleared: all its cells are empty, and the file has all its required columns. */
function isEmptied(part: unknown, fields: readonly { readonly name: string; readonly required: boolean }[]): boolean {
  if (!isObject(part) || Object.values(part).some((value) => value !== null)) return false;
  return fields.every(({ name, required }) => !required || Object.hasOwn(part, name));
}

/** The fields of a body that differ from a past record; for a new record, all that have a value. */
export function differences(body: Json, base: Json | undefined): Json {
  const found: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(body)) {
    const before = base?.[name] ?? null;
    if (isDeepStrictEqual(value, before)) continue;
    if (!isObject(value)) {
      found[name] = value;
      continue;
    }
    const inside = differences(value, isObject(before) ? before : undefined);
    if (Object.keys(inside).length > 0) found[name] = inside;
  }
  return found;
}

/** Whether a body writes the value at a path; null for a part writes all its fields. */
export function writes(body: Json, [name = '', ...inside]: readonly string[]): boolean {
  if (!Object.hasOwn(body, name)) return false;
  const value = body[name];
  return inside.length === 0 || !isObject(value) || writes(value, inside);
}
