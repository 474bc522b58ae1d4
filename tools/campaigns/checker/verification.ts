import { isDeepStrictEqual } from 'node:util';
import type { Client as Sql } from 'pg';
import { groupBy } from '../../../test/support/repository/group-by.js';
import type { Client } from '../crash/client.js';
import { gainedBy, isAccepted, shipmentOf, type Deed, type Ledger, type Write } from './ledger.js';

/** An entry as it stands in the table, without the help of the service. */
interface Entry {
  readonly request: string;
  readonly kind: string;
  readonly recordID: string;
  readonly type: string;
  readonly eTag: string | null;
  readonly changedAt: Date;
  readonly changedBy: string;
}

const TYPE_OF: Record<Deed, string> = {
  create: 'created',
  patch: 'updated',
  replaceAddress: 'updated',
  changeStatus: 'statusChanged',
  remove: 'deleted',
  restore: 'restored',
};

/** Why what is stored is not what the clients were told. Every list is empty when all is well. */
export class Verification {
  private constructor(
    private readonly ledger: Ledger,
    private readonly sql: Sql,
    private readonly entries: readonly Entry[],
  ) {}

  static async of(ledger: Ledger, sql: Sql): Promise<Verification> {
    const { rows } = await sql.query<Entry>(`
      SELECT request_id AS request, record_kind AS kind, record_id AS "recordID", type, encode(e_tag, 'hex') AS "eTag",
        changed_at AS "changedAt", changed_by AS "changedBy"
      FROM history ORDER BY position`);
    return new Verification(ledger, sql, rows);
  }

  /** All that a race can break; empty when all is well. */
  async faults(): Promise<string[]> {
    return [
      ...this.unansweredAtMostOnce(),
      ...this.oneEntryForEachSuccess(),
      ...this.rightAuthors(),
      ...(await this.recordsAreThoseOfTheClients()),
      ...(await this.unbrokenChains()),
      ...(await this.lastEntriesAreTheRecords()),
    ];
  }

  /** A client that gave up does not know what happened; it must not have happened twice. */
  unansweredAtMostOnce(): string[] {
    const entriesOf = this.entriesOfWrites();
    return this.ledger.unanswered
      .filter((write) => entriesOf(write).length > 1)
      .map(({ key }) => `${key} had its effect more than once, and its client gave up`);
  }

  /** Exactly the entry that an accepted write was answered with; nothing from a refused one, and nothing else at all. */
  oneEntryForEachSuccess(): string[] {
    const entriesOf = this.entriesOfWrites();
    const faults = this.ledger.writes.flatMap((write) => {
      const made = entriesOf(write).map(({ type, recordID, eTag }) => ({ type, recordID, eTag }));
      const expected = isAccepted(write)
        ? [{ type: TYPE_OF[write.deed], recordID: shipmentOf(write), eTag: gainedBy(write) }]
        : [];
      if (isDeepStrictEqual(made, expected)) return [];
      const told = `${write.deed} ${write.key}, answered ${write.reply?.status ?? 'nothing'},`;
      return [`${told} has ${made.length} entries in history instead of ${expected.length}: ${JSON.stringify(made)}`];
    });
    const known = new Set(this.ledger.writes.map(({ requestID }) => requestID));
    const strangers = this.entries.filter(({ request }) => !known.has(request));
    return [...faults, ...strangers.map(({ request }) => `history has an entry of ${request}, which nobody sent`)];
  }

  /** The sender of a write is the author of every entry that it made, including those of a move that it created. */
  rightAuthors(): string[] {
    const authorOf = new Map(this.ledger.writes.map(({ requestID, author }) => [requestID, author]));
    return this.entries
      .filter(({ request, changedBy }) => authorOf.get(request) !== changedBy)
      .map(({ request, changedBy }) => `${request} by ${authorOf.get(request)} stands in history as of ${changedBy}`);
  }

  /** Told from the records alone: each creation made one shipment and one move, each DELETE took one shipment away unless it was restored. */
  async recordsAreThoseOfTheClients(): Promise<string[]> {
    const created = this.ledger.accepted.filter(({ deed }) => deed === 'create');
    const removed = new Set(this.ledger.accepted.filter(({ deed }) => deed === 'remove').map(shipmentOf));
    for (const write of this.ledger.accepted) if (write.deed === 'restore') removed.delete(shipmentOf(write));
    const expected = created.map(shipmentOf).filter((id) => !removed.has(id));
    const { rows } = await this.sql.query<{ id: string }>('SELECT id FROM shipments');
    const { rows: moves } = await this.sql.query('SELECT FROM moves');
    const stored = new Set(rows.map(({ id }) => id));
    return [
      ...(moves.length === created.length ? [] : [`${created.length} POSTs opened ${moves.length} moves`]),
      ...(stored.size === expected.length
        ? []
        : [`${stored.size} shipments are stored, ${expected.length} were made and not removed`]),
      ...expected.filter((id) => !stored.has(id)).map((id) => `shipment ${id} is missing`),
    ];
  }

  /** Each accepted write names the version that the one before it led to, and history has the same versions in that order. */
  async unbrokenChains(): Promise<string[]> {
    const { rows } = await this.sql.query<{ id: string; eTag: string }>(
      `SELECT id, etag_of(updated_at) AS "eTag" FROM shipments`,
    );
    const current = new Map(rows.map(({ id, eTag }) => [id, eTag]));
    const writesOf = groupBy(this.ledger.accepted, shipmentOf);
    const entriesOf = this.entriesOfShipmentsBy(({ recordID }) => recordID);
    return [...writesOf].flatMap(([id, writes]) => {
      const chain = chainOf(writes);
      const entries = entriesOf.get(id) ?? [];
      const told = entries.map(({ eTag }) => eTag);
      const backwards = entries.some(({ changedAt }, turn) => {
        const before = entries[turn - 1];
        return before !== undefined && changedAt <= before.changedAt;
      });
      return [
        ...(chain.length === writes.length
          ? []
          : [`the versions of ${id} break after ${chain.length} of ${writes.length}`]),
        ...(chain.at(-1) === (current.get(id) ?? null) ? [] : [`the versions of ${id} do not end in the stored one`]),
        ...(isDeepStrictEqual(told, chain) ? [] : [`history has other versions of ${id} than the clients received`]),
        ...(backwards ? [`history of ${id} goes backwards in time`] : []),
      ];
    });
  }

  /** The last entry of each record is the record; what has no record has a last entry that says so. */
  async lastEntriesAreTheRecords(): Promise<string[]> {
    const faults: string[] = [];
    for (const table of ['moves', 'shipments']) {
      const { rows } = await this.sql.query<{ id: string }>(`
        SELECT coalesce(r.id, h.record_id) AS id FROM ${table} r
        FULL JOIN (
          SELECT DISTINCT ON (record_id) record_id, record FROM history WHERE record_kind || 's' = '${table}'
          ORDER BY record_id, position DESC
        ) h ON h.record_id = r.id
        WHERE h.record IS DISTINCT FROM jsonb_strip_nulls(to_jsonb(r))`);
      faults.push(...rows.map(({ id }) => `the last entry of ${id} is not what ${table} has`));
    }
    return faults;
  }

  /** The history entries of a write; of a request with several writes, only those of its shipment. */
  private entriesOfWrites(): (write: Write) => Entry[] {
    const entriesOf = this.entriesOfShipmentsBy(({ request }) => request);
    return ({ requestID, shipmentID }) => {
      const entries = entriesOf.get(requestID) ?? [];
      return shipmentID === undefined ? entries : entries.filter(({ recordID }) => recordID === shipmentID);
    };
  }

  private entriesOfShipmentsBy(key: (entry: Entry) => string): Map<string, Entry[]> {
    return groupBy(
      this.entries.filter(({ kind }) => kind === 'shipment'),
      key,
    );
  }
}

/** Replays the changes in the history, oldest first, and compares the result with the record. */
export async function replayedHistory(client: Client, ids: readonly string[]): Promise<string[]> {
  const faults: string[] = [];
  for (const id of ids) {
    const path = `/v1/shipments/${id}`;
    const replayed = new Map<string, unknown>();
    for (const entry of (await client.readAll(`${path}/history?limit=200`)).reverse()) {
      for (const { field, to } of entry['changes'] as { field: string; to: unknown }[]) replayed.set(field, to);
    }
    const record = await client.read(path);
    for (const [field, value] of replayed) {
      const stored = field
        .split('/')
        .reduce<unknown>((at, name) => (at as Record<string, unknown> | null)?.[name], record);
      if (!isDeepStrictEqual(stored ?? null, value)) faults.push(`replaying history gives another ${field} of ${id}`);
    }
    if (replayed.size < 5) faults.push(`the history of ${id} has only ${replayed.size} fields`);
  }
  return faults;
}

/** Follows the feed from its beginning: each entry of history once, with contiguous numbers, each record's in their order. */
export async function eventsAreHistory(client: Client, sql: Sql): Promise<string[]> {
  const { rows: entries } = await sql.query<{ recordID: string; eTag: string | null }>(
    `SELECT record_id AS "recordID", encode(e_tag, 'hex') AS "eTag" FROM history ORDER BY position`,
  );
  const told: { recordID: string; eTag: string | null }[] = [];
  const faults: string[] = [];
  for (let path = '/v1/events?limit=1000', patience = 20; told.length < entries.length && patience > 0;) {
    const { body, link } = await client.get(path);
    const events = body as { sequence: string; data: { resourceID: string; eTag: string | null } }[];
    for (const { sequence, data } of events) {
      told.push({ recordID: data.resourceID, eTag: data.eTag });
      if (Number(sequence) !== told.length) faults.push(`event ${sequence} is the ${told.length}th in the feed`);
    }
    // The latest writes may not have numbers yet.
    if (events.length === 0) patience -= 1;
    path = `${/<([^>]+)>/.exec(link ?? '')?.[1]?.replace(/&wait=\d+/, '') ?? ''}&wait=1`;
  }
  const [chains, history] = [groupBy(told, ({ recordID }) => recordID), groupBy(entries, ({ recordID }) => recordID)];
  const differing = [...history].filter(([id, chain]) => !isDeepStrictEqual(chains.get(id), chain));
  return [
    ...faults,
    ...(told.length === entries.length ? [] : [`history has ${entries.length} entries, the feed has ${told.length}`]),
    ...differing.map(([id]) => `the feed has other changes of ${id} than history, or in another order`),
  ];
}

/** The versions in their order, as far as each names the one before; it begins with the creation. A shipment is restored at most once. */
function chainOf(writes: readonly Write[]): (string | null)[] {
  const next = new Map(
    writes.map((write) => [write.deed === 'restore' ? null : (write.spent ?? 'nothing'), gainedBy(write)]),
  );
  const chain: (string | null)[] = [];
  for (let at = next.get('nothing'); at !== undefined; at = next.get(at)) {
    chain.push(at);
    if (chain.length > writes.length) break;
  }
  return chain;
}
