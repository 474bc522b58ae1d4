import type { PoolClient } from 'pg';
import { LeanQuery } from './fast-path/lean-query.js';
import { closeLeastRecentlyUsed } from './fast-path/prepared-statements.js';

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

/** Sends a statement, and destroys the connection when there is no answer within `timeoutMs`. */
export function send<Row extends object>(
  client: PoolClient,
  statement: Statement,
  values: readonly unknown[],
  { prepared }: StatementOptions,
  timeoutMs?: number,
): Promise<Answer<Row>> {
  return new Promise((resolve, reject) => {
    const { name, text } = statement;
    const query = new LeanQuery<Row>(text, [...values], (error, result) => {
      if (error) reject(error);
      else resolve({ rows: query.received, command: result.command });
    });
    if (prepared && name !== undefined) {
      closeLeastRecentlyUsed(client, name);
      query.name = name;
      query.prepared = statement;
    }
    if (timeoutMs !== undefined) query.query_timeout = timeoutMs;
    client.query(query);
  });
}
