import type { Client } from 'pg';
import { MonthFile } from '../archive/month-file.js';
import { AuthorTarget } from './author-target.js';
import { Erasure, type Counts, type Target } from './erasure.js';
import { RecordTarget } from './record-target.js';

export interface ErasureOrder {
  readonly target: Target;
  /** The person who requested it; defaults to the database role. */
  readonly requestedBy?: string | undefined;
  readonly batchSize: number;
  readonly dryRun: boolean;
  readonly say: (line: string) => void;
}

/** Erases the past values of a record, or the name of an author, from history, import rows and stored responses. Returns counts. */
export async function erase(client: Client, order: ErasureOrder): Promise<Counts> {
  await requireOwner(client);
  await requireAlone(client);
  const { target, requestedBy, batchSize, dryRun, say } = order;
  const erased =
    'recordID' in target ? await RecordTarget.find(client, target.recordID) : await AuthorTarget.find(client, target);
  const record = erased instanceof RecordTarget ? erased : undefined;
  if (dryRun) {
    const counts = await erased.count();
    say(hasFound(counts) ? `${sentenceOf(counts)} would be erased.` : 'Nothing was found.');
    await report(record, await archivedFiles(client, record), say, 'could');
    return counts;
  }
  const erasure = await Erasure.open(client, target, requestedBy);
  if (erasure.isResumed) say(`Resuming an interrupted erasure: ${sentenceOf(await erasure.counts())} are erased.`);
  await erased.erase(erasure, batchSize, async () => say(`${sentenceOf(await erasure.counts())} erased so far.`));
  await erasure.finish();
  const counts = await erasure.counts();
  say(`${hasFound(counts) ? `${sentenceOf(counts)} erased` : 'Nothing was found'}. ${RECORDED} ${erasure.requestID}.`);
  const left = await erased.count();
  const files = await archivedFiles(client, record);
  const nothing = record === undefined && files.length > 0 ? NOTHING_KNOWN : 'Nothing is left in this database.';
  say(hasFound(left) ? `Left: ${sentenceOf(left)}, ${WRITTEN_SINCE}` : nothing);
  await report(record, files, say, 'can');
  return counts;
}

const RECORDED = 'It also applies to months that are restored later, and is recorded as';
/** The creator of a record is known by the entry of its creation, or by a display name of the author. Either may be in an archived month. */
const NOTHING_KNOWN = 'Nothing is left that the months in this database show to be of the author.';
const WRITTEN_SINCE = 'written since the erasure began. Run the command again to erase them.';

export function hasFound({ entries, importRows, keptAnswers }: Counts): boolean {
  return entries + importRows + keptAnswers > 0;
}

function sentenceOf({ entries, importRows, keptAnswers }: Counts): string {
  return `${entries} history entries, ${importRows} import rows and ${keptAnswers} stored responses`;
}

/** Reports the data that the erasure did not change. */
async function report(
  record: RecordTarget | undefined,
  files: readonly string[],
  say: (line: string) => void,
  verb: 'can' | 'could',
): Promise<void> {
  const ended = await record?.endedDeletions();
  if (ended !== undefined) say(`Deletions that ${verb} no longer be undone: ${ended}.`);
  const kind = await record?.existingKind();
  if (kind !== undefined) {
    say(`The ${kind} still exists, so its current version is kept. Clear its fields or delete it, then erase again.`);
  }
  if (files.length === 0) return;
  const what =
    record === undefined ? 'These archived months may name the author' : 'These archived months contain its data';
  say(`${what}, but this command cannot erase files: ${files.join(', ')}.`);
  say(
    'history:restore applies all erasures to what it restores. Restore each file, archive its month to another folder, and delete the old files of that month, ' +
      'including the one with its deletions.',
  );
}

/**
 * The files of archived months that may contain data of one record, or of any: months that have events but no entries. What was deleted along
 * with a shipment is in the month of the shipment's deletion.
 */
async function archivedFiles(client: Client, record: RecordTarget | undefined): Promise<string[]> {
  const { rows } = await client.query<{ table: string }>(
    `SELECT DISTINCT to_char(e.moment AT TIME ZONE 'UTC', '"history_"YYYY_MM') AS table
     FROM events e
     WHERE e.number > 0 AND ($1::uuid IS NULL OR $1 IN (e.root_id, e.record_id) OR (e.record_id = $2 AND e.type = 'shipment.deleted'))
       AND NOT EXISTS (
         SELECT FROM history h WHERE h.root_id = e.root_id AND h.position = e.position AND h.changed_at = e.moment
       ) ORDER BY 1`,
    [record?.id ?? null, record?.rootID ?? null],
  );
  return rows.map(({ table }) => MonthFile.in('', table).path);
}

async function requireOwner(client: Client): Promise<void> {
  const { rows } = await client.query<{ may: boolean }>(
    `SELECT pg_has_role(relowner, 'USAGE') AS may FROM pg_class WHERE oid = 'history'::regclass`,
  );
  if (rows[0]?.may === true) return;
  throw new Error('Erasing requires the role that owns the tables, but DATABASE_URL names another one.');
}

async function requireAlone(client: Client): Promise<void> {
  await requireLock(client, 'pg_try_advisory_lock');
}

/** An erasure would not see the entries of a month that is being restored, and the restore would not know of the erasure. */
export async function keepErasuresOut(transaction: Client): Promise<void> {
  await requireLock(transaction, 'pg_try_advisory_xact_lock');
}

async function requireLock(client: Client, lock: string): Promise<void> {
  const { rows } = await client.query<{ alone: boolean }>(`SELECT ${lock}(hashtext('history_erase')) AS alone`);
  if (rows[0]?.alone === true) return;
  throw new Error('Another erasure is running on this database. Wait until it ends.');
}
