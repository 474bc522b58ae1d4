import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { namedStatement, type BoundStatement } from '../database/statement.js';
import type { Transaction } from '../database/transaction.js';
import { notKept } from '../records/resource.js';
import type { FinishedRow, ImportRow, Outcome } from './import-row.js';
import { IMPORTS } from '../model/import.entity.js';
import type { Header } from './reading/file-format.js';

const INSERT_ROWS = namedStatement('import_rows_insert')`
  INSERT INTO import_rows (import_id, line, outcome, record_id, e_tag, sent, body, base, problem, current)
  SELECT $1::uuid, r.* FROM json_to_recordset($2::json) AS r (
    line integer, outcome text, "recordID" uuid, "eTag" text, sent json, body json, base json, problem json, current json
  )`;

/** Keeps the sent values of refused rows only. */
const FINISH_ROWS = namedStatement('import_rows_finish')`
  UPDATE import_rows SET
    outcome = r.outcome, record_id = r."recordID", problem = r.problem, current = r.current,
    sent = CASE r.outcome WHEN 'refused' THEN import_rows.sent END
  FROM json_to_recordset($2::json) AS r (line integer, outcome text, "recordID" uuid, problem json, current json)
  WHERE import_id = $1 AND import_rows.line = r.line`;

const ROWS_AFTER = namedStatement('import_rows_after')`
  SELECT
    line, outcome, record_id AS "recordID", e_tag AS "eTag", sent, body, base, problem, current, erased,
    (SELECT s.shipment_code FROM shipments s WHERE s.id = record_id) AS "shipmentCode"
  FROM import_rows
  WHERE import_id = $1 AND line > $2::bigint AND outcome = ANY ($3::text[]) ORDER BY line LIMIT $4`;

const HEADER = namedStatement('import_rows_header')`
  SELECT sent FROM import_rows WHERE import_id = $1 AND outcome = 'header' ORDER BY line LIMIT 1`;

/** Rows to delete in one statement, so that the deletion of a large import blocks nobody. */
const ROWS_PER_STEP = 1000;

/** Deletes the next rows after the line $2 and returns the last of them, unless the import exists. */
const DELETE_ROWS = namedStatement('import_rows_delete')`
  WITH step AS MATERIALIZED (
    SELECT max(line) AS last FROM (
      SELECT line FROM import_rows
      WHERE import_id = $1 AND line > $2 AND NOT EXISTS (SELECT FROM imports WHERE id = $1) ORDER BY line LIMIT ${ROWS_PER_STEP}
    ) next
  ), deleted AS (
    DELETE FROM import_rows WHERE import_id = $1 AND line > $2 AND line <= (SELECT last FROM step)
  )
  SELECT last FROM step`;

interface HeaderRow {
  readonly line: 1;
  readonly outcome: 'header';
  readonly sent: Pick<Header, 'delimiter' | 'names'>;
}

@Injectable()
export class ImportRows {
  constructor(private readonly database: Database) {}

  async addHeader(importID: string, { delimiter, names }: Header): Promise<void> {
    await this.add(importID, [{ line: 1, outcome: 'header', sent: { delimiter, names } }]);
  }

  async add(importID: string, rows: readonly (ImportRow | HeaderRow)[]): Promise<void> {
    await this.database.query(INSERT_ROWS, [importID, JSON.stringify(rows)]);
  }

  async delete(importID: string): Promise<void> {
    for (let last: number | null = 0; last !== null;) {
      const [step]: readonly { last: number | null }[] = await this.database.query(DELETE_ROWS, [importID, last]);
      last = step?.last ?? null;
    }
  }

  after(
    importID: string,
    { after, outcomes, limit }: { after: number; outcomes: readonly Outcome[]; limit: number },
    reader: Pick<Transaction, 'query'> = this.database,
  ): Promise<readonly ImportRow[]> {
    return reader.query<ImportRow>(ROWS_AFTER, [importID, after, outcomes, limit]);
  }

  /** The delimiter and column names of a CSV file; 410 if its import was deleted. */
  async header(importID: string): Promise<HeaderRow['sent']> {
    const [row] = await this.database.query<HeaderRow>(HEADER, [importID]);
    return row?.sent ?? notKept(IMPORTS);
  }

  /** Stores outcomes in the transaction of their writes. */
  finish(importID: string, rows: readonly FinishedRow[]): BoundStatement {
    return { statement: FINISH_ROWS, values: [importID, JSON.stringify(rows)] };
  }
}
