import type { ClientBase } from 'pg';

/** SQLSTATE of a write on a standby, and of one on a server that was made read-only. */
export const READ_ONLY = '25006';

/** What PostgreSQL's source calls the wait of a COMMIT for its synchronous standbys. Messages are translated, this is not. */
const SYNCHRONOUS_WAIT = 'SyncRepWaitForLSN';

const unreplicated = new WeakSet<ClientBase>();

/**
 * Options of a pool that refuses connections to a standby: it lags behind, so an eTag that was read there may be stale. A primary
 * that becomes a standby restarts, which ends its connections, so it is enough to ask each of them once, before it serves.
 */
export function primaryOnly(timeoutMs: number): { onConnect: (client: ClientBase) => Promise<void> } {
  return { onConnect: (client) => prepareConnection(client, timeoutMs) };
}

async function prepareConnection(client: ClientBase, timeoutMs: number): Promise<void> {
  client.on('notice', ({ routine }) => {
    if (routine === SYNCHRONOUS_WAIT) unreplicated.add(client);
  });
  const query = { text: 'SELECT pg_is_in_recovery() AS standby', query_timeout: timeoutMs };
  const { rows } = await client.query<{ standby: boolean }>(query);
  if (rows[0]?.standby === true) {
    throw Object.assign(new Error('The database is a standby, which takes no writes'), { code: READ_ONLY });
  }
}

/**
 * Whether somebody cancelled a COMMIT on this connection while it waited for synchronous standbys. PostgreSQL answers such a COMMIT
 * with success and a warning, although the change is on the primary alone and is lost when that fails.
 */
export function hasUnreplicatedCommit(client: ClientBase): boolean {
  return unreplicated.has(client);
}
