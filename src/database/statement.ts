import type { PoolClient } from 'pg';
import { closeLeastRecentlyUsed } from './internals/prepared-statements.js';

/** A statement. PostgreSQL parses and plans one that has a name once per connection; the name is unique for its text. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
}

/** How statements are sent. */
export interface StatementOptions {
  /** Off where a connection pooler does not know statements by name. */
  readonly prepared: boolean;
  /** What each transaction sets for itself, when its connection cannot bring it along. */
  readonly settings: Readonly<Record<string, number>>;
}

/** What came back: COMMIT is answered with the command ROLLBACK when there was nothing left to commit. */
export interface Answer<Row> {
  readonly rows: readonly Row[];
  readonly command: string;
}

/** Sends a statement. Without an answer within `timeoutMs` it fails, and its connection must not be used again. */
export function send<Row extends object>(
  client: PoolClient,
  { name, text }: Statement,
  values: readonly unknown[],
  { prepared }: StatementOptions,
  timeoutMs?: number,
): Promise<Answer<Row>> {
  const limit = timeoutMs !== undefined && { query_timeout: timeoutMs };
  if (!prepared || name === undefined) return client.query<Row>({ text, values: [...values], ...limit });
  closeLeastRecentlyUsed(client, name);
  return client.query<Row>({ name, text, values: [...values], ...limit });
}
