import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

/** A separate database for one spec, cloned from the migrated template. */
export interface TestDatabase {
  readonly url: string;
  /** The URL for the service: through the connection pooler, if the tests run with one. */
  readonly serviceUrl: string;
  drop(): Promise<void>;
}

const TEMPLATE = 'waybill';
const POOLER_URL = process.env['TEST_POOLER_URL'];

/** Settings of the service for the pooler. */
export const POOLER_ENVIRONMENT: Record<string, string> =
  POOLER_URL === undefined ? {} : { DATABASE_POOLER: 'transaction', PREPARED_STATEMENTS: 'off' };

export async function createTestDatabase(template = TEMPLATE): Promise<TestDatabase> {
  const name = `spec_${randomBytes(6).toString('hex')}`;
  await asAdmin((admin) => admin.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`));
  return {
    url: urlOf(name),
    serviceUrl: POOLER_URL === undefined ? urlOf(name) : withDatabase(POOLER_URL, name),
    drop: () => asAdmin((admin) => admin.query(`DROP DATABASE ${name} WITH (FORCE)`)),
  };
}

export function urlOf(database: string): string {
  const url = process.env['TEST_DATABASE_URL'];
  if (url === undefined) throw new Error('The global setup did not run');
  return withDatabase(url, database);
}

function withDatabase(url: string, database: string): string {
  return url.replace(`/${TEMPLATE}?`, `/${database}?`);
}

/** A connection; the caller ends it. */
export async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return client;
}

/** PostgreSQL rejects concurrent clones of one template, so cloning is serialized. */
async function asAdmin(work: (admin: Client) => Promise<unknown>): Promise<void> {
  const admin = await connect(urlOf('postgres'));
  try {
    await admin.query('SELECT pg_advisory_lock(1)');
    await work(admin);
  } finally {
    await admin.end();
  }
}
