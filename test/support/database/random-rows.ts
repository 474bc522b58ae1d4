import type { Client } from 'pg';

/** Texts with every character that JSON escapes and some that it need not. */
const TEXTS = String.raw`array['', 'plain', '"', '\', '/', '</script>', '\u0041', '{}', 'null', 'a?b $1',
  (SELECT string_agg(chr(code), '') FROM generate_series(1, 159) code),
  (SELECT string_agg(chr(code), '') FROM generate_series(8190, 8240) code),
  chr(65279) || chr(65535) || chr(128512) || chr(1114109)]`;

/** From the first to the last year that JavaScript writes with four digits, with 0 to 3 digits after the seconds. */
const MOMENT = `date_trunc(
  (array['second', 'milliseconds'])[1 + floor(random() * 2)::int],
  timestamptz '0001-01-01Z' + random() * (timestamptz '9999-12-31Z' - timestamptz '0001-01-01Z')
)`;

const VALUES: Readonly<Record<string, (length: number) => string>> = {
  uuid: () => 'gen_random_uuid()',
  'character varying': (length) => `left((${TEXTS})[1 + floor(random() * 13)::int] || md5(n::text), ${length})`,
  ARRAY: () => `array[left((${TEXTS})[1 + floor(random() * 13)::int], 32), NULL, md5(n::text)]`,
  integer: () => 'floor(random() * 4294967295 - 2147483648)::int',
  boolean: () => 'random() < 0.5',
  date: () => `(${MOMENT})::date`,
  'timestamp with time zone': () => MOMENT,
};

/** Fills a table with rows of random values, without its rules. */
export async function addRandomRows(client: Client, table: string, count: number): Promise<void> {
  const { rows: rules } = await client.query<{ name: string }>(
    `SELECT conname AS name FROM pg_constraint WHERE conrelid = $1::regclass AND contype IN ('c', 'u')`,
    [table],
  );
  for (const { name } of rules) await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  await client.query(`DROP TRIGGER IF EXISTS ${table}_valid ON ${table}`);
  const { rows: columns } = await client.query<{ name: string; type: string; length: number; nullable: boolean }>(
    `SELECT column_name AS name, data_type AS type, coalesce(character_maximum_length, 64)::int AS length,
       is_nullable = 'YES' AS nullable
     FROM information_schema.columns WHERE table_name = $1`,
    [table],
  );
  const values = columns.map(({ type, length, nullable }) => {
    const value = VALUES[type]?.(length) ?? 'DEFAULT';
    return nullable ? `CASE WHEN random() < 0.8 THEN ${value} END` : value;
  });
  await client.query('SET session_replication_role = replica');
  await client.query(`
    INSERT INTO ${table} (${columns.map(({ name }) => name).join()})
    SELECT ${values.join()} FROM generate_series(1, ${count}) n ON CONFLICT DO NOTHING`);
  await client.query('RESET session_replication_role');
}
