import { mkdirSync } from 'node:fs';
import { chown } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '../../../test/support/races/eventually.js';
import { freePort } from '../../../test/support/http/free-port.js';
import { ACCOUNT, Program, signalAll } from './processes.js';

interface Member {
  readonly name: string;
  readonly clientPort: number;
  readonly peerPort: number;
}

/** Three members of etcd, which decides who is the primary: one may be lost, two may not. */
export class Etcd {
  private constructor(
    private readonly members: readonly Member[],
    private readonly programs: readonly Program[],
  ) {}

  static async start(folder: string): Promise<Etcd> {
    const members: Member[] = [];
    for (const name of ['etcd1', 'etcd2', 'etcd3']) {
      members.push({ name, clientPort: await freePort(), peerPort: await freePort() });
    }
    const cluster = members.map(({ name, peerPort }) => `${name}=http://127.0.0.1:${peerPort}`).join();
    const programs: Program[] = [];
    for (const { name, clientPort, peerPort } of members) {
      const data = join(folder, name);
      mkdirSync(data, { mode: 0o700 });
      if (ACCOUNT.uid !== undefined) await chown(data, ACCOUNT.uid, ACCOUNT.gid);
      const [client, peer] = [`http://127.0.0.1:${clientPort}`, `http://127.0.0.1:${peerPort}`];
      const options = {
        name,
        'data-dir': data,
        'listen-client-urls': client,
        'advertise-client-urls': client,
        'listen-peer-urls': peer,
        'initial-advertise-peer-urls': peer,
        'initial-cluster': cluster,
        // On a busy machine a heartbeat may be late without anybody being dead.
        'heartbeat-interval': '200',
        'election-timeout': '2000',
      };
      // Patroni uses version 2 of the interface, see node.ts.
      const words = ['--enable-v2', ...Object.entries(options).flatMap(([option, value]) => [`--${option}`, value])];
      programs.push(Program.start('etcd', words, join(folder, `${name}.log`), { ETCD_UNSUPPORTED_ARCH: 'arm64' }));
    }
    const etcd = new Etcd(members, programs);
    await eventually(() => etcd.isHealthy(), 60_000, 'etcd has a quorum');
    return etcd;
  }

  get clientPorts(): number[] {
    return this.members.map(({ clientPort }) => clientPort);
  }

  /** Two of three: nobody can take or keep the leader's lease. */
  loseQuorum(): void {
    signalAll(this.pids.slice(0, 2), 'SIGSTOP');
  }

  regainQuorum(): void {
    signalAll(this.pids, 'SIGCONT');
  }

  async stop(): Promise<void> {
    this.regainQuorum();
    await Promise.all(this.programs.map((program) => program.end('SIGKILL')));
  }

  private get pids(): number[] {
    return this.programs.map(({ pid }) => pid);
  }

  private async isHealthy(): Promise<boolean> {
    const answers = await Promise.all(
      this.clientPorts.map((port) =>
        fetch(`http://127.0.0.1:${port}/health`).then(
          async (response) => (await response.text()).includes('true'),
          () => false,
        ),
      ),
    );
    return answers.every(Boolean);
  }
}
