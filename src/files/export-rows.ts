import type { PoolClient } from 'pg';
import Cursor from 'pg-cursor';

/** A statement that reads records as JSON, and its values. */
export interface Query {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Few enough to take little memory also when every text is as long as it may be. */
const ROWS_AT_ONCE = 200;

/**
 * The rows of one statement, read a few at a time from one snapshot. Their connection is not used again, whatever state it is in: closing it
 * ends the transaction, also in the middle of a statement, because PostgreSQL looks every second whether its client is still there.
 */
export class ExportRows {
  private cursor: Cursor<{ json: string }> | undefined;
  private isClosed = false;

  constructor(
    private readonly client: PoolClient,
    /** Called once, when the connection is given up. */
    private readonly closed: () => void,
  ) {}

  async open({ text, values }: Query, timeoutMs: number): Promise<void> {
    await this.client.query(`
      BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
      SET LOCAL statement_timeout = ${timeoutMs};
      SET LOCAL idle_in_transaction_session_timeout = ${timeoutMs};
      SET LOCAL client_connection_check_interval = 1000`);
    this.cursor = this.client.query(new Cursor<{ json: string }>(text, [...values]));
  }

  /** The JSON of the next records; none when there are no more. */
  async read(): Promise<readonly string[]> {
    const rows = (await this.cursor?.read(ROWS_AT_ONCE)) ?? [];
    return rows.map(({ json }) => json);
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.client.release(true);
    this.closed();
  }
}
