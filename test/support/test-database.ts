import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

/** A database of the spec's own, cloned from the migrated one. */
export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

const TEMPLATE = 'waybill';

export async function createTestDatabase(template = TEMPLATE): Promise<TestDatabase> {
  const name = `spec_${randomBytes(6).toString('hex')}`;
  await asAdmin((admin) => admin.query(`CREATE DATABASE ${name} TEMPLATE ${template}`));
  return {
    url: urlOf(name),
    drop: () => asAdmin((admin) => admin.query(`DROP DATABASE ${name} WITH (FORCE)`)),
  };
}

export function urlOf(database: string): string {
  const url = process.env['TEST_DATABASE_URL'];
  if (url === undefined) throw new Error('The global setup did not run');
  return url.replace(`/${TEMPLATE}?`, `/${database}?`);
}

/** Two clones of one template at the same time are refused by PostgreSQL, so cloning waits its turn. */
async function asAdmin(work: (admin: Client) => Promise<unknown>): Promise<void> {
  const admin = new Client({ connectionString: urlOf('postgres') });
  await admin.connect();
  try {
    await admin.query('SELECT pg_advisory_lock(1)');
    await work(admin);
  } finally {
    await admin.end();
  }
}
