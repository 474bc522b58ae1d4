import type { PoolClient, QueryResult } from 'pg';
import { closeLeastRecentlyUsed } from './internals/prepared-statements.js';

/** An SQL statement. PostgreSQL plans a named statement once per connection; the name must be unique for its text. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
}

export interface StatementOptions {
  /** Off for a connection pooler that does not support prepared statements. */
  readonly prepared: boolean;
  /** Settings for each transaction, if the session cannot keep them. */
  readonly settings: Readonly<Record<string, number>>;
}

/** Sends a statement. After `timeoutMs` it fails, and its connection must not be reused. */
export function send<Row extends object>(
  client: PoolClient,
  { name, text }: Statement,
  values: readonly unknown[],
  { prepared }: StatementOptions,
  timeoutMs?: number,
): Promise<QueryResult<Row>> {
  const limit = timeoutMs !== undefined && { query_timeout: timeoutMs };
  if (!prepared || name === undefined) return client.query<Row>({ text, values: [...values], ...limit });
  closeLeastRecentlyUsed(client, name);
  return client.query<Row>({ name, text, values: [...values], ...limit });
}
