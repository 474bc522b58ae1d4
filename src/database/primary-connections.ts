import { DatabaseError, type ClientBase, type Pool, type PoolClient } from 'pg';
import { namedStatement } from './statement.js';
import { databaseUnavailable, isDatabaseUnavailable } from '../problem/database-problem.js';

/** SQLSTATE of a write on a standby or a read-only server. */
const READ_ONLY = '25006';

/** Asked of each new connection. */
const IS_STANDBY = namedStatement('is_standby')`SELECT pg_is_in_recovery() AS standby`;

/** PostgreSQL's function that waits for synchronous standbys. Unlike messages, it is not translated. */
const SYNCHRONOUS_WAIT = 'SyncRepWaitForLSN';

const unreplicated = new WeakSet<ClientBase>();

/** Pool options that reject a standby, whose eTags may be stale. One check is enough: a primary that becomes one drops connections. */
export function primaryOnly(timeoutMs: number) {
  const onConnect = async (client: ClientBase): Promise<void> => {
    client.on('notice', ({ routine }) => {
      if (routine === SYNCHRONOUS_WAIT) unreplicated.add(client);
    });
    const query = { text: IS_STANDBY.text, query_timeout: timeoutMs };
    const { rows } = await client.query<{ standby: boolean }>(query);
    if (rows[0]?.standby === true) {
      throw Object.assign(new Error('The database is a standby, which is read-only'), { code: READ_ONLY });
    }
  };
  return { onConnect };
}

/**
 * Whether someone cancelled a COMMIT on this connection while it waited for synchronous standbys. PostgreSQL then reports success
 * with a warning, although the change exists only on the primary and may be lost.
 */
export function hasUnreplicatedCommit(client: ClientBase): boolean {
  return unreplicated.has(client);
}

/**
 * Pool connections, without those to a former primary. When a connection breaks without a message from PostgreSQL, or its server is
 * read-only, this closes all connections of the same age or older: after a failover, each of them could time out or return stale data.
 */
export class PrimaryConnections {
  private readonly openedAt = new WeakMap<PoolClient, number>();
  private suspectedAt = -Infinity;

  constructor(private readonly pool: Pool) {
    pool.on('connect', (client) => this.openedAt.set(client, performance.now()));
    pool.on('release', (failure: unknown) => {
      if (isSignOfFailover(failure)) this.suspectedAt = performance.now();
    });
  }

  async connect(): Promise<PoolClient> {
    for (;;) {
      const client = await this.pool.connect().catch((error: unknown) => {
        // Transient errors are rethrown unchanged so that callers can retry them.
        throw isDatabaseUnavailable(error) ? error : databaseUnavailable(error);
      });
      // TypeORM opens its first connection before this constructor runs.
      if ((this.openedAt.get(client) ?? 0) >= this.suspectedAt) return client;
      client.release(true);
    }
  }
}

function isSignOfFailover(failure: unknown): boolean {
  if (failure instanceof DatabaseError) return isReadOnly(failure);
  return failure instanceof Error;
}

export function isReadOnly(failure: unknown): boolean {
  return (failure as { code?: unknown } | undefined)?.code === READ_ONLY;
}
