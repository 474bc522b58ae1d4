import { escapeLiteral, type Client } from 'pg';
import { CHANGED_BY_OTHERS } from '../../src/imports/dto/import-row.dto.js';
import { CREATOR_OF_KEYS } from '../../src/keys/key-sql.js';
import { CREATOR_OF_WEBHOOKS } from '../../src/webhooks/webhook-sql.js';
import { eraseAttributions, eraseCreatorsInResponses, importsNamingErased } from './attributions.js';
import { eraseCreators, hasErasedCreator, recordsOfCreator } from './creators.js';
import { eraseDeleters } from './deletions.js';
import type { AuthorName, Counts, Erasure } from './erasure.js';
import { eraseFileNamesInResponses } from './file-names.js';
import { addMarkers, ERASED_ENTRY, type ErasedEntry } from './markers.js';
import { countAnswers, eraseAnswersAt, eraseLateAnswers, eraseRedeliveries } from './receiver-answers.js';
import { ERASED, ERASED_AUTHOR, isUnverified, subjectOf } from './redaction.js';
import { changeResponses } from './stored-responses.js';

/** The author of changes. Erases the name wherever it is stored, but keeps the changes. */
export class AuthorTarget {
  private constructor(
    private readonly client: Client,
    /** The condition for the entries of the author. */
    private readonly isAuthor: (entry: string) => string,
    /** The subject and the display names that it used, or a name that nobody verified. */
    private readonly names: readonly string[],
    private readonly subject?: string,
  ) {}

  static async find(client: Client, author: AuthorName): Promise<AuthorTarget> {
    if ('name' in author) {
      const { name } = author;
      await requireUnverified(client, name);
      const isAuthor = (entry: string) => `(${entry}.changed_by = ${escapeLiteral(name)} AND ${isUnverified(entry)})`;
      return new AuthorTarget(client, isAuthor, [name]);
    }
    const { subject } = author;
    const { rows } = await client.query<{ name: string }>(
      'SELECT DISTINCT changed_by AS name FROM history WHERE subject = $1',
      [subject],
    );
    const isAuthor = (entry: string) => `${subjectOf(entry)} = ${escapeLiteral(subject)}`;
    return new AuthorTarget(client, isAuthor, [subject, ...rows.map(({ name }) => name)], subject);
  }

  async count(): Promise<Counts> {
    const { rows } = await this.client.query<Counts>(
      `SELECT
         (SELECT count(*)::int FROM history h WHERE ${this.isAuthor('h')} OR ${this.isCreator()}) AS entries,
         (SELECT count(*)::int FROM import_rows WHERE ${this.isNamedIn('problem::text')}) AS "importRows",
         (SELECT count(*)::int FROM idempotency_keys WHERE ${this.isNamedIn('body')}) AS "keptAnswers"`,
    );
    const { entries = 0, importRows = 0, keptAnswers = 0 } = rows[0] ?? {};
    return { entries, importRows, keptAnswers: keptAnswers + (await countAnswers(this.client, this.isAuthor('h'))) };
  }

  /**
   * Import rows and stored responses are erased twice. First by the name, which also finds names whose entries are archived. At the end by
   * what history says now, because new conflicts may have been explained with the name in the meantime.
   */
  async erase(erasure: Erasure, batchSize: number, say: () => Promise<void>): Promise<void> {
    await this.eraseNames(erasure, batchSize);
    while (await this.eraseEntries(erasure, batchSize)) await say();
    for (let count = 1; count > 0;) {
      await erasure.batch(async () => {
        count = await eraseDeleters(this.client, this.isAuthor('h'), erasure.until, batchSize);
        return {};
      });
    }
    await erasure.batch(async () => {
      const ids = await recordsOfCreator(this.client, this.isAuthorUntil(erasure), this.isName);
      return { entries: (await eraseCreators(this.client, ids)).length };
    });
    if (this.subject !== undefined) await this.forgetCreator(this.subject);
    for (const id of await importsNamingErased(this.client)) {
      await erasure.batch(async () => {
        const { rows, responses } = await eraseAttributions(this.client, id);
        return { importRows: rows, keptAnswers: responses };
      });
    }
    await erasure.batch(async () => ({ keptAnswers: await eraseCreatorsInResponses(this.client) }));
    await erasure.batch(async () => ({ keptAnswers: await eraseFileNamesInResponses(this.client) }));
    await erasure.batch(async () => ({ keptAnswers: await eraseLateAnswers(this.client) }));
    for (let count = 1; count > 0;) {
      await erasure.batch(async () => ({ keptAnswers: (count = await eraseRedeliveries(this.client, batchSize)) }));
    }
  }

  private async forgetCreator(subject: string): Promise<void> {
    await this.client.query(CREATOR_OF_WEBHOOKS.forget.text, [subject]);
    await this.client.query(CREATOR_OF_KEYS.forget.text, [subject]);
  }

  /** Examines a batch of entries by any author. Returns false if none were left. */
  private async eraseEntries(erasure: Erasure, batchSize: number): Promise<boolean> {
    const { rows } = await this.client.query<{ end: string | null }>(
      `SELECT max(place)::text AS end FROM (
         SELECT h.position + 0 AS place FROM history h WHERE h.position + 0 > $1 AND h.position + 0 <= $2
         ORDER BY h.position + 0 LIMIT $3
       ) batch`,
      [erasure.reached, erasure.until, batchSize],
    );
    const end = rows[0]?.end ?? undefined;
    if (end === undefined) return false;
    const inBatch = 'h.position + 0 > $1 AND h.position + 0 <= $2';
    await erasure.batch(async () => {
      const created = await this.client.query<{ id: string }>(
        `SELECT DISTINCT h.record_id AS id FROM history h WHERE ${inBatch} AND ${this.isCreator(erasure)}`,
        [erasure.reached, end],
      );
      const ofCreators = await eraseCreators(
        this.client,
        created.rows.map(({ id }) => id),
      );
      const { rows: ofAuthor } = await this.client.query<ErasedEntry>(
        `UPDATE history h SET ${ERASED_AUTHOR} WHERE ${inBatch} AND ${this.isAuthor('h')} RETURNING ${ERASED_ENTRY}`,
        [erasure.reached, end],
      );
      const erased = [...ofCreators, ...ofAuthor];
      const positions = [...new Set(erased.map(({ position }) => position))];
      await addMarkers(this.client, erasure, { erased, end, isLeft: this.isAuthor('h') });
      const keptAnswers = await eraseAnswersAt(this.client, positions);
      return { entries: positions.length, keptAnswers, reached: end };
    });
    return true;
  }

  private async eraseNames(erasure: Erasure, batchSize: number): Promise<void> {
    const { rows } = await this.client.query<{ id: string }>(
      `SELECT DISTINCT import_id AS id FROM import_rows WHERE ${this.isNamedIn('problem::text')}`,
    );
    for (const { id } of rows) {
      await erasure.batch(async () => {
        await this.client.query('SELECT FROM imports WHERE id = $1 FOR NO KEY UPDATE', [id]);
        const { rowCount } = await this.client.query(
          `UPDATE import_rows SET problem = ${this.withoutName('problem::text')}::json
           WHERE import_id = $1 AND ${this.isNamedIn('problem::text')}`,
          [id],
        );
        return { importRows: rowCount ?? 0 };
      });
    }
    for (let count = 1; count > 0;) {
      await erasure.batch(async () => {
        count = await changeResponses(this.client, {
          changes: `body = ${this.withoutName('body')}`,
          condition: this.isNamedIn('body'),
          limit: batchSize,
        });
        return { keptAnswers: count };
      });
    }
  }

  private isAuthorUntil(erasure: Erasure): string {
    return `c.position <= ${erasure.until} AND ${this.isAuthor('c')}`;
  }

  /** Whether an entry `h` names the author as the creator of its record. */
  private isCreator(erasure?: Erasure): string {
    return hasErasedCreator(erasure === undefined ? this.isAuthor('c') : this.isAuthorUntil(erasure), this.isName);
  }

  private readonly isName = (text: string) => `${text} IN (${this.names.map(escapeLiteral).join(', ')})`;

  /** The name in the JSON format of the service, as a member and in the text of a conflict, and what replaces it. */
  private get written(): (readonly [found: string, replacement: string])[] {
    return this.names.flatMap((name) => {
      const json = JSON.stringify(name);
      const text = (author: string) => `${CHANGED_BY_OTHERS} by ${author} at `;
      return [
        ...['changedBy', 'createdBy'].map((field) => [`"${field}":${json}`, `"${field}":"${ERASED}"`] as const),
        [text(json.slice(1, -1)), text(ERASED)] as const,
      ];
    });
  }

  private isNamedIn(text: string): string {
    return `(${this.written.map(([found]) => `position(${escapeLiteral(found)} IN ${text}) > 0`).join(' OR ')})`;
  }

  private withoutName(text: string): string {
    return this.written.reduce((replaced, [found, replacement]) => {
      return `replace(${replaced}, ${escapeLiteral(found)}, ${escapeLiteral(replacement)})`;
    }, text);
  }
}

/** A name that a subject used is erased with the subject: another person may have the same name. */
async function requireUnverified(client: Client, name: string): Promise<void> {
  const { rows } = await client.query<{ subject: string }>(
    `SELECT DISTINCT ${subjectOf('h')} AS subject FROM history h WHERE h.changed_by = $1 AND NOT ${isUnverified('h')} ORDER BY 1`,
    [name],
  );
  if (rows.length === 0) return;
  const subjects = rows.map(({ subject }) => `  ${subject}`).join('\n');
  throw new Error(
    `These subjects used the name "${name}":\n${subjects}\nNothing was erased. Pass --subject with one of them.`,
  );
}
