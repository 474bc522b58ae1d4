import { execFile } from 'node:child_process';
import { debianPostgres } from '../support/database/debian-postgres.mjs';
import { startPgBouncer } from '../support/database/pgbouncer.mjs';
import { PostgresServer } from '../support/database/postgres-server.js';
import { startTranslatedPostgres } from '../support/database/translated-postgres.mjs';

function check(url: string): Promise<string> {
  return new Promise((resolve) => {
    execFile(process.execPath, ['dist/tools/check-database/main.js', url], (_, stdout) => resolve(stdout));
  });
}

/** The requirements that the report lists as missing. */
function missing(report: string): string[] {
  return [...report.matchAll(/^no +(.+)$/gm)].map(([, name]) => name ?? '');
}

test("Debian's PostgreSQL has everything", async () => {
  const server = await PostgresServer.start({ binDir: debianPostgres() });
  const report = await check(server.url);
  await server.remove();
  expect(missing(report)).toEqual([]);
  expect(report).toMatch(/^PostgreSQL \d+\.\d+ \(Debian/);
});

test('a PostgreSQL that reports errors in German has everything', async () => {
  const server = await startTranslatedPostgres('de');
  const report = await check(server.url);
  await server.stop();
  expect(missing(report)).toEqual([]);
});

test('PgBouncer in transaction mode takes away what the service can be told to do without', async () => {
  const server = await PostgresServer.start();
  const bouncer = await startPgBouncer(
    `postgresql://waybill@localhost/postgres?host=${encodeURIComponent(server.cluster)}&port=${server.port}`,
  );
  const report = await check(bouncer.url);
  await bouncer.stop();
  await server.remove();
  expect(missing(report)).toEqual(['timeouts as session settings', 'prepared statements per connection']);
  expect(report).toContain('set DATABASE_POOLER=transaction');
  expect(report).toContain('set PREPARED_STATEMENTS=off');
});

test('a hot standby takes no writes', async () => {
  const server = await PostgresServer.start();
  await server.restartAsStandby();
  const report = await check(server.url);
  await server.remove();
  expect(missing(report)).toEqual(['takes writes']);
  expect(report).toContain('read-only transaction');
});
