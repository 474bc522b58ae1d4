import type { QueryRunner } from 'typeorm';

/** Replaces one expression of a function, and leaves the rest as the newest migration before has defined it. */
export async function replaceInFunction(db: QueryRunner, name: string, from: string, to: string): Promise<void> {
  const [{ definition }] = (await db.query('SELECT pg_get_functiondef($1::regproc) AS definition', [name])) as [
    { definition: string },
  ];
  if (definition.split(from).length !== 2) throw new Error(`${name}() is not the function that this migration changes`);
  await db.query(definition.replace(from, () => to));
}
