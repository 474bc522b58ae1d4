/** Field values by path, such as `destinationAddress/city`. Missing values are null. */
export type Values = ReadonlyMap<string, unknown>;

/** The value of a field; null if it, or the part that contains it, is missing. */
export function valueAt(record: object, field: string): unknown {
  let value: unknown = record;
  for (const name of field.split('/')) value = (value as Record<string, unknown> | null | undefined)?.[name];
  return value ?? null;
}

/** The fields of each kind of record, by column. */
export type FieldsByKind = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** The first version of a record, and of a restored one: it replaced no values. */
export const IS_FIRST_VERSION = `h.type IN ('created', 'restored')`;

/** Whether the values that the entry `h` replaced are known: not if the entry `before` it was archived or has erased values. */
export const KNOWS_BEFORE = `(${IS_FIRST_VERSION} OR before.position IS NOT NULL AND before.record ->> 'erased' IS DISTINCT FROM 'true')`;

/** The changes between the entries `before` and `h` in SQL, as the members of a JSON array; null for a kind without fields. */
export function changesSql(kind: string, fieldsByKind: FieldsByKind): string {
  const cases = [...fieldsByKind].map(([name, fields]) => `WHEN '${name}' THEN ${changesOf(fields)}`);
  return `CASE ${kind} ${cases.join(' ')} END`;
}

/**
 * An entry with erased values reports no changes. An entry after an erased or archived one reports all its values, because it is unknown
 * which of them it changed.
 *
 * One expression per field is several times faster than a subquery over the fields, and the rows, which are much larger than their
 * differences, stay in PostgreSQL.
 */
function changesOf(fields: ReadonlyMap<string, string>): string {
  const json = (row: string, column: string) => `coalesce((${row} -> '${column}')::text, 'null')`;
  const reported = reportedFields(fields);
  const changes = reported.map(
    ([column, field]) =>
      `CASE WHEN before.record ->> '${column}' IS DISTINCT FROM h.record ->> '${column}' ` +
      `THEN '{"field":"${field}","from":' || ${json('before.record', column)} || ',"to":' || ${json('h.record', column)} || '}' END`,
  );
  const columns = reported.map(([column]) => column).join();
  const names = reported.map(([, field]) => field).join();
  return `
    CASE
      WHEN h.record ->> 'erased' = 'true' THEN ''
      WHEN ${KNOWS_BEFORE} THEN concat_ws(',', ${changes.join(', ')})
      ELSE coalesce((
        SELECT string_agg('{"field":"' || field || '","to":' || coalesce((h.record -> name)::text, 'null') || '}', ',')
        FROM unnest('{${columns}}'::text[], '{${names}}'::text[]) AS told (name, field)
        WHERE h.record IS NOT NULL
      ), '')
    END`;
}

/** The columns and fields to report. A part's id appears and disappears with the part, so it is not reported. */
export function reportedFields(fields: ReadonlyMap<string, string>): (readonly [column: string, field: string])[] {
  return [...fields].filter(([, field]) => !isPartID(field));
}

export function isPartID(field: string): boolean {
  return field.endsWith('/id');
}
