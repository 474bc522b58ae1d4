import { Query, types, type PoolClient } from 'pg';
import { closeLeastRecentlyUsed } from './prepared-statements.js';

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
  { prepared }: Manner,
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

interface Column {
  readonly name: string;
  readonly dataTypeID: Parameters<typeof types.getTypeParser>[0];
}

/** The columns of an answer, and how their texts are read. */
type Shape = readonly (readonly [name: string, read: (text: string) => unknown])[];

/** Of the prepared statements, for as long as somebody keeps them. */
const shapes = new WeakMap<Statement, Shape>();

/**
 * A query as pg makes them, for half the price: made here, because pg takes a configuration only after it has copied it property
 * by property, and with the columns of a prepared statement found out once, because pg does it for each answer.
 */
class LeanQuery<Row extends object> extends Query<Row> {
  // What pg reads from a query besides its text and values.
  declare name?: string;
  declare query_timeout?: number;

  /** Whose columns are the same each time. */
  prepared: Statement | undefined;
  readonly received: Row[] = [];
  private shape: Shape = [];

  /** Called by pg before the rows. */
  handleRowDescription({ fields }: { fields: readonly Column[] }): void {
    const known = this.prepared && shapes.get(this.prepared);
    this.shape = known ?? fields.map(({ name, dataTypeID }) => [name, types.getTypeParser(dataTypeID, 'text')]);
    if (this.prepared) shapes.set(this.prepared, this.shape);
  }

  /** Called by pg with each row. */
  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    const row: Record<string, unknown> = {};
    for (const [index, [name, read]] of this.shape.entries()) {
      const text = fields[index] ?? null;
      row[name] = text === null ? null : read(text);
    }
    this.received.push(row as Row);
  }
}
