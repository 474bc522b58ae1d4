import { DatabaseError, type Pool, type PoolClient } from 'pg';
import { databaseUnavailable, isDatabaseUnavailable } from '../problem/database-problem.js';
import { READ_ONLY } from './new-connection.js';

/**
 * The connections of a pool, without those that may lead to a former primary. When one connection is lost without a word from
 * PostgreSQL, or finds its server read-only, then all that are as old are closed instead of used: after a failover each of them would
 * otherwise cost a request its deadline, or answer with what was true before.
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
        // What is known to pass is left as it is: some of that is tried again.
        throw isDatabaseUnavailable(error) ? error : databaseUnavailable(error);
      });
      // TypeORM's first connection is older than this object.
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
