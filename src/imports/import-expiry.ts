import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { OTHER_AUTHORS } from '../auth/subjects.js';
import { Database } from '../database/database.js';
import { namedStatement } from '../database/statement.js';
import { Housekeeping } from '../operations/housekeeping.js';
import { Records } from '../records/records.js';
import { UnitOfWork } from '../writes/unit-of-work.js';
import { ImportRows } from './import-rows.js';
import { IMPORTS, isExpired } from '../model/import.entity.js';

const HOUSEKEEPING = { subject: OTHER_AUTHORS.housekeeping };

const EXPIRED = namedStatement('imports_expired')`
  SELECT id FROM imports WHERE state <> 'applying' AND expires_at < now()`;

/**
 * The ids of deleted imports and aborted uploads that still have rows: rows without an import, older than a day. An id begins with its
 * creation time. Each step of the recursion finds the next id in the index.
 */
const ROWS_LEFT_BEHIND = namedStatement('import_rows_left_behind')`
  WITH RECURSIVE ids AS (
    (SELECT import_id FROM import_rows ORDER BY import_id LIMIT 1)
    UNION ALL
    SELECT (SELECT r.import_id FROM import_rows r WHERE r.import_id > ids.import_id ORDER BY r.import_id LIMIT 1)
    FROM ids WHERE ids.import_id IS NOT NULL
  )
  SELECT import_id AS id FROM ids
  WHERE import_id IS NOT NULL AND NOT EXISTS (SELECT FROM imports WHERE id = import_id)
    AND left(replace(import_id::text, '-', ''), 12) < lpad(to_hex((extract(epoch FROM now() - interval '1 day') * 1000)::bigint), 12, '0')`;

@Injectable()
export class ImportExpiry {
  constructor(
    housekeeping: Housekeeping,
    private readonly database: Database,
    private readonly records: Records,
    private readonly rows: ImportRows,
    private readonly units: UnitOfWork,
  ) {
    housekeeping.add('Deleting expired imports', () => this.tidy());
  }

  private async tidy(): Promise<void> {
    for (const { id } of await this.database.query<{ id: string }>(EXPIRED)) await this.delete(id);
    for (const { id } of await this.database.query<{ id: string }>(ROWS_LEFT_BEHIND)) await this.rows.delete(id);
  }

  private async delete(id: string): Promise<void> {
    await this.units.run({ requestID: randomUUID(), caller: HOUSEKEEPING }, async (unit) => {
      const [expired] = (await this.records.lockAll(unit.transaction, IMPORTS, [id])).values();
      // It may have been applied before it was locked.
      if (expired !== undefined && isExpired(expired.row)) await unit.commit(expired.remove());
    });
    await this.rows.delete(id);
  }
}
