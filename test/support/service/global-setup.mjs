import { execFileSync } from 'node:child_process';
import 'reflect-metadata';
import { hasPgBouncer, startPgBouncer } from '../database/pgbouncer.mjs';

/**
 * One server for all specs; its database is migrated once and each spec works on a clone of it.
 * With TEST_THROUGH_PGBOUNCER set, the services under test reach it through a PgBouncer in transaction mode.
 * With TEST_LANGUAGE set, the server is Debian's, and its messages are in that language.
 * Jest does not transform what a global setup imports, so this one uses the build, after seeing to it that it is current.
 */
export default async function globalSetup() {
  skipWithoutPgBouncer();
  execFileSync(process.execPath, ['scripts/prepare.mjs'], { stdio: 'inherit' });
  const { openDatabase } = await import('../../../dist/src/open-database.js');
  const { readConfig } = await import('../../../dist/src/config/config.js');
  const server = await startServer(process.env.TEST_LANGUAGE);
  globalThis.throwawayPostgres = server;
  process.env.TEST_DATABASE_URL = server.url;
  const { dataSource } = await openDatabase(readConfig({}), server.url);
  await dataSource.destroy();
  if (process.env.TEST_THROUGH_PGBOUNCER === undefined) return;
  globalThis.pgBouncer = await startPgBouncer(server.url);
  process.env.TEST_POOLER_URL = globalThis.pgBouncer.url;
}

/** Imported late: the packages may not be built before. */
async function startServer(language) {
  if (language !== undefined) {
    const { startTranslatedPostgres } = await import('../database/translated-postgres.mjs');
    return startTranslatedPostgres(language);
  }
  const { startThrowawayPostgres } = await import('@waybill/embedded-postgres/throwaway');
  return startThrowawayPostgres();
}

/** In continuous integration the missing tool is a failure, or nobody would notice that these tests no longer run. */
function skipWithoutPgBouncer() {
  if (process.env.TEST_THROUGH_PGBOUNCER === undefined || process.env.CI !== undefined || hasPgBouncer()) return;
  process.stderr.write('Skipped: there is no pgbouncer; scripts/install-test-tools.sh installs it\n');
  process.exit(0);
}
