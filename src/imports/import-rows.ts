import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import type { BoundStatement, Transaction } from '../database/transaction.js';
import type { FinishedRow, ImportRow, Outcome } from './import-row.js';
import { DELETE_ROWS, FINISH_ROWS, HEADER, INSERT_ROWS, ROWS_AFTER } from './import-rows-sql.js';
import type { Header } from './reading/file-row.js';

type Reader = Pick<Transaction, 'query'>;

export interface RowsRequest {
  readonly after: number;
  readonly outcomes: readonly Outcome[];
  readonly limit: number;
}

/** The row that stores a header. */
interface HeaderRow {
  readonly line: 1;
  readonly outcome: 'header';
  readonly sent: Pick<Header, 'delimiter' | 'names'>;
}

/** Stores and reads the rows of imports. */
@Injectable()
export class ImportRows {
  constructor(private readonly database: Database) {}

  async addHeader(importID: string, { delimiter, names }: Header): Promise<void> {
    await this.add(importID, [{ line: 1, outcome: 'header', sent: { delimiter, names } }]);
  }

  async add(importID: string, rows: readonly (ImportRow | HeaderRow)[]): Promise<void> {
    await this.database.query(INSERT_ROWS, [importID, JSON.stringify(rows)]);
  }

  /** Deletes the rows of an import, unless it exists. */
  async delete(importID: string): Promise<void> {
    await this.database.query(DELETE_ROWS, [importID]);
  }

  after(
    importID: string,
    { after, outcomes, limit }: RowsRequest,
    reader: Reader = this.database,
  ): Promise<readonly ImportRow[]> {
    return reader.query<ImportRow>(ROWS_AFTER, [importID, after, outcomes, limit]);
  }

  /** The delimiter and column names of a CSV file. */
  async header(importID: string): Promise<HeaderRow['sent'] | undefined> {
    const [row] = await this.database.query<HeaderRow>(HEADER, [importID]);
    return row?.sent;
  }

  /** Stores outcomes in the transaction of their writes. */
  finish(importID: string, rows: readonly FinishedRow[]): BoundStatement {
    return { statement: FINISH_ROWS, values: [importID, JSON.stringify(rows)] };
  }
}
