import { Injectable } from '@nestjs/common';
import { BulkPlanner, type Stale } from '../bulk/bulk-planner.js';
import { MOVES } from '../model/move.entity.js';
import { invalidField, Problem } from '../problem/problem.js';
import { DeletedRecords } from '../records/deleted-records.js';
import { Records } from '../records/records.js';
import { isNameOf, notFound } from '../records/resource.js';
import { isETag, isUUID } from '../validation/json-schema.js';
import { SHIPMENTS, type Shipment } from '../model/shipment.entity.js';
import { baseOf, itemOf, mergedWith, mergeWith, refusal, type ImportRow } from './import-row.js';
import type { FileRow } from './reading/file-format.js';
import type { ReformattedCells } from './reformatted-cells.js';
import { differences, readRow, type Json, type ReadRow } from './row-values.js';
import { MALFORMED_FILE } from './import-problems.js';

/** The records that a batch of rows refers to. */
interface Known {
  readonly current: ReadonlyMap<string, Shipment>;
  /** The older versions of shipments that rows name, by id and eTag. */
  readonly past: ReadonlyMap<string, Shipment>;
  readonly moves: ReadonlySet<string>;
  /** The deleted shipments. */
  readonly missing: ReadonlyMap<string, Problem>;
}

export interface FileUnderCheck {
  /** The ids of earlier rows. */
  readonly seen: Set<string>;
  readonly cells: ReformattedCells;
}

type Planned = Pick<ImportRow, 'outcome' | 'recordID' | 'eTag' | 'body' | 'base'>;

const NOTHING = { recordID: null, eTag: null, body: null, base: null };

/** Determines the effect of each row of a file, without locking or writing anything. */
@Injectable()
export class DryRun {
  constructor(
    private readonly records: Records,
    private readonly deleted: DeletedRecords,
    private readonly planner: BulkPlanner,
  ) {}

  async check(rows: readonly FileRow[], file: FileUnderCheck): Promise<ImportRow[]> {
    const read = await this.withIDs(rows.map(readRow));
    const known = await this.look(read);
    const stale = new Map<ImportRow, Stale>();
    const checked = read.map((row) => this.checkOne(row, known, file, stale));
    // One statement explains all conflicts.
    const problems = await this.planner.explain(stale);
    return checked.map((row) => {
      const problem = problems.get(row);
      return problem === undefined ? row : { ...row, ...refusal(problem, stale.get(row)?.row) };
    });
  }

  /** The same rows with the ids of shipments that are named by their codes. */
  private async withIDs(rows: readonly ReadRow[]): Promise<readonly ReadRow[]> {
    const names = rows.map(({ id }) => id).filter((id) => typeof id === 'string');
    const living = await this.records.idsOf(SHIPMENTS, names);
    const codes = names.filter((name) => !living.has(name) && isNameOf(SHIPMENTS, name));
    const ids = new Map<unknown, string>([...living, ...(await this.deleted.idsOf(codes, SHIPMENTS))]);
    return rows.map((row) => ({ ...row, id: ids.get(row.id) ?? row.id }));
  }

  private async look(rows: readonly ReadRow[]): Promise<Known> {
    const named = rows.flatMap(({ id, eTag }) => (isID(id) ? [{ id, eTag }] : []));
    const ids = named.map(({ id }) => id);
    const current = new Map((await this.records.currentAll(SHIPMENTS, ids)).map((record) => [record.id, record]));
    const old = named.flatMap(({ id, eTag }) => {
      return isVersion(eTag) && current.has(id) && current.get(id)?.eTag !== eTag ? [{ id, eTag }] : [];
    });
    const versions = old.length === 0 ? [] : await this.records.versionsOf(SHIPMENTS, old);
    const moves = rows.flatMap(({ id, body }) => (id === null ? [body['moveID']] : [])).filter(isMoveName);
    return {
      current,
      missing: await this.deleted.whyMissing(
        SHIPMENTS,
        ids.filter((id) => !current.has(id)),
      ),
      past: new Map(versions.map((record) => [`${record.id} ${record.eTag}`, record])),
      moves: moves.length === 0 ? new Set() : await this.records.namesAmong(MOVES, moves),
    };
  }

  /** Adds the row to `stale` if it writes a field to which someone else has assigned another value. */
  private checkOne(read: ReadRow, known: Known, file: FileUnderCheck, stale: Map<ImportRow, Stale>): ImportRow {
    const { line, sent, id } = read;
    const current = isID(id) ? known.current.get(id) : undefined;
    const named = { line, shipmentCode: current?.shipmentCode ?? null };
    let planned: Planned = { ...NOTHING, outcome: 'refused', recordID: isID(id) ? id : null };
    try {
      planned = this.plan(read, known, file);
      if (planned.outcome === 'unchanged') return { ...planned, ...named, sent: null, problem: null, current: null };
      const row = { ...planned, ...named, sent, problem: null, current: mergedWith(planned, current) };
      // A version that is missing in history cannot be compared.
      const merge = current && (planned.base === null ? 'conflicting' : mergeWith(planned, current));
      if (current !== undefined && merge === 'conflicting') {
        stale.set(row, { item: itemOf(planned, planned.eTag ?? ''), row: current });
        return row;
      }
      // Throws the problem that a single request for this row would return.
      this.planner.requireFields(itemOf(planned, current?.eTag ?? ''), current, (name) => known.moves.has(name));
      return merge === 'done' ? { ...row, outcome: 'unchanged', sent: null, current: null } : row;
    } catch (error) {
      if (!(error instanceof Problem) || error.code === MALFORMED_FILE.code) throw error;
      return { ...planned, ...named, sent, ...refusal(error, current) };
    }
  }

  /** The planned effect of the row, or throws a problem. */
  private plan(row: ReadRow, { current, missing, past }: Known, { seen, cells }: FileUnderCheck): Planned {
    const { id, eTag } = row;
    if (id === null) {
      if (eTag !== null)
        throw invalidField('/id', 'REQUIRED', 'is missing, but the row has an eTag; a new shipment has neither');
      return { ...NOTHING, outcome: 'create', body: differences(cells.read(row, undefined), undefined) };
    }
    if (!isID(id)) return notFound(SHIPMENTS, typeof id === 'string' ? id : JSON.stringify(id));
    if (seen.has(id))
      throw invalidField(
        '/id',
        'DUPLICATE_ID',
        'is a duplicate of an earlier row; a file must contain each shipment once',
      );
    seen.add(id);
    const reason = missing.get(id);
    if (reason !== undefined) throw reason;
    const now = current.get(id) ?? notFound(SHIPMENTS, id);
    if (eTag === null)
      throw new Problem(
        'PRECONDITION_REQUIRED',
        'The row has an id but no eTag. Export the shipment, so that the row names the version it changes; otherwise concurrent changes cannot be detected.',
      );
    if (!isVersion(eTag))
      throw invalidField(
        '/eTag',
        'INVALID_ETAG',
        'was never a version of the shipment; keep the eTag of the export unchanged',
      );
    const base = now.eTag === eTag ? now : past.get(`${id} ${eTag}`);
    // Without the version, a cell in another spelling cannot be told from a change.
    const body = base === undefined ? row.body : cells.read(row, base as unknown as Json);
    const patch = differences(body, (base ?? {}) as Json);
    const named = { recordID: id, eTag };
    if (base !== undefined && Object.keys(patch).length === 0) return { ...NOTHING, ...named, outcome: 'unchanged' };
    return { ...named, outcome: 'change', body: patch, base: base === undefined ? null : baseOf(patch, base) };
  }
}

function isID(id: unknown): id is string {
  return typeof id === 'string' && isUUID(id);
}

function isVersion(eTag: unknown): eTag is string {
  return typeof eTag === 'string' && isETag(eTag);
}

function isMoveName(name: unknown): name is string {
  return typeof name === 'string' && isNameOf(MOVES, name);
}
