import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Imported files and their rows. An import is a record with versions and history, so its progress appears in the feed. Its rows are
 * written first, a chunk at a time, so they have no foreign key: nobody sees them until the import exists, and rows without an import are
 * deleted later.
 */
export class Imports1763400000007 implements MigrationInterface {
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
          CHECK (rows = to_create + to_change + created + changed + unchanged + refused),
        CONSTRAINT imports_applied_check CHECK (state <> 'applied' OR to_create + to_change = 0)
      );

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
        erased boolean NOT NULL DEFAULT false,
        CONSTRAINT import_rows_pkey PRIMARY KEY (import_id, line)
      );
      COMMENT ON COLUMN import_rows.sent IS 'The row as in the file: its cells or its JSON. Kept for rows that can be refused';
      COMMENT ON COLUMN import_rows.body IS 'The body of an equivalent request for this row alone';
      COMMENT ON COLUMN import_rows.base IS 'The values of these fields in the version that the row names';
      COMMENT ON COLUMN import_rows.problem IS 'Why the row was refused';
      COMMENT ON COLUMN import_rows.current IS 'The record at the time the row was refused';

      SELECT track_changes('imports', 'import', 'id');
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE import_rows, imports');
  }
}
