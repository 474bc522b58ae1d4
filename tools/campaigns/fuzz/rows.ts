import type { Client as SqlClient } from 'pg';

/**
 * How many rows each table has. History has one for each change of any record, so its count also shows updates. Events and
 * the words of search are left out: they follow history a moment later.
 */
export class Rows {
  private statement: string | undefined;
  private last: string | undefined;

  constructor(private readonly sql: SqlClient) {}

  /** How the counts differ from the last time this was asked; undefined when they are the same, or at the first time. */
  async changes(): Promise<string | undefined> {
    const [before, now] = [this.last, await this.count()];
    this.last = now;
    return before === undefined || before === now ? undefined : `${before} became ${now}`;
  }

  private async count(): Promise<string> {
    this.statement ??= await this.statementForAllTables();
    const { rows } = await this.sql.query<{ counts: object }>(this.statement);
    return JSON.stringify(rows[0]?.counts);
  }

  private async statementForAllTables(): Promise<string> {
    const { rows } = await this.sql.query<{ name: string }>(`
      SELECT relname AS name FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition AND relname NOT IN ('events', 'search', 'search_part')
      ORDER BY relname`);
    const counts = rows.map(({ name }) => `'${name}', (SELECT count(*) FROM ${name})`);
    return `SELECT json_build_object(${counts.join(', ')}) AS counts`;
  }
}
