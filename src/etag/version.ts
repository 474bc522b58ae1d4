declare const brand: unique symbol;

/** The version of a record: lower-case hex SHA-256 of its updatedAt in ISO form with milliseconds. Opaque to clients. */
export type ETag = string & { readonly [brand]: 'ETag' };

/**
 * The one place where an eTag is computed is PostgreSQL's function `etag_of` (see the migration of the version clock):
 * there it is the hash of the very value that is stored and locked, and reads, writes and history cannot disagree.
 */
export function eTagOf(updatedAtColumn: string): string {
  return `etag_of(${updatedAtColumn})`;
}

/** A timestamp as the API writes it: RFC 3339, UTC, milliseconds. */
export function isoOf(timestampColumn: string): string {
  return `iso_ms(${timestampColumn})`;
}
