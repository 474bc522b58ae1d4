import type { Client } from 'pg';
import { groupBy } from '../repository/group-by.js';

interface Entry {
  readonly position: string;
  readonly root: string;
  readonly id: string;
  readonly kind: string;
  readonly type: string;
  readonly at: Date;
  readonly transaction: string;
  readonly request: string | null;
  readonly record: Readonly<Record<string, unknown>> | null;
  readonly isErased: boolean;
}

interface Kept {
  readonly id: string;
  readonly position: string;
  readonly record: object | null;
}

const LIVING = ['moves', 'shipments', 'agents', 'services']
  .map((table) => `SELECT id, jsonb_strip_nulls(to_jsonb(r)) AS record FROM ${table} r`)
  .join(' UNION ALL ');

/** What a request was answered, by its id. */
export type Answers = ReadonlyMap<string, { readonly status: number; readonly code: string | undefined }>;

/**
 * Why records, deletions, history, feed and search do not agree, or contradict the answers to requests. `forgotten` are the ids whose
 * deletions were archived.
 */
export async function contradictions(sql: Client, answers: Answers, forgotten: ReadonlySet<string>): Promise<string[]> {
  const faults: string[] = [];
  const { rows: entries } = await sql.query<Entry>(
    `SELECT position::text, root_id AS root, record_id AS id, record_kind AS kind, type, changed_at AS at, transaction_id::text AS transaction,
       request_id AS request, record, erased AS "isErased"
     FROM history ORDER BY history.position`,
  );
  const living = new Map(
    (await sql.query<{ id: string; record: object }>(LIVING)).rows.map(({ id, record }) => [id, record]),
  );
  const kept = new Map(
    (await sql.query<Kept>('SELECT record_id AS id, position::text, record FROM deletions')).rows.map((row) => [
      row.id,
      row,
    ]),
  );
  const changes = entries.filter(({ type }) => type !== 'erased');
  const erased = new Set(entries.filter(({ isErased }) => isErased).map(({ id }) => id));
  const byRecord = groupBy(changes, ({ id }) => id);

  for (const [id, ofRecord] of byRecord) {
    faults.push(...sequenceFaults(id, ofRecord));
    const last = ofRecord.at(-1);
    const isLiving = last?.record !== null;
    if (isLiving !== living.has(id))
      faults.push(`${id} ends with ${last?.type}, but is ${living.has(id) ? 'there' : 'gone'}`);
    if (isLiving && !erased.has(id) && !isEqual(last?.record, living.get(id)))
      faults.push(`${id} is not its last version`);
    const deletion = kept.get(id);
    if (isLiving ? deletion !== undefined : deletion === undefined && !forgotten.has(id))
      faults.push(
        `${id} is ${isLiving ? 'living' : 'deleted'}, but its deletion is ${deletion === undefined ? 'missing' : 'kept'}`,
      );
    if (deletion !== undefined && deletion.position !== last?.position) faults.push(`${id} keeps an old deletion`);
    const before = ofRecord.at(-2)?.record;
    if (deletion?.record && !erased.has(id) && !isEqual(deletion.record, before))
      faults.push(`${id} keeps other values`);
  }
  for (const id of living.keys()) if (!byRecord.has(id)) faults.push(`${id} has no history`);
  faults.push(...familyFaults(changes, erased, forgotten));

  const written = new Set(entries.map(({ request }) => request));
  for (const [request, { status, code }] of answers) {
    if (status < 300 && !written.has(request)) faults.push(`${request} was answered ${status}, but wrote nothing`);
    if (status >= 300 && code !== 'OUTCOME_UNKNOWN' && written.has(request))
      faults.push(`${request} was answered ${status} ${code}, but wrote something`);
  }
  faults.push(...(await feedFaults(sql)));
  return faults;
}

/** Created once; deleted and restored in turn; each version later than everything before, with the last values after a restoration. */
function sequenceFaults(id: string, entries: readonly Entry[]): string[] {
  return entries.flatMap((entry, index) => {
    const before = entries[index - 1];
    const follows: Record<string, boolean> = {
      created: before === undefined,
      restored: before?.type === 'deleted',
      deleted: before !== undefined && before.type !== 'deleted',
    };
    const faults: string[] = [];
    const isInOrder = follows[entry.type] ?? (before !== undefined && before.type !== 'deleted');
    if (!isInOrder) faults.push(`${id}: ${entry.type} follows ${before?.type}`);
    if (before !== undefined && entry.at <= before.at)
      faults.push(`${id}: ${entry.type} is not later than ${before.type}`);
    const lost = entries[index - 2];
    if (entry.type === 'restored' && lost !== undefined && !entry.isErased && !lost.isErased) {
      const { updated_at: _, ...values } = entry.record ?? {};
      const { updated_at: __, ...valuesBefore } = lost.record ?? {};
      if (!isEqual(values, valuesBefore)) faults.push(`${id} was restored with other values`);
    }
    return faults;
  });
}

/** With a shipment come the children that its deletion took along, and no others. */
function familyFaults(
  changes: readonly Entry[],
  erased: ReadonlySet<string>,
  forgotten: ReadonlySet<string>,
): string[] {
  const restored = changes.filter(({ kind, type }) => kind === 'shipment' && type === 'restored');
  return restored.flatMap((shipment) => {
    const deletion = changes.findLast(
      ({ id, type, position }) =>
        id === shipment.id && type === 'deleted' && BigInt(position) < BigInt(shipment.position),
    );
    const childrenIn = (type: string, transaction: string | undefined) =>
      changes
        .filter(
          (each) =>
            each.root === shipment.id &&
            each.id !== shipment.id &&
            each.type === type &&
            each.transaction === transaction,
        )
        .map(({ id }) => id)
        .filter((id) => !erased.has(id) && !forgotten.has(id))
        .sort();
    const [taken, back] = [childrenIn('deleted', deletion?.transaction), childrenIn('restored', shipment.transaction)];
    return isEqual(taken, back) ? [] : [`${shipment.id} took ${taken.join()} along, and came back with ${back.join()}`];
  });
}

async function feedFaults(sql: Client): Promise<string[]> {
  const { rows } = await sql.query<{ fault: string }>(`
    SELECT 'event ' || number || ' does not follow its predecessor' AS fault FROM (
      SELECT number, lag(number) OVER (ORDER BY number) AS before FROM events
    ) e WHERE before IS NOT NULL AND number <> before + 1
    UNION ALL
    SELECT h.type || ' of ' || h.record_id || ' is no event' FROM history h
    WHERE NOT EXISTS (SELECT FROM events e WHERE e.position = h.position AND e.type = h.record_kind || '.' || h.type)
    UNION ALL
    SELECT id || ' is not in the index of words' FROM (SELECT id FROM moves UNION ALL SELECT id FROM shipments) r
    WHERE NOT EXISTS (SELECT FROM search s WHERE s.id = r.id)
    UNION ALL
    SELECT id || ' is still in the index of words' FROM search s
    WHERE NOT EXISTS (SELECT FROM moves m WHERE m.id = s.id) AND NOT EXISTS (SELECT FROM shipments r WHERE r.id = s.id)`);
  return rows.map(({ fault }) => fault);
}

function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
}
