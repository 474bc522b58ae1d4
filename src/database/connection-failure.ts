import { Client } from 'pg';
import { StartFailure } from '../config/start-failure.js';

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ENOENT: 'the socket does not exist',
  ENOTFOUND: 'the host is unknown',
  EAI_AGAIN: 'the host name cannot be resolved',
  ETIMEDOUT: 'the connection timed out',
};

/** Explains why the first connection failed, without user and password. */
export function connectionFailure(url: string, error: unknown): StartFailure {
  const { host, port, database } = new Client({ connectionString: url });
  const place = host.startsWith('/') ? `the socket in ${host}` : `${host}:${port}`;
  return new StartFailure(
    `Cannot connect to the database "${database ?? ''}" at ${place}: ${reasonOf(error)}. Check DATABASE_URL and that the database is running.`,
    { cause: error },
  );
}

/** Connecting to a host with several addresses fails with one error per address. */
function reasonOf(error: unknown): string {
  const first = error instanceof AggregateError ? (error.errors[0] as unknown) : error;
  const { code = '', message } = first as NodeJS.ErrnoException;
  return REASONS[code] ?? message;
}
