import { Query, type PoolClient, type QueryResult } from 'pg';

/** A statement. PostgreSQL parses and plans one that has a name once per connection; the name is unique for its text. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
}

/** How statements are sent. */
export interface Manner {
  /** Off where a connection pooler does not know statements by name. */
  readonly prepared: boolean;
  /** What each transaction sets for itself, when its connection cannot bring it along. */
  readonly settings: Readonly<Record<string, number>>;
}

/**
 * Sends a statement, and destroys the connection when there is no answer in time. As an object of pg's own, because it takes a
 * configuration only after it has copied it property by property, which costs as much as all else it does.
 */
export function send<Row extends object>(
  client: PoolClient,
  { name, text }: Statement,
  values: readonly unknown[],
  { prepared }: Manner,
  timeoutMs: number,
): Promise<QueryResult<Row>> {
  return new Promise((resolve, reject) => {
    const query: Sent<Row> = new Query<Row>(text, [...values], (error, result) => {
      if (error) reject(error);
      else resolve(result);
    });
    if (prepared && name !== undefined) query.name = name;
    query.query_timeout = timeoutMs;
    client.query(query);
  });
}

/** What pg reads from a query besides its text and values. */
type Sent<Row extends object> = Query<Row> & { name?: string; query_timeout?: number };
