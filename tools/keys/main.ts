import { v7 as uuidv7 } from 'uuid';
import { hashOf, newKey } from '../../src/auth/key-text.js';
import { SCOPES } from '../../src/auth/scopes.js';
import { readCommandLine, rejectCommandLine } from '../../src/config/command-line.js';
import { KeyFields, permittedExpiry, storedFields } from '../../src/keys/dto/key-fields.js';
import { ADD_HASH } from '../../src/keys/key-sql.js';
import { Problem } from '../../src/problem/problem.js';
import { readFields } from '../../src/writes/read-fields.js';
import { onDatabase } from '../on-database.js';

const USAGE = `
npm run keys -- create --name NAME [--scopes A,B] [--expires MOMENT]
  Creates an API key and prints it. The service accepts it if its AUTH_MODE includes keys.
  --name     who or what uses the key
  --scopes   what it may do (${SCOPES.join()})
  --expires  when it stops working, such as 2027-01-31T12:00:00Z (default: in a year)

Everything else about keys is in the API (/v1/keys). Requires DATABASE_URL, with the role that owns the tables; embedded is the database in DATA_DIR,
while no service is running on it.`;

/** Hints go to stderr and only the key to stdout, so that KEY=$(npm run --silent keys -- create ...) works. */
function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

async function main(): Promise<void> {
  const { values, positionals } = readCommandLine(USAGE, {
    allowPositionals: true,
    options: {
      name: { type: 'string' },
      scopes: { type: 'string', default: SCOPES.join() },
      expires: { type: 'string' },
    },
  });
  if (positionals.join(' ') !== 'create') rejectCommandLine(USAGE, 'The only command is create.');
  const fields = read({ name: values.name, scopes: values.scopes.split(/[ ,]+/), expiresAt: values.expires ?? null });
  const { name, scopes, expiresAt } = storedFields(fields);
  const [id, key] = [uuidv7(), newKey()];
  await onDatabase('waybill keys', say, async (client) => {
    await client.query('BEGIN');
    const { rows } = await client.query<{ subject: string }>(
      `INSERT INTO keys (id, name, scopes, expires_at, created_by) VALUES ($1, $2, $3, $4, 'sql:' || session_user)
       RETURNING created_by AS subject`,
      [id, name, scopes, expiresAt],
    );
    await client.query(ADD_HASH.text, [id, hashOf(key), rows[0]?.subject, null]);
    await client.query('COMMIT');
  });
  say(`The key ${id} is valid until ${String(expiresAt)}. It is shown only once:`);
  process.stdout.write(`${key}\n`);
}

/** The fields by the rules of the API. */
function read(fields: object): KeyFields {
  try {
    return readFields(KeyFields, fields, { mode: 'replace', configured: permittedExpiry });
  } catch (error) {
    if (error instanceof Problem) return rejectCommandLine(USAGE, error.detail);
    throw error;
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
