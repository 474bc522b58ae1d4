import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Client as Sql } from 'pg';
import { eventually } from '../../../test/support/races/eventually.js';
import { Etcd } from './etcd.js';
import { HaProxy } from './haproxy.js';
import { Node, type ClusterOptions } from './node.js';

const FORM_WITHIN_MS = 180_000;

/** Three PostgreSQL nodes under Patroni with etcd, and HAProxy in front, on this machine. */
export class Cluster {
  private constructor(
    /** Also of the logs of all its parts. */
    readonly folder: string,
    readonly etcd: Etcd,
    readonly nodes: readonly Node[],
    readonly haProxy: HaProxy,
    private readonly synchronous: boolean,
  ) {}

  static async start(options: ClusterOptions): Promise<Cluster> {
    // The path of a unix socket must stay short.
    const folder = mkdtempSync('/tmp/wbha-');
    chmodSync(folder, 0o755);
    const etcd = await Etcd.start(folder);
    const nodes: Node[] = [];
    for (const name of ['node1', 'node2', 'node3']) {
      nodes.push(await Node.create(name, join(folder, name), etcd.clientPorts, options));
    }
    for (const node of nodes) node.start();
    const cluster = new Cluster(folder, etcd, nodes, await HaProxy.start(folder, nodes), options.synchronous);
    await cluster.untilComplete();
    const sql = await cluster.connect('postgres');
    await sql.query('CREATE DATABASE waybill');
    await sql.end();
    return cluster;
  }

  get url(): string {
    return `postgresql://postgres@127.0.0.1:${this.haProxy.port}/waybill?sslmode=disable`;
  }

  /** As clients reach it. */
  async connect(database = 'waybill'): Promise<Sql> {
    const sql = new Sql({
      connectionString: this.url.replace('/waybill', `/${database}`),
      connectionTimeoutMillis: 5000,
    });
    sql.on('error', () => undefined);
    await sql.connect();
    return sql;
  }

  async primary(): Promise<Node> {
    let found: Node | undefined;
    await eventually(
      async () => {
        found = await this.findPrimary();
        return found !== undefined;
      },
      FORM_WITHIN_MS,
      'there is a primary',
    );
    if (found === undefined) throw new Error('There is no primary');
    return found;
  }

  async findPrimary(): Promise<Node | undefined> {
    for (const node of this.nodes) if (await node.isPrimary()) return node;
    return undefined;
  }

  /**
   * One primary, and all others follow it. With synchronous replication one of them has to be named synchronous, too: Patroni lets
   * no other take over, so a primary that is lost before that has no successor.
   */
  async untilComplete(): Promise<void> {
    await eventually(
      async () => {
        const primaries = await Promise.all(this.nodes.map((node) => node.isPrimary()));
        const standbys = await Promise.all(this.nodes.map((node) => node.isStandby()));
        const synchronous = await Promise.all(this.nodes.map((node) => node.isSynchronousStandby()));
        const isSafe = count(synchronous) > 0 || !this.synchronous;
        return count(primaries) === 1 && count(standbys) === this.nodes.length - 1 && isSafe;
      },
      FORM_WITHIN_MS,
      'the cluster is complete',
    ).catch((error: unknown) => {
      throw new Error(`${String(error)}; logs are in ${this.folder}: ${readdirSync(this.folder).join(', ')}`);
    });
  }

  async stop(keepsLogs: boolean): Promise<void> {
    await this.haProxy.stop();
    for (const node of this.nodes) await node.stop();
    await this.etcd.stop();
    if (!keepsLogs) rmSync(this.folder, { recursive: true, force: true });
  }
}

function count(values: readonly boolean[]): number {
  return values.filter(Boolean).length;
}
