import { setTimeout as sleep } from 'node:timers/promises';
import { examine, type Findings } from '../crash/aftermath.js';
import { Client } from '../crash/client.js';
import { ANYBODY, Ledger } from '../checker/ledger.js';
import { Load } from '../crash/load.js';
import type { Random } from '../crash/random.js';
import { eventually } from '../../../test/support/races/eventually.js';
import { Nginx } from '../../../test/support/http/nginx.js';
import { Replica } from '../../../test/support/service/replica.js';
import { Cluster } from './cluster.js';
import type { ClusterFault } from './faults.js';
import type { ClusterOptions } from './node.js';
import { Outage, takeOver } from './outage.js';

const PATIENCE_MS = 180_000;
const BEFORE_MS = 3000;
const CLIENTS = 8;
const HOT_SHIPMENTS = 4;
const LOG_LINES = 10;

export interface CampaignOptions extends ClusterOptions {
  readonly random: Random;
  /** How many writes have to be accepted around each fault, at least. */
  readonly writes: number;
}

/** The consequences of a fault. */
export interface Round {
  readonly name: string;
  /** The longest time without an accepted write. */
  readonly outageMs: number;
  /** Until Patroni said that another node is the primary. */
  readonly takeOverMs: number | undefined;
  readonly accepted: number;
  readonly findings: Findings;
}

/** A cluster, two replicas of the service on it, and nginx in front of them, through which clients write all the time. */
export class Campaign {
  readonly ledger = new Ledger();
  private readonly client: Client;

  private constructor(
    private readonly cluster: Cluster,
    private readonly replicas: readonly Replica[],
    private readonly nginx: Nginx,
    private readonly options: CampaignOptions,
  ) {
    const address = { anyPort: () => nginx.port, certificate: nginx.certificate.cert };
    this.client = new Client(address, this.ledger);
  }

  static async start(options: CampaignOptions): Promise<Campaign> {
    const cluster = await Cluster.start(options);
    const environment = { DATABASE_URL: cluster.url, LOG_LEVEL: 'error', DRAIN_DELAY_MS: '0' };
    // One after the other: the first migrates.
    const [first, second] = [await Replica.start(environment), await Replica.start(environment)];
    const nginx = await Nginx.start([first.port, second.port]);
    return new Campaign(cluster, [first, second], nginx, options);
  }

  /** One fault under load, and all that must hold after it. */
  async endure(fault: ClusterFault): Promise<Round> {
    const { client, ledger, cluster } = this;
    const { random, writes } = this.options;
    await cluster.untilComplete();
    const load = new Load(client, ledger, {
      clients: CLIENTS,
      authors: [ANYBODY],
      random,
      reads: 0.4,
      repeats: 0.02,
      thinksMs: 5,
      alwaysBusy: 1,
      restorer: () => client,
    });
    await load.prepare(HOT_SHIPMENTS);
    const before = ledger.accepted.length;
    const running = load.run(() => true);
    const outage = new Outage(client, ledger);
    await sleep(BEFORE_MS);
    const primary = await cluster.primary();
    const began = performance.now();
    const end = await fault.begin(cluster, primary);
    let isOver = false;
    const takenOver = takeOver(cluster, primary, began, () => isOver);
    await end();
    const ended = performance.now();
    await eventually(() => outage.hasAcceptedSince(ended), PATIENCE_MS, 'writes are accepted again');
    isOver = true;
    const isEnough = () => ledger.accepted.length - before >= writes;
    await eventually(isEnough, PATIENCE_MS, `${writes} writes are accepted`);
    load.stop();
    await outage.stop();
    await running;
    return {
      name: fault.name,
      outageMs: outage.longestSince(began),
      takeOverMs: await takenOver,
      accepted: ledger.accepted.length - before,
      findings: await this.findings(),
    };
  }

  /** The last log lines of the replicas, and the location of the cluster's logs. */
  get logs(): string[] {
    const last = this.replicas.flatMap(({ port, lines }) =>
      lines.slice(-LOG_LINES).map((line) => `${port}: ${line.slice(0, 300)}`),
    );
    return [...last, `The logs of the cluster are in ${this.cluster.folder}`];
  }

  async stop(keepsLogs: boolean): Promise<void> {
    await this.nginx.stop();
    for (const replica of this.replicas) await replica.kill();
    await this.cluster.stop(keepsLogs);
  }

  private async findings(): Promise<Findings> {
    const sql = await this.cluster.connect();
    try {
      return await examine(this.ledger, this.client, sql);
    } finally {
      await sql.end();
    }
  }
}
