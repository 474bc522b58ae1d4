import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { newRequestID } from '../http/request-context.js';
import { Housekeeping } from '../operations/housekeeping.js';
import { Records } from '../records/records.js';
import { UnitOfWork } from '../writes/unit-of-work.js';
import { EXPIRED, ROWS_LEFT_BEHIND } from './import-rows-sql.js';
import { ImportRows } from './import-rows.js';
import { IMPORTS } from './import.entity.js';

/** The author in history for the deletion of expired imports. */
const HOUSEKEEPING = { subject: 'housekeeping' };

/** Deletes expired imports, and orphaned rows. */
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
    await this.units.run({ requestID: newRequestID(), caller: HOUSEKEEPING }, async (unit) => {
      const [expired] = (await this.records.lockAll(unit.transaction, IMPORTS, [id])).values();
      await unit.commit(expired?.remove());
    });
    await this.rows.delete(id);
  }
}
