import type { Client } from 'pg';
import { ALL_RESOURCES } from '../../src/model/resources.js';
import { emptyDeletions, endedDeletions } from './deletions.js';
import type { Counts, Erasure } from './erasure.js';
import { eraseFileNames, eraseFileNamesInResponses, hasFileName } from './file-names.js';
import { addMarkers, ERASED_ENTRY, type ErasedEntry } from './markers.js';
import { eraseAnswersAt } from './receiver-answers.js';
import { HAS_FORMER_VALUES, REDACTED_RECORD, tableOf } from './redaction.js';
import { eraseProgress, changeResponses, ERASE_RESPONSE, HAS_RECORD, isProgressWith } from './stored-responses.js';

/** The entries of a record and its children: $1 is the root record, $2 the record. */
const OF_RECORD = 'h.root_id = $1 AND ($1 = $2 OR h.record_id = $2)';

/** Receivers of webhooks may repeat in their answers what they were sent. */
const ANSWERS_OF_RECEIVERS = `answer IS NOT NULL AND delivery_id IN (
  SELECT d.id FROM webhook_deliveries d JOIN events e ON e.number = d.event_number
  WHERE e.record_id = $2 OR ($1 = $2 AND e.root_id = $1))`;

/** The rows of a record, or of an import. */
const rowsOf = (id: string) => `${id}::uuid IN (record_id, import_id) AND outcome <> 'header' AND NOT erased`;

const ROW_PROBLEM = `json_build_object(
  'code', problem ->> 'code', 'detail', 'The values of this row were erased.', 'members', json_build_object())`;

/** A record and its children. Erases past values, but keeps authors and times. */
export class RecordTarget {
  private constructor(
    private readonly client: Client,
    readonly id: string,
    /** The record whose history contains it. */
    readonly rootID: string,
  ) {}

  static async find(client: Client, id: string): Promise<RecordTarget> {
    const { rows } = await client.query<{ root: string }>(
      'SELECT root_id AS root FROM events WHERE record_id = $1 UNION ALL SELECT root_id FROM history WHERE record_id = $1 LIMIT 1',
      [id],
    );
    return new RecordTarget(client, id, rows[0]?.root ?? id);
  }

  /** The kind of the record if it exists: it may have been restored meanwhile. */
  async existingKind(): Promise<string | undefined> {
    const kinds = ALL_RESOURCES.map(
      ({ name, entity }) => `SELECT '${name}' AS kind FROM ${tableOf(entity)} WHERE id = $1`,
    );
    const { rows } = await this.client.query<{ kind: string }>(kinds.join(' UNION ALL '), [this.id]);
    return rows[0]?.kind;
  }

  /** Names the deletions that cannot be undone after the erasure. */
  endedDeletions(): Promise<string | undefined> {
    return endedDeletions(this.client, this.rootID, this.id);
  }

  async count(): Promise<Counts> {
    const { rows } = await this.client.query<Counts>(
      `SELECT
         (SELECT count(*)::int FROM history h WHERE ${OF_RECORD} AND ${HAS_FORMER_VALUES})
           + (SELECT count(*)::int FROM history h WHERE ${hasFileName('$2')} AND NOT (${OF_RECORD} AND ${HAS_FORMER_VALUES})) AS entries,
         (SELECT count(*)::int FROM import_rows WHERE ${rowsOf('$2')}) AS "importRows",
         (SELECT count(*)::int FROM webhook_attempts WHERE ${ANSWERS_OF_RECEIVERS})
           + (SELECT count(*)::int FROM idempotency_keys WHERE (${HAS_RECORD}) OR ${isProgressWith('$2')}) AS "keptAnswers"`,
      [this.rootID, this.id],
    );
    return rows[0] ?? { entries: 0, importRows: 0, keptAnswers: 0 };
  }

  /** Erases import rows and stored responses last: until then, conflicts are still explained with past values. */
  async erase(erasure: Erasure, batchSize: number, say: () => Promise<void>): Promise<void> {
    // First: what is being erased must not come back, also while the erasure is interrupted.
    await erasure.batch(async () => {
      await emptyDeletions(this.client, this.rootID, this.id);
      return {};
    });
    // Before the entries: the version of an import that has its file name is then a former one.
    await erasure.batch(async () => {
      const erased = await eraseFileNames(this.client, this.id);
      await addMarkers(this.client, erasure, { erased, end: erasure.until, isLeft: 'false' });
      const positions = erased.map(({ position }) => position);
      const answers = await eraseAnswersAt(this.client, positions);
      return { entries: erased.length, keptAnswers: answers + (await eraseFileNamesInResponses(this.client)) };
    });
    while (await this.eraseEntries(erasure, batchSize)) await say();
    await this.eraseImportRows(erasure);
    // Before the responses: a bulk that ends in between then stores what is left of its progress.
    await erasure.batch(async () => ({ keptAnswers: await eraseProgress(this.client, this.id) }));
    for (let count = 1; count > 0;) {
      await erasure.batch(async () => {
        count = await changeResponses(this.client, {
          changes: ERASE_RESPONSE,
          condition: HAS_RECORD,
          values: [this.rootID, this.id],
          limit: batchSize,
        });
        return { keptAnswers: count };
      });
      if (count > 0) await say();
    }
    await erasure.batch(async () => {
      const { rowCount } = await this.client.query(
        `UPDATE webhook_attempts SET answer = NULL WHERE ${ANSWERS_OF_RECEIVERS}`,
        [this.rootID, this.id],
      );
      return { keptAnswers: rowCount ?? 0 };
    });
    // The index of words follows later, or not at all while no service runs.
    await this.client.query('SELECT refresh_words($1)', [[this.rootID]]);
  }

  /** Erases the oldest entries first, so that no erased version follows one with values. Returns false if none were left. */
  private async eraseEntries(erasure: Erasure, batchSize: number): Promise<boolean> {
    let count = 0;
    await erasure.batch(async () => {
      const { rows: erased } = await this.client.query<ErasedEntry>(
        `UPDATE history h SET record = ${REDACTED_RECORD}, erased = true
         FROM (
           SELECT h.root_id, h.position, h.changed_at FROM history h
           WHERE ${OF_RECORD} AND h.position > $3 AND h.position <= $4 AND ${HAS_FORMER_VALUES}
           ORDER BY h.position LIMIT $5
         ) batch
         WHERE h.root_id = batch.root_id AND h.position = batch.position AND h.changed_at = batch.changed_at
         RETURNING ${ERASED_ENTRY}`,
        [this.rootID, this.id, erasure.reached, erasure.until, batchSize],
      );
      count = erased.length;
      if (count === 0) return {};
      const end = erased.map(({ position }) => BigInt(position)).reduce((one, other) => (one > other ? one : other));
      await addMarkers(this.client, erasure, { erased, end: String(end), isLeft: HAS_FORMER_VALUES });
      return { entries: count, reached: String(end) };
    });
    return count > 0;
  }

  /** Erases one import at a time, under the lock of the import worker, which must not write back values that it has read before. */
  private async eraseImportRows(erasure: Erasure): Promise<void> {
    const { rows } = await this.client.query<{ id: string }>(
      `SELECT DISTINCT import_id AS id FROM import_rows WHERE ${rowsOf('$1')}`,
      [this.id],
    );
    for (const { id: importID } of rows) {
      await erasure.batch(async () => {
        await this.client.query('SELECT FROM imports WHERE id = $1 FOR NO KEY UPDATE', [importID]);
        const { rowCount } = await this.client.query(
          `UPDATE import_rows SET sent = NULL, body = NULL, base = NULL, current = NULL, erased = true,
             problem = CASE WHEN problem IS NOT NULL THEN ${ROW_PROBLEM} END
           WHERE import_id = $2 AND ${rowsOf('$1')}`,
          [this.id, importID],
        );
        return { importRows: rowCount ?? 0 };
      });
    }
  }
}
