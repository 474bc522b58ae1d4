import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { URL } from 'node:url';

const NOBODY = { uid: 65534, gid: 65534 };
const PATH = `${process.env.PATH}:/usr/sbin`;

export function hasPgBouncer() {
  return PATH.split(':').some((folder) => existsSync(join(folder, 'pgbouncer')));
}

/** Nothing about statements or timeouts: what the service needs of a pooler must be the pooler's own defaults. */
function settings({ port, host, serverPort, user }) {
  return `[databases]
* = host=${host} port=${serverPort} user=${user}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 30
max_client_conn = 500
`;
}

/** Debian's PgBouncer in transaction mode, in front of the server that a URL names. */
export async function startPgBouncer(databaseUrl) {
  const { username, searchParams } = new URL(databaseUrl);
  const folder = mkdtempSync(join(tmpdir(), 'waybill-pgbouncer-'));
  chmodSync(folder, 0o755);
  const port = await freePort();
  const file = join(folder, 'pgbouncer.ini');
  const target = { host: searchParams.get('host'), serverPort: searchParams.get('port'), user: username };
  writeFileSync(file, settings({ port, ...target }));
  const account = process.getuid?.() === 0 ? NOBODY : {};
  const child = spawn('pgbouncer', [file], { ...account, env: { PATH }, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (text) => (said = `${said}${text}`.slice(-10_000)));
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.once('error', (error) => (said += error.message));
  for (let turn = 0; !(await accepts(port)); turn += 1) {
    if (turn > 100) throw new Error(`PgBouncer does not start (scripts/install-test-tools.sh installs it): ${said}`);
    await sleep(50);
  }
  return {
    url: `postgresql://${username}@127.0.0.1:${port}/${new URL(databaseUrl).pathname.slice(1)}?sslmode=disable`,
    log: () => said,
    async stop() {
      child.kill('SIGTERM');
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function accepts(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
