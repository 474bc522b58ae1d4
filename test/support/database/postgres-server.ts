import { randomUUID } from 'node:crypto';
import { chown, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { chooseAccount, makeFolder, type Account } from '../../../packages/embedded-postgres/src/account.js';
import { findBinaries } from '../../../packages/embedded-postgres/src/binaries.js';
import { ensureCluster } from '../../../packages/embedded-postgres/src/cluster.js';
import { Server } from '../../../packages/embedded-postgres/src/server.js';
import { SUPERUSER } from '../../../packages/embedded-postgres/src/settings.js';
import { temporaryFolder } from '../../../packages/embedded-postgres/src/throwaway-postgres.js';
import { eventually } from '../races/eventually.js';
import { freePort } from '../http/free-port.js';

/** Survives a killed process, but not a power failure. */
const SETTINGS = { fsync: 'off', max_connections: '50', timezone: 'UTC', log_checkpoints: 'off' };

export interface ServerOptions {
  readonly settings?: Record<string, string>;
  readonly folder?: string;
  /** The folder with the programs of a PostgreSQL other than the embedded one. */
  readonly binDir?: string;
}

/** A separate PostgreSQL server, for tests that kill or break it. */
export class PostgresServer {
  private server: Server | undefined;

  private constructor(
    readonly port: number,
    private readonly folder: string,
    private readonly programs: { initdb: string; postgres: string },
    private readonly account: Account | undefined,
    private readonly settings: Record<string, string>,
  ) {}

  static async start({ settings = {}, folder, binDir }: ServerOptions = {}): Promise<PostgresServer> {
    const home = folder ?? join(await temporaryFolder(), `waybill-fault-${randomUUID()}`);
    const account = await chooseAccount(home);
    const programs =
      binDir === undefined
        ? await findBinaries(account, () => undefined)
        : { initdb: join(binDir, 'initdb'), postgres: join(binDir, 'postgres') };
    await makeFolder(home);
    const server = new PostgresServer(await freePort(), home, programs, account, { ...SETTINGS, ...settings });
    await ensureCluster(programs.initdb, server.cluster, account);
    await server.startAgain();
    return server;
  }

  get cluster(): string {
    return join(this.folder, 'cluster');
  }

  get url(): string {
    return this.urlOf('postgres');
  }

  urlOf(database: string, user = SUPERUSER): string {
    return `postgresql://${user}@127.0.0.1:${this.port}/${database}?sslmode=disable`;
  }

  /** Works after a crash too: waits until the old server is gone. */
  async startAgain(extra: Record<string, string> = {}): Promise<void> {
    const settings = { ...this.settings, ...extra, listen_addresses: '127.0.0.1', port: String(this.port) };
    const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    await eventually(
      async () => {
        if (this.server === undefined || this.server.ending !== undefined) {
          this.server = await Server.launch({
            program: this.programs.postgres,
            arguments: ['-D', this.cluster, '-k', this.cluster, ...options],
            account: this.account,
            folder: this.cluster,
            logFile: join(this.folder, 'server.log'),
          });
        }
        return this.sql('SELECT 1').then(
          () => true,
          () => false,
        );
      },
      30_000,
      'PostgreSQL answers',
    );
  }

  /** Restarts it as a standby, which is read-only until it is promoted. */
  async restartAsStandby(): Promise<void> {
    await this.stop();
    const signalFile = join(this.cluster, 'standby.signal');
    await writeFile(signalFile, '');
    const { uid, gid } = await stat(this.cluster);
    await chown(signalFile, uid, gid);
    await this.startAgain();
  }

  async stop(): Promise<void> {
    await this.server?.stop();
    this.server = undefined;
  }

  /** Kills all its processes at once, like a power failure. */
  async kill(): Promise<void> {
    const all = await this.processes();
    for (const pid of all) signal(pid, 'SIGSTOP');
    for (const pid of await this.processes()) signal(pid, 'SIGKILL');
    await eventually(() => this.server?.ending !== undefined, 5000, 'PostgreSQL is dead');
    this.server = undefined;
  }

  async freeze(): Promise<void> {
    for (const pid of await this.processes()) signal(pid, 'SIGSTOP');
  }

  async thaw(): Promise<void> {
    for (const pid of await this.processes()) signal(pid, 'SIGCONT');
  }

  async remove(): Promise<void> {
    await this.thaw();
    await this.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Runs one statement on a new connection. */
  async sql<Row extends object>(text: string, values: unknown[] = [], database = 'postgres'): Promise<Row[]> {
    const client = new Client({
      connectionString: this.urlOf(database),
      connectionTimeoutMillis: 5000,
      // Allows the test to undo a read-only setting.
      options: '-c default_transaction_read_only=off',
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return (await client.query<Row>(text, values)).rows;
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  private async processes(): Promise<number[]> {
    const { pid } = this.server ?? {};
    if (pid === undefined) return [];
    const others = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
    const parents = await Promise.all(others.map(async (other) => ({ other, parent: await parentOf(other) })));
    return [pid, ...parents.filter(({ parent }) => parent === pid).map(({ other }) => other)];
  }
}

async function parentOf(pid: number): Promise<number | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const parent = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1];
  return parent === undefined ? undefined : Number(parent);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has already ended.
  }
}
