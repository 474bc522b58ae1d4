import type { DataSource } from 'typeorm';
import { StartFailure } from '../config/start-failure.js';

/** Rejects a database whose encoding cannot store every Unicode character. */
export async function requireUtf8(dataSource: DataSource): Promise<void> {
  const [row] = await dataSource.query<[{ encoding: string }]>(`SELECT current_setting('server_encoding') AS encoding`);
  if (row.encoding === 'UTF8') return;
  throw new StartFailure(
    `The database in DATABASE_URL has the encoding ${row.encoding}. Create it with ENCODING 'UTF8', because the service stores Unicode text.`,
  );
}
