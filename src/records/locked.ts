import type { BoundStatement, Transaction } from '../database/transaction.js';
import { PendingWrite } from './pending-write.js';
import type { RecordSql } from './record-sql.js';
import type { Resource } from './resource.js';
import type { RawVersion } from './row-reader.js';
import { RenderedRecord } from './rendered-record.js';
import type { VersionedRecord } from './versioned-record.js';

export type Changes<T extends VersionedRecord> = Partial<Omit<T, keyof VersionedRecord>>;

/**
 * The capability to write a record: its row is locked in a transaction. There is no other way to change or delete a record. The
 * guard creates one only after the record's version has matched If-Match.
 */
export class Locked<T extends VersionedRecord> {
  private constructor(
    private readonly sql: RecordSql,
    private readonly resource: Resource<T>,
    readonly row: T,
  ) {}

  /** Runs a statement that locks rows until the transaction ends. */
  static async take<T extends VersionedRecord>(
    transaction: Transaction,
    { statement, values }: BoundStatement,
    sql: RecordSql,
    resource: Resource<T>,
  ): Promise<Locked<T>[]> {
    const found = await transaction.query<RawVersion>(statement, values);
    return found.map((version) => new Locked(sql, resource, sql.rows.read(version) as T));
  }

  /** The UPDATE checks the locked version, so it could not overwrite another one even without the lock. */
  update(changes: Changes<T>, expand: readonly string[] = []): PendingWrite {
    const { id, updatedAt } = this.row;
    const flat = this.sql.flatten(changes);
    const properties = [...flat.keys()];
    return new PendingWrite({
      recordID: id,
      commands: [
        {
          statement: this.sql.update(properties, expand),
          values: [id, updatedAt, ...flat.values()],
          forMany: () => this.sql.updateMany(properties, expand),
        },
      ],
      show: (row) => RenderedRecord.from(this.resource, row, expand),
      reread: this.sql.written(expand),
    });
  }

  remove(): PendingWrite {
    const { id, updatedAt } = this.row;
    return new PendingWrite({
      recordID: id,
      commands: [{ statement: this.sql.remove(), values: [id, updatedAt] }],
      show: () => undefined,
      reread: this.sql.removed(),
    });
  }
}
