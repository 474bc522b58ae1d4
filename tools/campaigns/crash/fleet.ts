import { setTimeout as sleep } from 'node:timers/promises';
import { Replica } from '../../../test/support/service/replica.js';
import { oneOf, type Random } from './random.js';

/** Several processes of the service on one database, so that the load continues while one of them restarts. */
export class Fleet {
  private readonly serving: Set<Replica>;

  private constructor(
    private readonly replicas: readonly Replica[],
    private readonly random: Random,
  ) {
    this.serving = new Set(replicas);
  }

  static async start(size: number, environment: Record<string, string>, random: Random): Promise<Fleet> {
    return new Fleet(await Promise.all(Array.from({ length: size }, () => Replica.start(environment))), random);
  }

  /** The port of any process that is up; of any at all when none is. */
  anyPort(): number {
    return oneOf(this.serving.size > 0 ? [...this.serving] : this.replicas, this.random).port;
  }

  /** Whether one can be killed while another serves. */
  get canLoseOne(): boolean {
    return this.serving.size > 1;
  }

  /**
   * Kills a process that serves at this moment, while another does. Resolves when it is gone; its successor starts, which is
   * tried so many times, as a supervisor does when the database fails it.
   */
  async killOne(starts = 1): Promise<{ started: Promise<void> }> {
    for (;;) {
      const ended = [...this.serving].find(({ isRunning }) => !isRunning);
      if (ended !== undefined) throw new Error(`The service ended unexpectedly: ${ended.lines.slice(-20).join('\n')}`);
      if (this.canLoseOne) {
        const victim = oneOf([...this.serving], this.random);
        this.serving.delete(victim);
        await victim.kill();
        return { started: startAgain(victim, starts).then(() => void this.serving.add(victim)) };
      }
      await sleep(5);
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.replicas.map((replica) => replica.kill()));
  }
}

async function startAgain(replica: Replica, starts: number): Promise<void> {
  for (let start = 1; ; start += 1) {
    try {
      await replica.startAgain();
      return;
    } catch (error) {
      if (start === starts) throw error;
    }
  }
}
