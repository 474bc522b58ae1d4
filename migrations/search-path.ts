import type { QueryRunner } from 'typeorm';

/** For a function that runs with its owner's rights: it finds the tables of this schema, whatever its caller has made in pg_temp. */
export async function ownSearchPath(db: QueryRunner): Promise<string> {
  const [{ schema }] = (await db.query('SELECT quote_ident(current_schema()) AS schema')) as [{ schema: string }];
  return `SET search_path = ${schema}, pg_temp`;
}
