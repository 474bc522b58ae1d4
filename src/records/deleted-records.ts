import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { namedStatement, type Statement } from '../database/statement.js';
import type { Transaction } from '../database/transaction.js';
import { requireDeletion } from '../etag/preconditions.js';
import type { ETag } from '../etag/entity-tags.js';
import { erased, Problem } from '../problem/problem.js';
import { retryableError } from '../problem/database-problem.js';
import { canonicalID, canonicalName } from '../validation/json-schema.js';
import { PendingWrite } from './pending-write.js';
import { Records } from './records.js';
import { idsBySpelling, keyOf, notFound, type Resource } from './resource.js';

/** What the database knows of the record with an id; null for what there is not. */
interface FoundRow {
  readonly id: string;
  readonly deletedAt: string | null;
  readonly deletionETag: ETag | null;
  readonly isErased: boolean | null;
  readonly parentID: string | null;
  readonly currentETag: ETag | null;
  readonly existed: boolean;
  readonly restoredBy: string | null;
  readonly restoredAt: string | null;
}

/** Newest entries among which the restoration of a record is looked for, if it has been changed since. */
const MAX_ENTRIES = 1000;

@Injectable()
export class DeletedRecords {
  private readonly statements = new Map<Resource, Statement>();

  constructor(
    private readonly records: Records,
    private readonly database: Database,
  ) {}

  /** The deleted record in a path; 404 if it never existed, 410 if it cannot come back, 409 if it is not deleted. */
  async find(transaction: Transaction, resource: Resource, name: string): Promise<Deleted> {
    const id = await this.idOf(transaction, resource, name);
    const found = (await this.findAll(transaction, resource, [id])).get(id);
    if (found instanceof Problem) throw found;
    return found ?? notFound(resource, name);
  }

  /** The same for many records: each id with the deleted record, or why it cannot be restored. */
  async findAll(
    transaction: Transaction,
    resource: Resource,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, Deleted | Problem | undefined>> {
    const rows = await transaction.query<FoundRow>(this.statementOf(resource), [ids]);
    return new Map(rows.map((row) => [row.id, this.deletedOf(resource, row)]));
  }

  /** The same, and keeps out other undeletes and erasures of these roots until the transaction ends. Locks in id order. */
  async lockAll(
    transaction: Transaction,
    resource: Resource,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, Deleted | Problem | undefined>> {
    if (ids.length === 0) return new Map();
    await transaction.query(LOCK_DELETIONS, [[...ids].sort()]);
    return this.findAll(transaction, resource, ids);
  }

  /** For those of the ids that have a deletion which can be undone: a 404 that says so. */
  async whyMissing(
    resource: Resource,
    ids: readonly string[],
    reader: Pick<Transaction, 'query'> = this.database,
  ): Promise<ReadonlyMap<string, Problem>> {
    if (ids.length === 0) return new Map();
    const found = await reader.query<{ id: string }>(AMONG_IDS, [ids, resource.name]);
    return new Map(
      found.map(({ id }) => {
        const restorePath = `${resource.path}/${id}/undelete`;
        return [id, new Problem('NOT_FOUND', `The ${resource.name} was deleted. POST ${restorePath} restores it.`)];
      }),
    );
  }

  /** The ids of deleted records among these codes, by code. */
  async idsOf(codes: readonly string[], resource: Resource): Promise<ReadonlyMap<string, string>> {
    if (codes.length === 0) return new Map();
    const values = [codes.map(canonicalName), resource.name];
    const found = await this.database.query<{ id: string; code: string }>(AMONG_CODES, values);
    return new Map(idsBySpelling(codes, new Map(found.map(({ code, id }) => [code, id]))));
  }

  /** Makes sure that the parent exists until the transaction ends, or throws 409. */
  async keepParent(transaction: Transaction, deleted: Deleted): Promise<void> {
    const { parent } = deleted;
    if (parent === undefined || (await this.records.tryToKeep(transaction, parent, deleted.parentID))) return;
    throw await this.parentDeleted(transaction, deleted);
  }

  /** 409 for a record whose parent was deleted. */
  async parentDeleted(transaction: Transaction, { resource, parent, parentID: id }: Deleted): Promise<Problem> {
    if (parent === undefined) throw new Error(`A ${resource.name} has no parent`);
    const state = (await this.findAll(transaction, parent, [id])).get(id);
    // It was restored a moment ago.
    if (state instanceof Problem && state.code === 'NOT_DELETED') throw retryableError('The parent exists after all');
    const was = `The ${parent.name} of this ${resource.name} was deleted`;
    if (!(state instanceof Deleted)) return new Problem('PARENT_DELETED', `${was} and cannot be restored.`);
    const restorePath = `${parent.path}/${id}/undelete`;
    return new Problem('PARENT_DELETED', `${was}. Restore the ${parent.name} first.`, { members: { restorePath } });
  }

  /** The id of the record with a code: a deleted one, or one that exists. */
  private async idOf(transaction: Transaction, resource: Resource, name: string): Promise<string> {
    if (keyOf(resource, name) === 'id') return canonicalID(name);
    const [deleted] = await transaction.query<{ id: string }>(BY_CODE, [canonicalName(name), resource.name]);
    return deleted?.id ?? (await this.records.findID(resource, name, transaction)) ?? notFound(resource, name);
  }

  private deletedOf(resource: Resource, row: FoundRow): Deleted | Problem | undefined {
    const { id, deletedAt, deletionETag, parentID, currentETag, restoredBy, restoredAt } = row;
    if (currentETag !== null) {
      const isRestored = restoredBy !== null;
      const detail = `The ${resource.name} exists${isRestored ? ': it was restored' : ''}.`;
      const members = { currentETag, ...(isRestored && { restoredBy, restoredAt }) };
      return new Problem('NOT_DELETED', detail, { members });
    }
    if (row.isErased === true) return erased(`The values of the deleted ${resource.name} were erased.`);
    if (deletedAt !== null && deletionETag !== null) {
      return new Deleted(this.records, resource, { id, deletedAt, deletionETag, parentID: parentID ?? '' });
    }
    return row.existed ? new Problem('NOT_KEPT', NOT_KEPT) : undefined;
  }

  private statementOf(resource: Resource): Statement {
    const known = this.statements.get(resource);
    if (known !== undefined) return known;
    const statement = deletedSql(resource, this.records.tableOf(resource));
    this.statements.set(resource, statement);
    return statement;
  }
}

const NOT_KEPT =
  'A deleted record can be restored until the month of its deletion is archived, and only if it was deleted after the service kept deletions.';

const BY_CODE = namedStatement('deleted_by_code')`
  SELECT record_id AS id FROM deletions WHERE code = $1 AND record_kind = $2`;

const AMONG_IDS = namedStatement('deleted_among_ids')`
  SELECT record_id AS id FROM deletions WHERE record_id = ANY ($1) AND record_kind = $2 AND record IS NOT NULL`;

const AMONG_CODES = namedStatement('deleted_among_codes')`
  SELECT record_id AS id, code FROM deletions WHERE code = ANY ($1) AND record_kind = $2`;

/** The lock of a root, for an undelete or an erasure; the trigger takes it, too. */
export const LOCK_OF_ROOT = `pg_advisory_xact_lock(hashtextextended('deletions of ' || root.id, 0))`;

const LOCK_DELETIONS = namedStatement('lock_deletions')`SELECT ${LOCK_OF_ROOT} FROM unnest($1::uuid[]) AS root (id)`;

/** The state of the records with the ids $1. The feed is never archived, so it knows every record but those of the last moments. */
export function deletedSql({ name: kind, undelete }: Resource, table: string): Statement {
  const parentID = undelete?.parent === undefined ? 'NULL' : `d.record ->> '${undelete.parent.column}'`;
  return namedStatement(`deleted_${kind}s`)`
    SELECT named.id, iso_ms(d.deleted_at) AS "deletedAt", etag_of(d.deleted_at) AS "deletionETag", d.record_id IS NOT NULL AND d.record IS NULL AS "isErased",
      ${parentID} AS "parentID", current.e_tag AS "currentETag",
      EXISTS (SELECT FROM events e WHERE e.record_id = named.id AND e.kind = '${kind}')
        OR EXISTS (SELECT FROM history h WHERE h.record_id = named.id AND h.record_kind = '${kind}') AS existed,
      restored.changed_by AS "restoredBy", iso_ms(restored.changed_at) AS "restoredAt"
    FROM unnest($1::uuid[]) AS named (id)
    LEFT JOIN LATERAL (
      SELECT * FROM deletions WHERE record_id = named.id AND record_kind = '${kind}' ORDER BY position DESC LIMIT 1
    ) d ON true
    LEFT JOIN LATERAL (
      SELECT etag_of(r.updated_at) AS e_tag, r.updated_at, r.${rootColumn(undelete)} AS root_id FROM ${table} r WHERE r.id = named.id
    ) current ON true
    LEFT JOIN LATERAL (
      SELECT changed_by, changed_at FROM (
        (
          SELECT record_id, type, changed_by, changed_at, position FROM history h
          WHERE h.root_id = current.root_id ORDER BY h.position DESC LIMIT ${MAX_ENTRIES}
        )
        UNION ALL
        -- The entry of the current version: those of restored children come after that of their parent, however many they are.
        SELECT record_id, type, changed_by, changed_at, position FROM history h
        WHERE h.record_id = named.id AND h.e_tag = decode(current.e_tag, 'hex') AND h.changed_at = current.updated_at
      ) h
      WHERE h.record_id = named.id AND h.type = 'restored' ORDER BY h.position DESC LIMIT 1
    ) restored ON true`;
}

function rootColumn(undelete: Resource['undelete']): string {
  return undelete?.parent?.isRoot === true ? undelete.parent.column : 'id';
}

interface Deletion {
  readonly id: string;
  readonly deletedAt: string;
  readonly deletionETag: ETag;
  readonly parentID: string;
}

/** The capability to restore a deleted record. */
export class Deleted {
  constructor(
    private readonly records: Records,
    readonly resource: Resource,
    /** Named like that of `Locked`. */
    readonly row: Deletion,
  ) {}

  /** The kind of the record that must exist; undefined if none must. */
  get parent(): Resource | undefined {
    return this.resource.undelete?.parent?.resource;
  }

  get parentID(): string {
    return this.row.parentID;
  }

  /** Checks the preconditions against the deletion: 428, 400 or 412. */
  requireVersion(headers: IncomingHttpHeaders): void {
    requireDeletion(headers, this.row.deletionETag);
  }

  /** Rules that are newer than the deletion apply, too. */
  private outdated(): Problem {
    const message = 'keeps values that are no longer permitted';
    const detail = `The deletion ${message}, so the ${this.resource.name} cannot be restored. Nothing was written.`;
    const errors = [{ pointer: '', code: 'NOT_ALLOWED', message }];
    return new Problem('VALIDATION_FAILED', detail, { members: { errors, errorCount: errors.length } });
  }

  /** A trigger takes the values. If the deletion is no longer there, the work is retried. */
  restore(): PendingWrite {
    const { id, deletedAt } = this.row;
    const command = { statement: RESTORE, values: [this.resource.name, id, deletedAt] };
    return this.records
      .written(this.resource, id)
      .preceded([command])
      .rejectedWith(this.resource.undelete?.rejections ?? {}, () => this.outdated());
  }
}

const RESTORE = namedStatement('undelete')`
  INSERT INTO undeletions (record_kind, record_id, deleted_at) VALUES ($1, $2, $3)`;
