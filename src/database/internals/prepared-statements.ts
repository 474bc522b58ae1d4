import type { PoolClient } from 'pg';

/** Prepared statements per connection. One plan takes up to 100 kB in the PostgreSQL backend. */
export const MAX_PREPARED = 200;

/** pg's internal state of the statements on a connection. */
interface Connection {
  /** Sent to be parsed, but not confirmed yet. */
  readonly submittedNamedStatements: Record<string, string>;
  readonly parsedStatements: Record<string, string>;
  close(message: { type: 'S'; name: string }): void;
}

/** The statement names of each connection, least recently used first. */
const usedNames = new WeakMap<Connection, Set<string>>();

/**
 * Call this before sending a prepared statement. Each combination of fields, filters and expansions is a separate statement, so
 * this closes the least recently used ones when a connection has too many. The protocol message Close needs no round trip, works in
 * a failed transaction, and, unlike DEALLOCATE, is understood by poolers that support prepared statements.
 *
 * Relies on: pg's `client.connection` has `submittedNamedStatements`, `parsedStatements` and `close`.
 * Buys: no speed. It bounds PostgreSQL's memory: clients could otherwise cause thousands of plans per connection.
 * Without it: name only statements whose text does not depend on client input.
 */
export function closeLeastRecentlyUsed(client: PoolClient, name: string): void {
  const { connection } = client as unknown as { connection: Connection };
  const names = usedNames.get(connection) ?? new Set();
  usedNames.set(connection, names);
  names.delete(name);
  names.add(name);
  for (const oldest of names) {
    if (names.size <= MAX_PREPARED || oldest in connection.submittedNamedStatements) return;
    names.delete(oldest);
    if (!(oldest in connection.parsedStatements)) continue;
    Reflect.deleteProperty(connection.parsedStatements, oldest);
    connection.close({ type: 'S', name: oldest });
  }
}
