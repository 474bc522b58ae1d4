import { Client } from 'pg';
import { StartFailure } from '../config/start-failure.js';

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ENOENT: 'there is no such socket',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name of the host cannot be resolved',
  ETIMEDOUT: 'it does not answer',
};

/** Explains why the first connection failed. The message names the address without user and password. */
export function connectionFailure(url: string, error: unknown): StartFailure {
  const { host, port, database } = new Client({ connectionString: url });
  const place = host.startsWith('/') ? `the socket in ${host}` : `${host}:${port}`;
  return new StartFailure(
    `The database "${database ?? ''}" at ${place} cannot be used: ${reasonOf(error)}. Check DATABASE_URL, and that the database runs.`,
    { cause: error },
  );
}

/** Where a host has several addresses, each has an error of its own. */
function reasonOf(error: unknown): string {
  const first = error instanceof AggregateError ? (error.errors[0] as unknown) : error;
  const { code = '', message } = first as NodeJS.ErrnoException;
  return REASONS[code] ?? message;
}
