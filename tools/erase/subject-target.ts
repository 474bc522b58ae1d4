import { escapeLiteral, type Client } from 'pg';
import type { Counts, Erasure } from './erasure.js';
import { addMarkers, ERASED_ENTRY, type ErasedEntry } from './markers.js';
import { AUTHOR, ERASED_AUTHOR, ERASED_CREATOR } from './redaction.js';

/** The author of changes. Erases the name wherever it is stored, but keeps the changes. */
export class SubjectTarget {
  private readonly isAuthor: string;
  /** The display names of the subject, with JWT_NAME_CLAIM. */
  private names: readonly string[] = [];

  constructor(
    private readonly client: Client,
    private readonly subject: string,
  ) {
    this.isAuthor = `${AUTHOR} = ${escapeLiteral(subject)}`;
  }

  async count(): Promise<Counts> {
    await this.findNames();
    const { rows } = await this.client.query<Counts>(
      `SELECT
         (SELECT count(*)::int FROM history h WHERE ${this.isAuthor}) AS entries,
         (SELECT count(*)::int FROM import_rows WHERE ${this.isNamedIn('problem::text')}) AS "importRows",
         (SELECT count(*)::int FROM idempotency_keys WHERE ${this.isNamedIn('body')}) AS "keptAnswers"`,
    );
    return rows[0] ?? { entries: 0, importRows: 0, keptAnswers: 0 };
  }

  /**
   * Import rows and stored responses contain only the name, which only history links to the subject, so they are erased first. They are
   * erased again at the end, because new conflicts may have been explained with the name in the meantime.
   */
  async erase(erasure: Erasure, batchSize: number, say: () => Promise<void>): Promise<void> {
    await this.findNames();
    await this.eraseNames(erasure, batchSize);
    while (await this.eraseEntries(erasure, batchSize)) await say();
    await this.eraseNames(erasure, batchSize);
  }

  private async findNames(): Promise<void> {
    const { rows } = await this.client.query<{ name: string }>(
      'SELECT DISTINCT changed_by AS name FROM history WHERE subject = $1',
      [this.subject],
    );
    this.names = [this.subject, ...rows.map(({ name }) => name)];
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
    await erasure.batch(async () => {
      const { rows: erased } = await this.client.query<ErasedEntry>(
        `UPDATE history h SET ${ERASED_AUTHOR}
         WHERE h.position + 0 > $1 AND h.position + 0 <= $2 AND ${this.isAuthor} RETURNING ${ERASED_ENTRY}`,
        [erasure.reached, end],
      );
      await this.eraseCreator(erased.filter(({ kind, type }) => kind === 'import' && type === 'created'));
      await addMarkers(this.client, erasure, { erased, end, isLeft: this.isAuthor });
      return { entries: erased.length, reached: end };
    });
    return true;
  }

  /** An import names its uploader. Locks the import first, like the worker, so that no further entry with the name can follow. */
  private async eraseCreator(imports: readonly ErasedEntry[]): Promise<void> {
    if (imports.length === 0) return;
    const ids = imports.map(({ id }) => id);
    await this.client.query(`UPDATE imports SET created_by = 'erased' WHERE id = ANY ($1)`, [ids]);
    await this.client.query(
      `UPDATE history h SET ${ERASED_CREATOR}
       WHERE h.root_id = ANY ($1) AND h.record ->> 'created_by' <> 'erased'`,
      [ids],
    );
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
        const { rowCount } = await this.client.query(
          `UPDATE idempotency_keys SET body = ${this.withoutName('body')}
           WHERE ctid = ANY (ARRAY(SELECT ctid FROM idempotency_keys WHERE ${this.isNamedIn('body')} LIMIT $1))`,
          [batchSize],
        );
        count = rowCount ?? 0;
        return { keptAnswers: count };
      });
    }
  }

  /** The name in the JSON format of the service. */
  private get written(): string[] {
    return this.names.flatMap((name) =>
      ['changedBy', 'createdBy'].map((field) => `"${field}":${JSON.stringify(name)}`),
    );
  }

  private isNamedIn(text: string): string {
    return `(${this.written.map((name) => `position(${escapeLiteral(name)} IN ${text}) > 0`).join(' OR ')})`;
  }

  private withoutName(text: string): string {
    return this.written.reduce((replaced, name) => {
      const field = name.slice(0, name.indexOf(':'));
      return `replace(${replaced}, ${escapeLiteral(name)}, ${escapeLiteral(`${field}:"erased"`)})`;
    }, text);
  }
}
