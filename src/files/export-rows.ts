import type { PoolClient } from 'pg';
import Cursor from 'pg-cursor';

export interface Query {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Small enough to take little memory even with texts of maximum length. */
const ROWS_AT_ONCE = 200;

/**
 * The rows of one statement, read in batches from one snapshot. The connection is not reused: closing it ends the transaction, even
 * during a statement, because PostgreSQL checks every second whether its client is still connected.
 */
export class ExportRows {
  private cursor: Cursor<{ json: string }> | undefined;
  private isClosed = false;

  constructor(
    private readonly client: PoolClient,
    /** Called once, when the connection is closed. */
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

  /** The JSON of the next records; empty at the end. */
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
