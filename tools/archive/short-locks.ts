import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, QueryResult } from 'pg';

const LOCK_TIMEOUT_MS = 500;
const LOCK_ATTEMPTS = 60;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Runs a statement in the open transaction whose locks can block the service. Each attempt waits only briefly for a lock and then releases all
 * that it has got, so the service also wins a deadlock.
 */
export async function withShortLocks(client: Client, statement: string): Promise<QueryResult> {
  await client.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
  for (let attempt = 1; ; attempt += 1) {
    await client.query('SAVEPOINT unlocked');
    try {
      return await client.query(statement);
    } catch (error) {
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE || attempt === LOCK_ATTEMPTS) throw error;
      await client.query('ROLLBACK TO SAVEPOINT unlocked');
      await sleep(LOCK_TIMEOUT_MS);
    }
  }
}
