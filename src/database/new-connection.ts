import type { ClientBase } from 'pg';

/** SQLSTATE of a write on a standby or a read-only server. */
export const READ_ONLY = '25006';

/** PostgreSQL's function that waits for synchronous standbys. Unlike messages, it is not translated. */
const SYNCHRONOUS_WAIT = 'SyncRepWaitForLSN';

const unreplicated = new WeakSet<ClientBase>();

/**
 * Pool options that reject connections to a standby: it may lag behind, so its eTags may be stale. One check per connection is
 * enough, because a primary that becomes a standby restarts and drops its connections.
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
    throw Object.assign(new Error('The database is a standby, which is read-only'), { code: READ_ONLY });
  }
}

/**
 * Whether someone cancelled a COMMIT on this connection while it waited for synchronous standbys. PostgreSQL then reports success
 * with a warning, although the change exists only on the primary and may be lost.
 */
export function hasUnreplicatedCommit(client: ClientBase): boolean {
  return unreplicated.has(client);
}
