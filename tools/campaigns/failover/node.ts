import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { chown, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client as Sql } from 'pg';
import { stringify } from 'yaml';
import { freePort } from '../../../test/support/http/free-port.js';
import { TcpProxy } from '../../../test/support/http/tcp-proxy.js';
import { Disk } from './disk.js';
import { ACCOUNT, endWithRun, Program, signalAll, withDescendants } from './processes.js';

export interface ClusterOptions {
  readonly synchronous: boolean;
  /** Patroni's lease: so long a primary that has fallen silent is believed to be there. */
  readonly ttl: number;
  /** Where PostgreSQL's programs are. */
  readonly binDir: string;
}

const DATA = 'disk/data';

/** A machine: Patroni, the PostgreSQL that it runs, and the network between it and everybody else. */
export class Node {
  private patroni: Program | undefined;

  private constructor(
    readonly name: string,
    private readonly folder: string,
    private readonly configFile: string,
    readonly disk: Disk,
    /** The address at which others reach this machine. */
    readonly postgres: TcpProxy,
    readonly rest: TcpProxy,
    /** The address at which this machine reaches etcd. */
    private readonly etcd: readonly TcpProxy[],
  ) {}

  static async create(
    name: string,
    folder: string,
    etcdPorts: readonly number[],
    options: ClusterOptions,
  ): Promise<Node> {
    mkdirSync(folder, { mode: 0o700 });
    if (ACCOUNT.uid !== undefined) await chown(folder, ACCOUNT.uid, ACCOUNT.gid);
    const disk = await Disk.in(join(folder, 'disk'));
    const [postgresPort, restPort] = [await freePort(), await freePort()];
    const [postgres, rest] = [await TcpProxy.start(postgresPort), await TcpProxy.start(restPort)];
    const etcd = await Promise.all(etcdPorts.map((port) => TcpProxy.start(port)));
    const configFile = join(folder, 'patroni.yml');
    writeFileSync(
      configFile,
      stringify(
        configuration(name, folder, options, {
          postgresPort,
          restPort,
          postgresProxy: postgres.port,
          restProxy: rest.port,
          etcd: etcd.map(({ port }) => port),
        }),
      ),
      { mode: 0o644 },
    );
    const node = new Node(name, folder, configFile, disk, postgres, rest, etcd);
    // A run that is broken off leaves no server behind.
    endWithRun(() => signalAll([node.postmaster() ?? 0].filter(Boolean), 'SIGQUIT'));
    endWithRun(() => disk.remove());
    return node;
  }

  start(): void {
    this.patroni = Program.start('patroni', [this.configFile], join(this.folder, 'patroni.log'));
  }

  get isRunning(): boolean {
    return this.patroni?.isRunning === true;
  }

  get dataFolder(): string {
    return join(this.folder, DATA);
  }

  /** Whether Patroni says that this is the primary and holds the lease. */
  async isPrimary(): Promise<boolean> {
    return (await this.statusOf('primary')) === 200;
  }

  async isStandby(): Promise<boolean> {
    return (await this.statusOf('replica')) === 200;
  }

  async isSynchronousStandby(): Promise<boolean> {
    return (await this.statusOf('synchronous')) === 200;
  }

  private statusOf(path: string): Promise<number | undefined> {
    return fetch(`http://127.0.0.1:${this.rest.port}/${path}`, { signal: AbortSignal.timeout(2000) }).then(
      ({ status }) => status,
      () => undefined,
    );
  }

  /** Hands its office over to a standby that has everything. */
  async switchOver(): Promise<void> {
    const response = await fetch(`http://127.0.0.1:${this.rest.port}/switchover`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ leader: this.name }),
    });
    if (!response.ok) throw new Error(`Patroni refuses to switch over: ${await response.text()}`);
  }

  /** Everything at once and without a word, as when a machine loses its power. */
  async kill(): Promise<void> {
    const all = await this.processes();
    signalAll(all, 'SIGSTOP');
    signalAll([...new Set([...all, ...(await this.processes())])], 'SIGKILL');
    await this.patroni?.end('SIGKILL');
  }

  async killPostgres(): Promise<void> {
    const pid = this.postmaster();
    if (pid !== undefined) signalAll(await withDescendants(pid), 'SIGKILL');
  }

  /**
   * Writes to the log until there is no place for more. Only committed entries will do: the standbys have to follow, or Patroni
   * counts them as too far behind to take over.
   */
  async useUpLog(): Promise<void> {
    const sql = new Sql({ host: '127.0.0.1', port: this.postgres.port, user: 'postgres', database: 'postgres' });
    sql.on('error', () => undefined);
    await sql.connect();
    const next = () => sql.query(`SELECT pg_logical_emit_message(true, 'ballast', repeat('x', 200000))`);
    for (let isGone = false; !isGone;)
      isGone = await next().then(
        () => false,
        () => true,
      );
    await sql.end().catch(() => undefined);
  }

  /** PostgreSQL keeps running, but nothing renews its lease. */
  async killPatroni(): Promise<void> {
    await this.patroni?.end('SIGKILL');
  }

  async freeze(): Promise<void> {
    signalAll(await this.processes(), 'SIGSTOP');
  }

  /** The standby keeps running, but receives nothing from its primary. */
  async freezeReceiver(): Promise<void> {
    signalAll(await this.receivers(), 'SIGSTOP');
  }

  /** Data on the way to a frozen receiver is lost: when it wakes up, it ends before it reads more. */
  async endReceiver(): Promise<void> {
    const receivers = await this.receivers();
    signalAll(receivers, 'SIGTERM');
    signalAll(receivers, 'SIGCONT');
  }

  async thaw(): Promise<void> {
    signalAll(await this.processes(), 'SIGCONT');
  }

  cut(): void {
    for (const proxy of this.network) proxy.cut();
  }

  /** Delayed data is delivered, as on a real network, unless its sender has given up. */
  mend(): void {
    for (const proxy of this.network) proxy.mend();
  }

  async stop(): Promise<void> {
    await this.thaw();
    await this.kill();
    for (const proxy of this.network) await proxy.stop();
    this.disk.remove();
  }

  private get network(): TcpProxy[] {
    return [this.postgres, this.rest, ...this.etcd];
  }

  private async receivers(): Promise<number[]> {
    const found: number[] = [];
    for (const pid of await this.processes()) {
      const name = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      if (name.includes('walreceiver')) found.push(pid);
    }
    return found;
  }

  private async processes(): Promise<number[]> {
    const roots = [this.patroni?.isRunning === true ? this.patroni.pid : undefined, this.postmaster()];
    const found = await Promise.all(roots.filter((pid) => pid !== undefined).map((pid) => withDescendants(pid)));
    return [...new Set(found.flat())];
  }

  /** Patroni starts PostgreSQL as a process of its own, which outlives it; a file that is left over may name somebody else's. */
  private postmaster(): number | undefined {
    try {
      const [pid = ''] = readFileSync(join(this.dataFolder, 'postmaster.pid'), 'utf8').split('\n');
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(this.dataFolder) ? Number(pid) : undefined;
    } catch {
      return undefined;
    }
  }
}

interface Ports {
  readonly postgresPort: number;
  readonly restPort: number;
  readonly postgresProxy: number;
  readonly restProxy: number;
  readonly etcd: readonly number[];
}

function configuration(name: string, folder: string, options: ClusterOptions, ports: Ports): object {
  return {
    scope: 'waybill',
    name,
    restapi: { listen: `127.0.0.1:${ports.restPort}`, connect_address: `127.0.0.1:${ports.restProxy}` },
    // Version 2 of etcd's interface, because with version 3 a primary that wakes up after its lease has ended may take the lease back
    // from its successor (Patroni before 3.0.3). Without use_proxies Patroni asks etcd for the addresses of its members, and goes past
    // the network that can be cut.
    etcd: { hosts: ports.etcd.map((port) => `127.0.0.1:${port}`), use_proxies: true },
    bootstrap: {
      dcs: {
        ttl: options.ttl,
        loop_wait: 1,
        retry_timeout: 3,
        // A PostgreSQL that crashed and cannot start again is given up as soon as one that fell silent.
        primary_start_timeout: options.ttl,
        // More than is written while the standbys are behind.
        maximum_lag_on_failover: 64 * 2 ** 20,
        synchronous_mode: options.synchronous,
        synchronous_mode_strict: options.synchronous,
        postgresql: {
          use_pg_rewind: true,
          use_slots: true,
          parameters: {
            max_connections: 100,
            wal_keep_size: '512MB',
            max_wal_size: '256MB',
            wal_log_hints: 'on',
            shared_buffers: '64MB',
            log_checkpoints: 'off',
            // A standby that has fallen silent is noticed before the primary's lease ends.
            wal_sender_timeout: '5s',
            wal_receiver_timeout: '5s',
            wal_retrieve_retry_interval: '500ms',
          },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
      pg_hba: ['local all all trust', 'host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
    },
    postgresql: {
      listen: `127.0.0.1:${ports.postgresPort}`,
      connect_address: `127.0.0.1:${ports.postgresProxy}`,
      data_dir: join(folder, DATA),
      bin_dir: options.binDir,
      pgpass: join(folder, 'pgpass'),
      authentication: {
        superuser: { username: 'postgres', password: 'postgres' },
        replication: { username: 'replicator', password: 'replicator' },
        rewind: { username: 'rewinder', password: 'rewinder' },
      },
      parameters: { unix_socket_directories: folder },
    },
    watchdog: { mode: 'off' },
  };
}
