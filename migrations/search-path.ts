import type { QueryRunner } from 'typeorm';

/** For functions that run with their owner's rights: they use the tables of this schema, whatever the caller has created in pg_temp. */
export async function ownSearchPath(db: QueryRunner): Promise<string> {
  const [{ schema }] = (await db.query('SELECT quote_ident(current_schema()) AS schema')) as [{ schema: string }];
  return `SET search_path = ${schema}, pg_temp`;
}
