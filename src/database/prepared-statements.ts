import type { PoolClient } from 'pg';

/** So many statements each connection keeps prepared. The plan of one takes up to 100 kB in a process of PostgreSQL. */
export const MOST_PREPARED = 200;

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
 * To be called before a prepared statement is sent. Clients choose what they change, filter by and expand, and each choice is a
 * statement of its own, so when a connection has too many the least recently used ones are closed.
 *
 * The message of the protocol does that without a round trip, in a failed transaction too, and it is known to poolers
 * that know prepared statements; they do not understand DEALLOCATE. It arrives after all that was sent before it.
 */
export function closeLeastRecentlyUsed(client: PoolClient, name: string): void {
  const { connection } = client as unknown as { connection: Connection };
  const names = usedNames.get(connection) ?? new Set();
  usedNames.set(connection, names);
  names.delete(name);
  names.add(name);
  for (const oldest of names) {
    if (names.size <= MOST_PREPARED || oldest in connection.submittedNamedStatements) return;
    names.delete(oldest);
    if (!(oldest in connection.parsedStatements)) continue;
    Reflect.deleteProperty(connection.parsedStatements, oldest);
    connection.close({ type: 'S', name: oldest });
  }
}
