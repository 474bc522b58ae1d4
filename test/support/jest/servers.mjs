import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { isPrepared } from '../../../scripts/prepared.mjs';

/**
 * One PostgreSQL for all specs; its database is migrated once and each spec works on a clone of it.
 * With TEST_THROUGH_PGBOUNCER set, the services under test reach it through a PgBouncer in transaction mode.
 * With TEST_LANGUAGE set, the server is Debian's, and its messages are in that language.
 */
const disconnected = once(process, 'disconnect');
// Ctrl-C reaches Jest, too, which disconnects when it ends.
process.on('SIGINT', () => undefined);
if (!isPrepared(true)) execFileSync(process.execPath, ['scripts/prepare.mjs', 'all'], { stdio: 'inherit' });
// Imported late: packages may not be installed and built before.
const { compiledFile, compileSources } = await import('../../../scripts/sources.mjs');
const compiled = compileSources();
// A migration may be changed.
const moduleOf = async (source) => {
  if (process.env.TEST_SOURCES === undefined) return import(`../../../dist/${source}.js`);
  await compiled;
  return import(compiledFile(`${source}.ts`));
};
const [server, { openDatabase }, { readConfig }] = await Promise.all([
  startServer(process.env.TEST_LANGUAGE),
  moduleOf('src/open-database'),
  moduleOf('src/config/read-config'),
  compiled,
]);
const { dataSource } = await openDatabase(readConfig({}), server.url);
await dataSource.destroy();
const pooler = process.env.TEST_THROUGH_PGBOUNCER === undefined ? undefined : await startPooler(server.url);
process.send({ databaseUrl: server.url, poolerUrl: pooler?.url });

await disconnected;
await pooler?.stop();
await server.stop();

async function startServer(language) {
  if (language !== undefined) {
    const { startTranslatedPostgres } = await import('../database/translated-postgres.mjs');
    return startTranslatedPostgres(language);
  }
  const { startThrowawayPostgres } = await import('@waybill/embedded-postgres/throwaway');
  return startThrowawayPostgres();
}

async function startPooler(url) {
  const { startPgBouncer } = await import('../database/pgbouncer.mjs');
  return startPgBouncer(url);
}
