// Not through PgBouncer: it starts programs and services on a database of its own.
import { randomBytes } from 'node:crypto';
import { openDatabase } from '../../src/open-database.js';
import { readConfig } from '../../src/config/read-config.js';
import { connect, urlOf } from '../support/database/test-database.js';

test.each(['LATIN1', 'SQL_ASCII'])('the service does not start on a database in %s', async (encoding) => {
  const name = `encoding_${randomBytes(6).toString('hex')}`;
  const admin = await connect(urlOf('postgres'));
  await admin.query(`CREATE DATABASE ${name} ENCODING '${encoding}' LOCALE 'C' TEMPLATE template0`);
  const opened = openDatabase(readConfig({}), urlOf(name));
  await expect(opened).rejects.toThrow(`DATABASE_URL has the encoding ${encoding}. Create it with ENCODING 'UTF8'`);
  await admin.query(`DROP DATABASE ${name}`);
  await admin.end();
});
