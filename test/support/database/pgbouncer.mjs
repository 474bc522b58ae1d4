import { spawn } from 'node:child_process';
import { chownSync, chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { URL } from 'node:url';

const NOBODY = { uid: 65534, gid: 65534 };
/** The port number of its socket. The socket is in a temporary folder, so the number cannot collide. */
const NUMBER = 6432;
const PATH = `${process.env.PATH}:/usr/sbin`;

export function hasPgBouncer() {
  return PATH.split(':').some((folder) => existsSync(join(folder, 'pgbouncer')));
}

/** No settings for statements or timeouts: the service must work with the pooler's defaults. */
function settings({ folder, host, serverPort, user }) {
  return `[databases]
* = host=${host} port=${serverPort} user=${user}
[pgbouncer]
listen_addr =
listen_port = ${NUMBER}
unix_socket_dir = ${folder}
auth_type = any
pool_mode = transaction
default_pool_size = 30
max_client_conn = 500
`;
}

/** Starts Debian's PgBouncer in transaction mode in front of a server. */
export async function startPgBouncer(databaseUrl) {
  const { username, searchParams } = new URL(databaseUrl);
  const folder = mkdtempSync(join(tmpdir(), 'waybill-pgbouncer-'));
  chmodSync(folder, 0o755);
  const account = process.getuid?.() === 0 ? NOBODY : {};
  if (account.uid !== undefined) chownSync(folder, account.uid, account.gid);
  const file = join(folder, 'pgbouncer.ini');
  const target = { host: searchParams.get('host'), serverPort: searchParams.get('port'), user: username };
  writeFileSync(file, settings({ folder, ...target }));
  let said = '';
  let child;
  let gone;
  const start = async () => {
    child = spawn('pgbouncer', [file], { ...account, env: { PATH }, stdio: ['ignore', 'ignore', 'pipe'] });
    child.stderr.on('data', (text) => (said = `${said}${text}`.slice(-10_000)));
    gone = new Promise((resolve) => child.once('exit', resolve));
    child.once('error', (error) => (said += error.message));
    for (let turn = 0; !(await accepts(join(folder, `.s.PGSQL.${NUMBER}`))); turn += 1) {
      if (turn > 100) throw new Error(`PgBouncer does not start (scripts/install-test-tools.sh installs it): ${said}`);
      await sleep(50);
    }
  };
  await start();
  return {
    url: `postgresql://${username}@localhost/${new URL(databaseUrl).pathname.slice(1)}?host=${folder}&port=${NUMBER}`,
    log: () => said,
    /** Kills it at once; resolves when it serves again. */
    async restart() {
      child.kill('SIGKILL');
      await gone;
      await start();
    },
    async stop() {
      child.kill('SIGTERM');
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function accepts(path) {
  return new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
