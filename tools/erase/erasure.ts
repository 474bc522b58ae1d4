import { randomBytes } from 'node:crypto';
import type { Client } from 'pg';

/** The author of changes: a subject, or a display name that nobody verified. */
export type AuthorName = { readonly subject: string } | { readonly name: string };

/** The target of an erasure: a record with its children, or an author. */
export type Target = { readonly recordID: string } | AuthorName;

export interface Counts {
  readonly entries: number;
  readonly importRows: number;
  readonly keptAnswers: number;
}

interface ErasureRow {
  readonly id: string;
  readonly requestedBy: string;
  readonly until: string;
  readonly reached: string | null;
}

const COLUMNS = `id, requested_by AS "requestedBy", until_position::text AS until, reached_position::text AS reached`;
const LOWEST_POSITION = '-9223372036854775808';

/** A recorded erasure. Each batch updates the counts in its own transaction, so they are correct even if the process dies. */
export class Erasure {
  private constructor(
    private readonly client: Client,
    private readonly row: ErasureRow,
    readonly isResumed: boolean,
  ) {}

  /** The interrupted erasure of this target, or a new one. */
  static async open(client: Client, target: Target, requestedBy: string | undefined): Promise<Erasure> {
    const columns = columnsOf(target);
    const unfinished = await client.query<ErasureRow>(
      `SELECT ${COLUMNS} FROM erasures WHERE finished_at IS NULL AND ${columns.isSame}`,
      [columns.text],
    );
    if (unfinished.rows[0] !== undefined) return new Erasure(client, unfinished.rows[0], true);
    const { rows } = await client.query<ErasureRow>(
      `INSERT INTO erasures (${columns.names}, requested_by, until_position)
       SELECT ${columns.values}, coalesce($1, 'sql:' || session_user),
         greatest((SELECT max(position + 0) FROM history), (SELECT max(position) FROM events))
       RETURNING ${COLUMNS}`,
      [requestedBy, columns.text, ...('recordID' in target ? [] : [randomBytes(16)])],
    );
    if (rows[0] === undefined) throw new Error('The erasure was not recorded');
    return new Erasure(client, rows[0], false);
  }

  /** The newest position at the start, archived or not. Later entries are not erased. */
  get until(): string {
    return this.row.until;
  }

  /** The position up to which entries are erased. */
  get reached(): string {
    return this.row.reached ?? LOWEST_POSITION;
  }

  get requestedBy(): string {
    return this.row.requestedBy;
  }

  /** The request id in history entries that refer to it. */
  get requestID(): string {
    return `erasure-${this.row.id}`;
  }

  /** Runs a batch in one transaction, with its counts and progress. */
  async batch(work: () => Promise<Partial<Counts> & { readonly reached?: string | undefined }>): Promise<void> {
    await this.client.query('BEGIN');
    try {
      await this.client.query(
        `SELECT set_config('waybill.erasure', $1, true), set_config('waybill.author', $2, true)`,
        [this.row.id, `${this.requestID} ${this.requestedBy}`],
      );
      const { entries = 0, importRows = 0, keptAnswers = 0, reached = null } = await work();
      await this.client.query(
        `UPDATE erasures SET entries = entries + $2, import_rows = import_rows + $3, kept_answers = kept_answers + $4,
           reached_position = coalesce($5, reached_position)
         WHERE id = $1`,
        [this.row.id, entries, importRows, keptAnswers, reached],
      );
      await this.client.query('COMMIT');
      if (reached !== null) Object.assign(this.row, { reached });
    } catch (error) {
      await this.client.query('ROLLBACK').catch(() => undefined);
      throw error;
    }
  }

  async counts(): Promise<Counts> {
    const { rows } = await this.client.query<Counts>(
      `SELECT entries::int, import_rows::int AS "importRows", kept_answers::int AS "keptAnswers" FROM erasures WHERE id = $1`,
      [this.row.id],
    );
    return rows[0] ?? { entries: 0, importRows: 0, keptAnswers: 0 };
  }

  async finish(): Promise<void> {
    await this.client.query('UPDATE erasures SET finished_at = now_ms() WHERE id = $1', [this.row.id]);
  }
}

/** How a target is stored. An author is stored as a salted digest: enough to recognize it in a month that is restored. */
function columnsOf(target: Target): { names: string; values: string; isSame: string; text: string } {
  if ('recordID' in target)
    return { names: 'record_id', values: '$2::uuid', isSame: 'record_id = $1', text: target.recordID };
  const [column, text] = 'subject' in target ? ['subject_digest', target.subject] : ['name_digest', target.name];
  return {
    names: `subject_salt, ${column}`,
    values: `$3::bytea, ${digestOf('$3::bytea', '$2::text')}`,
    isSame: `${column} = ${digestOf('subject_salt', '$1')}`,
    text,
  };
}

/** The digest of an author, as SQL. */
export function digestOf(salt: string, author: string): string {
  return `sha256(${salt} || convert_to(${author}, 'UTF8'))`;
}
