import { execFileSync } from 'node:child_process';
import {
  chownSync,
  copyFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  chmodSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../src/config/read-config.js';
import { SSL_MODES } from '../../src/config/database-url.js';
import { negotiateTls } from '../../src/database/negotiate-tls.js';
import { findPostgres } from '../../src/database/postgres.js';
import { debianPostgres } from '../support/database/debian-postgres.mjs';
import { Authority } from '../support/service/certificate.js';
import { PostgresServer } from '../support/database/postgres-server.js';
import { connect } from '../support/database/test-database.js';
import { Replica } from '../support/service/replica.js';

const folder = mkdtempSync(join(tmpdir(), 'waybill-tls-'));
const authority = new Authority(folder, 'authority');
const stranger = new Authority(folder, 'stranger');
/** Not /usr/bin/psql: on Debian that is a Perl script, which takes four times as long to start. */
const PSQL = join(debianPostgres(), 'psql');
const USERS = ['anyhow', 'only_with_tls', 'only_without_tls'];
/** The certificate is for localhost. */
const ORIGINS = [...USERS.map((user) => `${user}@localhost`), 'anyhow@127.0.0.1'];

let server: PostgresServer;

beforeAll(async () => {
  server = await PostgresServer.start();
  const { certFile, keyFile } = authority.certify('localhost');
  own(certFile, 'server.crt');
  own(keyFile, 'server.key');
  const rules = join(server.cluster, 'pg_hba.conf');
  const byUser = 'hostnossl all only_with_tls all reject\nhostssl all only_without_tls all reject\n';
  writeFileSync(rules, byUser + readFileSync(rules, 'utf8'));
  for (const user of USERS) await server.sql(`CREATE ROLE ${user} LOGIN`);
});
afterAll(async () => {
  await server.remove();
  rmSync(folder, { recursive: true });
});

/** PostgreSQL takes a key only from a file that is its own. */
function own(file: string, name: string): void {
  const target = join(server.cluster, name);
  copyFileSync(file, target);
  chmodSync(target, 0o600);
  const { uid, gid } = statSync(server.cluster);
  chownSync(target, uid, gid);
}

async function switchTls(state: 'on' | 'off'): Promise<void> {
  await server.sql(`ALTER SYSTEM SET ssl = ${state}`);
  await server.sql('SELECT pg_reload_conf()');
  for (;;) {
    const [row] = await server.sql<{ ssl: string }>('SHOW ssl');
    if (row?.ssl === state) return;
  }
}

const WITH_TLS = 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()';

/** Whether the service comes to a connection by this URL, and whether that has TLS. */
async function asService(environment: Record<string, string>): Promise<string> {
  const { url } = await findPostgres(readConfig(environment), () => undefined);
  try {
    const client = await connect(await negotiateTls(url, 5000));
    const { rows } = await client.query<{ ssl: boolean }>(WITH_TLS);
    await client.end();
    return rows[0]?.ssl === true ? 'TLS' : 'plain';
  } catch {
    return 'refused';
  }
}

/** The same by libpq itself. */
function asLibpq(url: string): string {
  try {
    const options = [url, '--no-psqlrc', '--tuples-only', '--no-align', `--command=${WITH_TLS}`];
    const env = { PATH: process.env['PATH'], HOME: folder };
    return execFileSync(PSQL, options, { encoding: 'utf8', env, stdio: 'pipe' }).trim() === 't' ? 'TLS' : 'plain';
  } catch {
    return 'refused';
  }
}

describe.each(['on', 'off'] as const)('with ssl=%s at the server', (state) => {
  beforeAll(() => switchTls(state));

  test.each([undefined, ...SSL_MODES])('sslmode=%s means what it means to libpq', async (mode) => {
    const ours: string[] = [];
    const theirs: string[] = [];
    for (const origin of ORIGINS) {
      for (const file of [undefined, authority.file, stranger.file]) {
        // To verify with nobody's authority: libpq refuses it when it connects, the service when it starts.
        if (mode === 'verify-ca' && file === undefined) continue;
        const parameters = new URLSearchParams({
          ...(mode !== undefined && { sslmode: mode }),
          ...(file !== undefined && { sslrootcert: file }),
        });
        const url = `postgresql://${origin}:${server.port}/postgres?${String(parameters)}`;
        ours.push(`${url} ${await asService({ DATABASE_URL: url })}`);
        theirs.push(`${url} ${asLibpq(url)}`);
      }
    }
    expect(ours).toEqual(theirs);
    expect(new Set(ours.map((outcome) => outcome.split(' ')[1])).size).toBeGreaterThan(state === 'on' ? 1 : 0);
  });
});

describe('DATABASE_CA_FILE', () => {
  beforeAll(() => switchTls('on'));
  const urlOf = (host: string, parameters = '') => `postgresql://anyhow@${host}:${server.port}/postgres${parameters}`;

  test.each([
    ['TLS', 'localhost', ''],
    ['refused', '127.0.0.1', ''],
    ['TLS', '127.0.0.1', '?sslmode=verify-ca'],
    ['TLS', '127.0.0.1', '?sslmode=require'],
  ])('%s at %s%s, with the authority of the server', async (outcome, host, parameters) => {
    const environment = { DATABASE_URL: urlOf(host, parameters), DATABASE_CA_FILE: authority.file };
    expect(await asService(environment)).toBe(outcome);
  });

  test.each(['', '?sslmode=require', '?sslmode=verify-ca'])('refused with another authority%s', async (parameters) => {
    const environment = { DATABASE_URL: urlOf('localhost', parameters), DATABASE_CA_FILE: stranger.file };
    expect(await asService(environment)).toBe('refused');
  });

  it('makes every connection of the service verified, and the service says so when it cannot', async () => {
    await server.sql('CREATE DATABASE waybill');
    const environment = {
      DATABASE_URL: server.urlOf('waybill').replace(/127.*disable/, `localhost:${server.port}/waybill`),
    };
    const replica = await Replica.start({ ...environment, DATABASE_CA_FILE: authority.file, DRAIN_DELAY_MS: '0' });
    expect((await replica.api.post('/v1/shipments', { shipmentType: 'HHG' })).status).toBe(201);
    const connections = await server.sql<{ ssl: boolean }>(
      `SELECT application_name AS name, ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
       WHERE application_name LIKE 'waybill%' GROUP BY 1, 2 ORDER BY 1`,
    );
    await replica.stop();
    expect(connections).toEqual([
      { name: 'waybill', ssl: true },
      { name: 'waybill-events', ssl: true },
      { name: 'waybill-health', ssl: true },
      { name: 'waybill-search', ssl: true },
    ]);
    const other = await Replica.launch({ ...environment, DATABASE_CA_FILE: stranger.file });
    expect(await other.exit).toBe(1);
    expect(other.lines.join('\n')).toMatch(/Cannot connect to the database .*certificate.*DATABASE_URL/);
  });
});
