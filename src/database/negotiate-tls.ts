import { Client, DatabaseError } from 'pg';
import { parametersOf, withParameters } from '../config/database-url.js';

const IN_THIS_ORDER: Readonly<Record<string, readonly string[]>> = {
  prefer: ['require', 'disable'],
  allow: ['disable', 'require'],
};

/** SQLSTATE of a connection that pg_hba.conf rejects, e.g. because it requires TLS. */
const INVALID_AUTHORIZATION = '28000';

/** Returns the URL that connects: with sslmode `prefer` or `allow`, the server decides on TLS, which the driver does not support. */
export async function negotiateTls(url: string, timeoutMs: number): Promise<string> {
  const modes = IN_THIS_ORDER[parametersOf(url).get('sslmode') ?? ''];
  if (modes === undefined) return url;
  let failure: unknown;
  for (const sslmode of modes) {
    const attempt = withParameters(url, { sslmode });
    failure = await connectionError(attempt, timeoutMs);
    if (failure === undefined) return attempt;
    if (failure instanceof DatabaseError && failure.code !== INVALID_AUTHORIZATION) break;
  }
  throw failure;
}

async function connectionError(url: string, timeoutMs: number): Promise<unknown> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: timeoutMs });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return undefined;
  } catch (error) {
    return error;
  } finally {
    await client.end().catch(() => undefined);
  }
}
