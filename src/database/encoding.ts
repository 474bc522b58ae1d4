import type { DataSource } from 'typeorm';
import { StartFailure } from '../config/start-failure.js';

/** Refuses a database whose encoding cannot store every character: a write would fail halfway on the first one it lacks. */
export async function requireUtf8(dataSource: DataSource): Promise<void> {
  const [row] = await dataSource.query<[{ encoding: string }]>(`SELECT current_setting('server_encoding') AS encoding`);
  if (row.encoding === 'UTF8') return;
  throw new StartFailure(
    `The database that DATABASE_URL names has the encoding ${row.encoding}. Create it with ENCODING 'UTF8': the service stores any Unicode text.`,
  );
}
