import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Files that came to be imported, and their rows. An import is a record like any other, with versions and history, so that its
 * progress is in the feed of events. Its rows are written before it is, a few at a time, so nothing refers to it: until the
 * import is there, nobody sees them, and rows without an import are deleted.
 */
export class Imports1763200000016 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE imports (
        id uuid CONSTRAINT imports_pkey PRIMARY KEY,
        format varchar(8) NOT NULL CONSTRAINT imports_format_check CHECK (format IN ('csv', 'jsonl')),
        state varchar(16) NOT NULL
          CONSTRAINT imports_state_check CHECK (state IN ('ready', 'applying', 'applied')),
        created_by varchar(255) NOT NULL,
        rows integer NOT NULL,
        to_create integer NOT NULL,
        to_change integer NOT NULL,
        created integer NOT NULL,
        changed integer NOT NULL,
        unchanged integer NOT NULL,
        refused integer NOT NULL,
        expires_at timestamptz(3) NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now_ms(),
        updated_at timestamptz(3) NOT NULL DEFAULT now_ms(),
        CONSTRAINT imports_counts_check
          CHECK (rows = to_create + to_change + created + changed + unchanged + refused)
      )
    `);
    await db.query(`SELECT track_changes('imports', 'import', 'id')`);
    await db.query(`
      CREATE TABLE import_rows (
        import_id uuid NOT NULL,
        line integer NOT NULL,
        outcome varchar(16) NOT NULL CONSTRAINT import_rows_outcome_check
          CHECK (outcome IN ('header', 'create', 'change', 'created', 'changed', 'unchanged', 'refused')),
        record_id uuid,
        e_tag varchar(64),
        sent json,
        body json,
        base json,
        problem json,
        current json,
        CONSTRAINT import_rows_pkey PRIMARY KEY (import_id, line)
      )
    `);
    const comments = {
      sent: 'The row as the file has it, of a row that can be refused: its cells, or its JSON',
      body: 'What a request for this row alone would send',
      base: 'The values that these fields had in the version that the row names',
      problem: 'Why the row was refused',
      current: 'The record as it was when the row was refused',
    };
    for (const [column, comment] of Object.entries(comments)) {
      await db.query(`COMMENT ON COLUMN import_rows.${column} IS '${comment}'`);
    }
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE import_rows');
    await db.query('DROP TABLE imports');
  }
}
