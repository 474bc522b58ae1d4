import { DatabaseError, type Pool, type PoolClient } from 'pg';
import { databaseUnavailable, isDatabaseUnavailable } from '../problem/database-problem.js';
import { READ_ONLY } from './new-connection.js';

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
