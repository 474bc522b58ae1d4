import type { Client } from 'pg';

/** Replaces a database function with a broken one; returns a function that restores it. */
export async function sabotage(
  sql: Client,
  name: string,
  text: string,
  replacement: string,
): Promise<() => Promise<unknown>> {
  const { rows } = await sql.query<{ definition: string }>('SELECT pg_get_functiondef($1::regproc) AS definition', [
    name,
  ]);
  const definition = rows[0]?.definition ?? '';
  if (!definition.includes(text)) throw new Error(`${name}() has no ${text}`);
  await sql.query(definition.replace(text, replacement));
  return () => sql.query(definition);
}
