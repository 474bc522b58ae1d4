import type { Transaction } from '../database/transaction.js';
import type { RecordSql } from './record-sql.js';
import { keyOf, notFound, type Resource } from './resource.js';
import type { StoredRow } from './row-reader.js';
import { Stored, type AnswerRow } from './stored.js';
import type { ETag } from './version.js';
import type { VersionedRecord } from './versioned-record.js';

/** Decides on the row that was found, under its lock, whether the request may go on; throws when it may not. */
export type Judge<T> = (row: T) => void | Promise<void>;

/** What a statement returns that locks a record. */
interface LockedRow {
  readonly row: StoredRow;
  readonly eTag: ETag;
}

export type Changes<T extends VersionedRecord> = Partial<Omit<T, keyof VersionedRecord>>;

/**
 * The key to a write. Who holds one has found the record, locked it against other writers, and passed the judge,
 * all in the transaction that the write will be part of. There is no other way to change or remove a record.
 */
export class Locked<T extends VersionedRecord> {
  private constructor(
    private readonly sql: RecordSql,
    readonly transaction: Transaction,
    private readonly resource: Resource<T>,
    readonly row: T,
  ) {}

  static async take<T extends VersionedRecord>(
    sql: RecordSql,
    transaction: Transaction,
    resource: Resource<T>,
    name: string,
    judge: Judge<T>,
  ): Promise<Locked<T>> {
    const [found] = await transaction.query<LockedRow>(sql.lock(keyOf(resource, name)), [name]);
    const { row: stored, eTag } = found ?? notFound(resource, name);
    const row = sql.rows.read(stored, eTag) as T;
    await judge(row);
    return new Locked(sql, transaction, resource, row);
  }

  /** Changes the record, as the last thing that is done for the request: what comes after it cannot take it back. */
  async update(changes: Changes<T>, expand: readonly string[] = []): Promise<Stored> {
    const flat = this.sql.flatten(changes);
    const statement = this.sql.update([...flat.keys()], expand);
    const [row] = await this.transaction.last<AnswerRow>(statement, [this.row.id, ...flat.values()]);
    return Stored.from(this.resource, row ?? notFound(this.resource, this.row.id), expand);
  }

  /** Removes the record, as the last thing, too. */
  async remove(): Promise<void> {
    await this.transaction.last(this.sql.remove(), [this.row.id]);
  }
}
