import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../../../test/support/races/eventually.js';
import type { Cluster } from './cluster.js';
import { Disk } from './disk.js';
import type { Node } from './node.js';

const PATIENCE_MS = 180_000;
const BEHIND_MS = 2000;

/** Something that goes wrong, from its beginning to the moment at which its cause is gone. */
export interface ClusterFault {
  readonly name: string;
  /** Begins the fault. Returns a function that ends it. */
  begin(cluster: Cluster, primary: Node): Promise<() => Promise<void>>;
}

/** Another node is the primary. */
async function untilOther(cluster: Cluster, former: Node): Promise<void> {
  const isOther = async () => {
    const found = await cluster.findPrimary();
    return found !== undefined && found !== former;
  };
  await eventually(isOther, PATIENCE_MS, 'another node takes over');
}

export function clusterFaults(ttl: number): ClusterFault[] {
  const longerThanLease = ttl * 1000 + 5000;
  return [
    {
      name: 'primary: machine killed',
      async begin(cluster, primary) {
        await primary.kill();
        return async () => {
          await untilOther(cluster, primary);
          primary.start();
        };
      },
    },
    {
      name: 'primary: machine killed while the standbys are behind',
      async begin(cluster, primary) {
        const standbys = cluster.nodes.filter((node) => node !== primary);
        for (const standby of standbys) await standby.freezeReceiver();
        await sleep(BEHIND_MS);
        await primary.kill();
        for (const standby of standbys) await standby.endReceiver();
        return async () => {
          await untilOther(cluster, primary);
          primary.start();
        };
      },
    },
    {
      name: 'primary: PostgreSQL killed',
      async begin(_, primary) {
        await primary.killPostgres();
        return () => Promise.resolve();
      },
    },
    {
      name: 'primary: Patroni killed alone',
      async begin(cluster, primary) {
        await primary.killPatroni();
        return async () => {
          await untilOther(cluster, primary);
          primary.start();
        };
      },
    },
    {
      name: 'primary: network cut',
      begin(cluster, primary) {
        primary.cut();
        return Promise.resolve(async () => {
          await untilOther(cluster, primary);
          await sleep(2000);
          primary.mend();
        });
      },
    },
    {
      name: 'primary: paused for longer than its lease',
      async begin(cluster, primary) {
        await primary.freeze();
        return async () => {
          await untilOther(cluster, primary);
          await primary.thaw();
        };
      },
    },
    ...(Disk.canBeMounted ? [fullDisk(longerThanLease)] : []),
    {
      name: 'planned switchover',
      async begin(cluster, primary) {
        await primary.switchOver();
        return () => untilOther(cluster, primary);
      },
    },
    {
      name: 'standby: machine killed',
      async begin(cluster) {
        const standby = await synchronousStandby(cluster);
        await standby.kill();
        return async () => {
          await sleep(longerThanLease);
          standby.start();
        };
      },
    },
    {
      name: 'etcd without quorum',
      begin({ etcd }) {
        etcd.loseQuorum();
        return Promise.resolve(async () => {
          await sleep(longerThanLease);
          etcd.regainQuorum();
        });
      },
    },
  ];
}

/**
 * PostgreSQL stops at the first segment of its log that it cannot write, and cannot start until there is room. Patroni 3.0 tries that
 * again and again, and whether a standby takes over meanwhile is left to it.
 */
function fullDisk(forMs: number): ClusterFault {
  return {
    name: 'primary: disk full',
    async begin(_, primary) {
      primary.disk.fill();
      await primary.useUpLog();
      return async () => {
        await sleep(forMs);
        primary.disk.clear();
      };
    },
  };
}

/** The one that commits wait for; with asynchronous replication, any. */
async function synchronousStandby(cluster: Cluster): Promise<Node> {
  for (const node of cluster.nodes) if (await node.isSynchronousStandby()) return node;
  const primary = await cluster.primary();
  const other = cluster.nodes.find((node) => node !== primary);
  if (other === undefined) throw new Error('There is no standby');
  return other;
}
