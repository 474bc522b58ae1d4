import { createSocket, type Socket } from 'node:dgram';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PostgresProxy } from '../support/database/postgres-proxy.js';
import { connect, createTestDatabase, type TestDatabase } from '../support/database/test-database.js';
import { eventually } from '../support/races/eventually.js';
import { describeWith } from '../support/repository/tools.js';
import { Replica } from '../support/service/replica.js';

const SILENT_ADDRESS = '127.9.9.53';
const WEBHOOKS = 20;

/** Gives a process, as root, a resolv.conf of its own, and replaces itself with the process. */
function withResolver(file: string): string[] {
  return ['unshare', '--mount', 'sh', '-c', `mount --bind ${file} /etc/resolv.conf && exec "$@"`, 'sh'];
}

const isRoot = process.getuid?.() === 0;

describeWith(isRoot ? ['unshare'] : ['root rights'], 'with receivers at names whose server is silent', () => {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-resolver-'));
  const resolver = join(folder, 'resolv.conf');
  const asked = new Set<string>();
  let silent: Socket;
  const proxy = new PostgresProxy();
  let database: TestDatabase;
  let replica: Replica;

  beforeAll(async () => {
    silent = createSocket('udp4').on('message', (query) =>
      asked.add(query.toString('latin1', 12, query.indexOf(0, 12))),
    );
    await new Promise<void>((resolve) => silent.bind(53, SILENT_ADDRESS, resolve));
    writeFileSync(resolver, `nameserver ${SILENT_ADDRESS}\noptions timeout:30 attempts:5\n`);
    database = await createTestDatabase();
    await proxy.start(database.url);
    const byName = proxy.urlOf(database.url).replace('127.0.0.1', 'localhost');
    const environment = { DATABASE_URL: byName, WEBHOOKS: 'on' };
    replica = await Replica.start(environment, undefined, withResolver(resolver));
  });
  afterAll(async () => {
    await replica.kill();
    await proxy.stop();
    await database.drop();
    silent.close();
    rmSync(folder, { recursive: true });
  });

  test('new connections to a database by name are opened, and writes succeed', async () => {
    const { api } = replica;
    for (let index = 0; index < WEBHOOKS; index += 1) {
      const { status } = await api.post('/v1/webhooks', { url: `https://receiver-${index}.example/` });
      expect(status).toBe(201);
    }
    await api.post('/v1/shipments', { shipmentType: 'HHG' });
    // Two lookups at a time is what the threads of a process would do.
    await eventually(() => Promise.resolve(asked.size >= 2), 30_000, 'queries of two names');
    const sql = await connect(database.url);
    await sql.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`);
    await sql.end();
    // The first request may get a connection that the server has ended.
    await api.post('/v1/shipments', { shipmentType: 'HHG' });
    expect((await api.post('/v1/shipments', { shipmentType: 'HHG' })).status).toBe(201);
  });
});
