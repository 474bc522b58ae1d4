import { isDeepStrictEqual } from 'node:util';
import { valueOf } from '../files/cells.js';
import type { Column } from '../files/columns.js';
import { fieldsOf } from '../validation/fields-of.js';
import { canonicalName } from '../validation/json-schema.js';
import { ShipmentFields } from '../shipments/dto/shipment-fields.js';
import { isObject } from '../writes/read-fields.js';
import type { FileRow } from './reading/file-format.js';
import { isMemberOfResult } from './reading/header.js';

export type Json = Readonly<Record<string, unknown>>;

/** A row with its values as a request body, with only the fields in the file. */
export interface ReadRow extends FileRow {
  readonly id: unknown;
  readonly eTag: unknown;
  readonly body: Json;
}

/**
 * The body has every field but the timestamps, which spreadsheets reformat and nobody expects to change. As in a PATCH, another value of a
 * field that the service sets is an error: a user who edits the status in a spreadsheet must not believe that it changed.
 */
export function readRow(row: FileRow): ReadRow {
  const { sent, header } = row;
  const values = Array.isArray(sent) ? valuesOfCells(sent as string[], header?.columns ?? []) : withoutResult(sent);
  const { id = null, eTag = null, createdAt: _, updatedAt: __, ...body } = values;
  const { shipmentCode } = body;
  const code = typeof shipmentCode === 'string' ? { shipmentCode: canonicalName(shipmentCode) } : {};
  return { ...row, id, eTag, body: { ...body, ...code } };
}

/** A row without what a result file added to it. */
function withoutResult(sent: object): Json {
  return Object.fromEntries(Object.entries(sent).filter(([name]) => !isMemberOfResult(name)));
}

function valuesOfCells(cells: readonly string[], columns: readonly (Column | undefined)[]): Json {
  const values: Record<string, unknown> = {};
  columns.forEach((column, index) => {
    if (column === undefined) return;
    const value = valueOf(cells[index] ?? '', column);
    const [name = '', inside] = column.names;
    values[name] = inside === undefined ? value : { ...(values[name] as Json | undefined), [inside]: value };
  });
  for (const { name, part } of fieldsOf(ShipmentFields)) {
    if (part !== undefined && isEmptied(values[name], fieldsOf(part))) values[name] = null;
  }
  return values;
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
