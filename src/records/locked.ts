import type { Transaction } from '../database/transaction.js';
import { Change } from './change.js';
import type { RecordSql } from './record-sql.js';
import { keyOf, notFound, type Resource } from './resource.js';
import type { StoredRow } from './row-reader.js';
import { Stored } from './stored.js';
import type { ETag } from './version.js';
import type { VersionedRecord } from './versioned-record.js';

/** What a statement returns that locks a record. */
interface LockedRow {
  readonly row: StoredRow;
  readonly eTag: ETag;
}

export type Changes<T extends VersionedRecord> = Partial<Omit<T, keyof VersionedRecord>>;

/**
 * The capability to write a record. Whoever holds one has found the record and holds its row lock in a transaction. There is
 * no other way to change or delete a record; the guard hands it out only after the record's version passed If-Match.
 */
export class Locked<T extends VersionedRecord> {
  private constructor(
    private readonly sql: RecordSql,
    private readonly resource: Resource<T>,
    readonly row: T,
  ) {}

  /** Locks the record that a path names until the transaction ends, or throws 404. */
  static async take<T extends VersionedRecord>(
    sql: RecordSql,
    transaction: Transaction,
    resource: Resource<T>,
    name: string,
  ): Promise<Locked<T>> {
    const [found] = await transaction.query<LockedRow>(sql.lock(keyOf(resource, name)), [name]);
    const { row: stored, eTag } = found ?? notFound(resource, name);
    return new Locked(sql, resource, sql.rows.read(stored, eTag) as T);
  }

  /** The UPDATE names the version that was locked, so it could not overwrite another one even without the lock. */
  update(changes: Changes<T>, expand: readonly string[] = []): Change {
    const { id, updatedAt } = this.row;
    const flat = this.sql.flatten(changes);
    return new Change({
      recordID: id,
      commands: [{ statement: this.sql.update([...flat.keys()], expand), values: [id, updatedAt, ...flat.values()] }],
      show: (row) => Stored.from(this.resource, row, expand),
      reread: this.sql.written(expand),
    });
  }

  remove(): Change {
    const { id, updatedAt } = this.row;
    return new Change({
      recordID: id,
      commands: [{ statement: this.sql.remove(), values: [id, updatedAt] }],
      show: () => undefined,
      reread: this.sql.removed(),
    });
  }
}
