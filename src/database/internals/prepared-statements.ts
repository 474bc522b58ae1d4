import type { PoolClient } from 'pg';

/** How many prepared statements each connection keeps. One plan takes up to 100 kB in its PostgreSQL backend. */
export const MAX_PREPARED = 200;

/** What pg knows of the statements on a connection, by name, and its message that closes one. */
interface Connection {
  /** Sent to be parsed; pg takes them for prepared when the answer comes. */
  readonly submittedNamedStatements: Record<string, string>;
  readonly parsedStatements: Record<string, string>;
  close(message: { type: 'S'; name: string }): void;
}

/** The names on each connection in the order of their last use, the oldest first. */
const usedNames = new WeakMap<Connection, Set<string>>();

/**
 * Call this before a prepared statement is sent. Clients choose what they change, filter by and expand, and each choice is a
 * statement of its own, so when a connection has too many of them the least recently used ones are closed. The protocol's message
 * Close does that without a round trip, also in a failed transaction, and poolers that support prepared statements understand it,
 * which they do not do with DEALLOCATE.
 *
 * Relies on: pg's `client.connection` has `submittedNamedStatements`, `parsedStatements` and `close`.
 * Buys: no speed. It bounds the memory that PostgreSQL spends on plans: clients could have it keep thousands per connection.
 * Without it: give a name only to statements whose text does not depend on what clients choose.
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
