import { Inject, Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { CONFIG, type Config } from '../config/config.js';
import { Database } from '../database/database.js';
import type { Sql } from '../database/sql.js';
import type { BoundStatement, PlainRow, Statement } from '../database/statement.js';
import type { Transaction } from '../database/transaction.js';
import { erased, fieldProblem, invalidParameter, type Problem } from '../problem/problem.js';
import { canonicalID, canonicalName, isUUID } from '../validation/json-schema.js';
import { PendingWrite } from './pending-write.js';
import { MAX_COUNT, type ListRequest, type SearchStatements } from './list-sql.js';
import { keepMark, positionAfter } from './list-marks.js';
import type { FoundPage } from './paging.js';
import { recordSqls, type RecordSql } from './record-sql.js';
import { idsBySpelling, isNameOf, keyOf, notFound, notKept, type Relation, type Resource } from './resource.js';
import { Page, RenderedRecord } from './rendered-record.js';
import type { VersionedRecord } from './versioned-record.js';

export const RESOURCES = Symbol('RESOURCES');
export const RELATIONS = Symbol('RELATIONS');
export const SEARCH = Symbol('SEARCH');

type NamedRow = readonly [id: string, name: string];

export interface ListedRecord {
  json(): string;
  values(): object;
}

export interface WholeList {
  readonly list: Sql;
  readonly record: (row: PlainRow) => ListedRecord;
}

export interface ReadQuery {
  readonly q?: string | undefined;
  readonly expand?: readonly string[] | undefined;
  readonly version?: string | undefined;
}

function tooBroad(): Problem {
  const message = 'takes too long to search for: add a word, or a filter that few records match';
  return fieldProblem('INVALID_PARAMETER', [{ pointer: '?q', code: 'TOO_BROAD', message }]);
}

/** Reads, creates and locks records; `Locked` changes and deletes them. */
@Injectable()
export class Records {
  private readonly sqlOf: (resource: Resource) => RecordSql;

  constructor(
    private readonly database: Database,
    @Inject(RESOURCES) resources: readonly Resource[],
    @Inject(RELATIONS) relations: readonly Relation[],
    @Inject(SEARCH) search: SearchStatements,
    @Inject(CONFIG) { PUBLIC_URL = '' }: Config,
  ) {
    this.sqlOf = recordSqls(resources, relations, database.dataSource, search, PUBLIC_URL);
  }

  /** The record in a path, or 404. */
  async read(resource: Resource, name: string, expand: readonly string[] = []): Promise<RenderedRecord> {
    const sql = this.sqlOf(resource);
    const statement = sql.find(keyOf(resource, name), expand);
    const row =
      expand.length === 0
        ? await this.database.queryOne<PlainRow>(statement, [canonicalName(name)])
        : (await this.database.query<PlainRow>(statement, [canonicalName(name)]))[0];
    return RenderedRecord.from(resource, sql.render(row ?? (await this.absent(resource, name)), expand), expand);
  }

  readOne(resource: Resource, name: string, { expand, version }: ReadQuery): Promise<RenderedRecord> {
    if (version === undefined) return this.read(resource, name, expand);
    if (expand === undefined) return this.readVersion(resource, name, version);
    throw invalidParameter('version', 'cannot be combined with expand: expanded records have their own versions');
  }

  /** A past version of a record, which may be deleted; 404 if it never had that version, 410 if it was erased. */
  private async readVersion(resource: Resource, name: string, eTag: string): Promise<RenderedRecord> {
    const id = await this.idOf(resource, name);
    const sql = this.sqlOf(resource);
    const [row] = await this.database.query<PlainRow>(sql.version(), [id, eTag]);
    if (row && sql.isErased(row)) throw erased(`The values of this version of the ${resource.name} were erased.`);
    if (row !== undefined) return RenderedRecord.from(resource, sql.render(row));
    // The entry of the current version may be archived.
    const current = await this.read(resource, id);
    return current.eTag === eTag ? current : notFound(resource, id);
  }

  /** The id of the record in a path; 404 for an unknown alternate key. */
  async idOf(resource: Resource, name: string): Promise<string> {
    return (await this.findID(resource, name)) ?? notFound(resource, name);
  }

  /** The id of a record by name; undefined for an unknown alternate key. Does not check whether an id exists. */
  async findID(
    resource: Resource,
    name: string,
    reader: Pick<Transaction, 'query'> = this.database,
  ): Promise<string | undefined> {
    const key = keyOf(resource, name);
    if (key === 'id') return canonicalID(name);
    const [row] = await reader.query<PlainRow>(this.sqlOf(resource).idBy(key), [canonicalName(name)]);
    return row?.[0] ?? undefined;
  }

  fieldsByColumn(resource: Resource): ReadonlyMap<string, string> {
    return this.sqlOf(resource).fieldsByColumn;
  }

  /** A stored version of a record with timestamps as clients get them. */
  withMoments<Stored extends Readonly<Record<string, unknown>>>(resource: Resource, stored: Stored): Stored {
    const found = [...this.sqlOf(resource).moments].filter((column) => typeof stored[column] === 'string');
    const moments = found.map((column): [string, string] => [column, new Date(String(stored[column])).toISOString()]);
    return { ...stored, ...Object.fromEntries(moments) };
  }

  async page(resource: Resource, request: ListRequest): Promise<Page> {
    await keepMark(this.database, request);
    const sql = this.sqlOf(resource);
    const { statement, values, read } = sql.page(request);
    const page = read(await this.listRows(request, statement, values));
    const records = page.records.map((row) => sql.render(row, request.expand, request.limit).json);
    const { lastKey, monitor } = positionAfter(request, page);
    const headers = {
      ...(page.behind && { 'Waybill-Search-Behind': page.behind }),
      ...(request.count && { 'Waybill-Count': await this.count(resource, request, page) }),
    };
    return new Page(records.join(','), lastKey, 'cursor', headers, monitor);
  }

  /** The number of records on all pages, with a + if there may be more. */
  private async count(resource: Resource, request: ListRequest, { records, lastKey }: FoundPage): Promise<string> {
    if (request.after === undefined && lastKey === undefined) return String(records.length);
    const { statement, values } = this.sqlOf(resource).count(request);
    const [[found, isComplete] = []] = await this.listRows(request, statement, values);
    const number = Number(found);
    if (number > MAX_COUNT) return `${MAX_COUNT}+`;
    return isComplete === 't' ? String(number) : `${number}+`;
  }

  /** A search that takes too long is 400, because a retry would cost as much again. */
  private async listRows({ search }: ListRequest, statement: Statement, values: readonly unknown[]) {
    try {
      return await this.database.query<PlainRow>(statement, values);
    } catch (error) {
      throw search !== undefined && this.database.hasTimedOut(error) ? tooBroad() : error;
    }
  }

  /** The statement that reads a whole list, and how to read its rows. */
  whole(resource: Resource, request: ListRequest): WholeList {
    const sql = this.sqlOf(resource);
    const record = (row: PlainRow) => ({ json: () => sql.render(row).json, values: () => sql.rows.read(row) });
    return { list: sql.whole(request), record };
  }

  /** Creates a record, with a new id unless the values have one. */
  create(resource: Resource, values: Record<string, unknown>): PendingWrite {
    const sql = this.sqlOf(resource);
    const flat = sql.flatten({ id: uuidv7(), ...values });
    const id = String(flat.get('id'));
    return new PendingWrite({
      recordID: id,
      commands: [{ statement: sql.insert([...flat.keys()]), values: [...flat.values()] }],
      show: (row) => RenderedRecord.from(resource, sql.render(row)),
      reread: sql.written(id),
    });
  }

  /** Reads and renders a record that earlier statements of the same write have written. */
  written(resource: Resource, id: string): PendingWrite {
    const sql = this.sqlOf(resource);
    return new PendingWrite({
      recordID: id,
      commands: [{ statement: sql.find('id', []), values: [id] }],
      show: (row) => RenderedRecord.from(resource, sql.render(row)),
      reread: sql.written(id),
    });
  }

  async rendered(resource: Resource, kept: readonly object[]): Promise<readonly string[]> {
    if (kept.length === 0) return [];
    const sql = this.sqlOf(resource);
    const rows = await this.database.query<PlainRow>(sql.kept(), [JSON.stringify(kept)]);
    return rows.map((row) => sql.render(row).json);
  }

  tableOf(resource: Resource): string {
    return this.sqlOf(resource).table;
  }

  /** Makes sure that a record exists until the transaction ends, or throws 404. Does not block its writers. */
  async keepFromDeletion(transaction: Transaction, resource: Resource, name: string): Promise<void> {
    if (!(await this.tryToKeep(transaction, resource, name))) notFound(resource, name);
  }

  /** The same; false if it does not exist. */
  async tryToKeep(transaction: Transaction, resource: Resource, name: string): Promise<boolean> {
    const statement = this.sqlOf(resource).idBy(keyOf(resource, name), 'FOR KEY SHARE');
    return (await transaction.query(statement, [canonicalName(name)])).length > 0;
  }

  /** The ids of the named records by name, without unknown alternate keys. Ids are not looked up. */
  async idsOf(resource: Resource, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const ids = new Map(names.filter(isUUID).map((name) => [name, canonicalID(name)]));
    const others = names.filter((name) => !isUUID(name) && isNameOf(resource, name));
    if (others.length === 0) return ids;
    const values = [[], others.map(canonicalName)];
    const found = await this.database.query<NamedRow>(this.sqlOf(resource).namesAmong(), values);
    const known = new Map(found.map(([id, name]) => [name, id]));
    return new Map([...ids, ...idsBySpelling(others, known)]);
  }

  /** Locks the existing records among the names until the transaction ends, and returns their names. */
  lockParents(transaction: Transaction, resource: Resource, names: readonly string[]): Promise<ReadonlySet<string>> {
    return this.namesBy(this.sqlOf(resource).lockParents(), names, transaction);
  }

  /** The same without locking them. */
  namesAmong(resource: Resource, names: readonly string[]): Promise<ReadonlySet<string>> {
    return this.namesBy(this.sqlOf(resource).namesAmong(), names, this.database);
  }

  private async namesBy(statement: Statement, names: readonly string[], reader: Pick<Transaction, 'query'>) {
    const ids = names.filter(isUUID);
    const others = names.filter((name) => !isUUID(name)).map(canonicalName);
    const found = await reader.query<NamedRow>(statement, [ids, others]);
    const known = new Set(found.flat());
    return new Set(names.filter((name) => known.has(canonicalName(name))));
  }

  /** The record in a path with all stored values, unlocked, or 404 or 410. */
  async current(resource: Resource, name: string): Promise<VersionedRecord> {
    return (await this.find(resource, name)) ?? this.absent(resource, name);
  }

  /** The same; undefined if it does not exist. */
  async find(resource: Resource, name: string): Promise<VersionedRecord | undefined> {
    const sql = this.sqlOf(resource);
    const found = await this.database.queryOne<PlainRow>(sql.current(keyOf(resource, name)), [canonicalName(name)]);
    return found && sql.rows.read(found);
  }

  /** The existing records among the ids, unlocked. */
  currentAll<T extends VersionedRecord>(resource: Resource<T>, ids: readonly string[]): Promise<readonly T[]> {
    return this.readAll(resource, this.sqlOf(resource).currentAll(), [ids]);
  }

  /** The records at these versions, except versions that history does not contain. */
  versionsOf<T extends VersionedRecord>(
    resource: Resource<T>,
    named: readonly { readonly id: string; readonly eTag: string }[],
  ): Promise<readonly T[]> {
    const values = [named.map(({ id }) => id), named.map(({ eTag }) => eTag)];
    return this.readAll(resource, this.sqlOf(resource).versions(), values);
  }

  /** Locks the record in a path until the transaction ends, or throws 404. */
  async lock<T extends VersionedRecord>(
    transaction: Transaction,
    resource: Resource<T>,
    name: string,
  ): Promise<Locked<T>> {
    const sql = this.sqlOf(resource);
    const command = { statement: sql.lock(keyOf(resource, name)), values: [canonicalName(name)] };
    const [locked] = await Locked.take<T>(transaction, command, sql);
    return locked ?? this.absent(resource, name, transaction);
  }

  /** Locks the record in a path if it has one of these versions; undefined otherwise. */
  async lockVersion<T extends VersionedRecord>(
    transaction: Transaction,
    resource: Resource<T>,
    name: string,
    eTags: readonly string[],
  ): Promise<Locked<T> | undefined> {
    const sql = this.sqlOf(resource);
    const command = { statement: sql.lockVersion(keyOf(resource, name)), values: [canonicalName(name), eTags] };
    const [locked] = await Locked.take<T>(transaction, command, sql);
    return locked;
  }

  /** Locks the existing records among the ids, in id order, until the transaction ends. */
  async lockAll<T extends VersionedRecord>(
    transaction: Transaction,
    resource: Resource<T>,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, Locked<T>>> {
    if (ids.length === 0) return new Map();
    const sql = this.sqlOf(resource);
    const locked = await Locked.take<T>(transaction, { statement: sql.lockAll(), values: [ids] }, sql);
    return new Map(locked.map((each) => [each.row.id, each]));
  }

  private async readAll<T extends VersionedRecord>(
    resource: Resource<T>,
    statement: Statement,
    values: readonly unknown[],
  ): Promise<readonly T[]> {
    const { rows } = this.sqlOf(resource);
    const found = await this.database.query<PlainRow>(statement, values);
    return found.map((version) => rows.read(version) as T);
  }

  /** 410 for a record that the service deleted after its retention, 404 for any other. */
  private async absent(resource: Resource, name: string, reader: Pick<Transaction, 'query'> = this.database) {
    if (resource.retention === undefined) return notFound(resource, name);
    const found = await reader.query(this.sqlOf(resource).existed(), [name]);
    return found.length > 0 ? notKept(resource) : notFound(resource, name);
  }
}

export type Changes<T extends VersionedRecord> = Partial<Omit<T, keyof VersionedRecord>>;

/**
 * The capability to write a record: its row is locked in a transaction. There is no other way to change or delete a record. The
 * guard creates one only after the record's version has matched If-Match.
 */
export class Locked<T extends VersionedRecord> {
  private constructor(
    private readonly sql: RecordSql,
    readonly row: T,
  ) {}

  /** Runs a statement that locks rows until the transaction ends. */
  static async take<T extends VersionedRecord>(
    transaction: Transaction,
    { statement, values }: BoundStatement,
    sql: RecordSql,
  ): Promise<Locked<T>[]> {
    const found = await transaction.query<PlainRow>(statement, values);
    return found.map((version) => new Locked(sql, sql.rows.read(version) as T));
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
      show: (row) => RenderedRecord.from(this.sql.resource, this.sql.render(row, expand), expand),
      reread: this.sql.written(id, expand),
    });
  }

  remove(): PendingWrite {
    const { id, updatedAt } = this.row;
    return new PendingWrite<RenderedRecord>({
      recordID: id,
      commands: [{ statement: this.sql.remove(), values: [id, updatedAt] }],
      show: () => undefined,
      reread: this.sql.written(id),
    });
  }
}
