import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts, Replica } from './replica.js';

/** The service as several processes on one database, so that load goes on while one of them comes up again. */
export class Fleet {
  private constructor(private readonly replicas: readonly Replica[]) {}

  static async start(size: number, environment: NodeJS.ProcessEnv): Promise<Fleet> {
    const ports = await freePorts(size);
    const fleet = new Fleet(ports.map((port) => new Replica(port, environment)));
    process.once('exit', () => fleet.replicas.forEach((replica) => replica.killAtExit()));
    try {
      await Promise.all(fleet.replicas.map((replica) => replica.start()));
    } catch (error) {
      await fleet.stop();
      throw error;
    }
    return fleet;
  }

  /** The port of any process that is up; of any at all when none is. */
  anyPort(): number {
    const up = this.replicas.filter(({ ready }) => ready);
    return oneOf(up.length > 0 ? up : this.replicas).port;
  }

  /** Whether one can be killed while another serves. */
  get canLoseOne(): boolean {
    return this.replicas.filter(({ ready }) => ready).length > 1;
  }

  /** Kills a process that serves at this moment, while another does. Resolves when it is gone; its successor starts. */
  async killOne(): Promise<{ started: Promise<void> }> {
    for (;;) {
      const failed = this.replicas.find(({ ownEnd }) => ownEnd !== undefined);
      if (failed !== undefined) throw new Error(`The service ended by itself: ${String(failed.ownEnd)}`);
      if (this.canLoseOne) {
        const victim = oneOf(this.replicas.filter(({ ready }) => ready));
        await victim.kill();
        return { started: victim.start() };
      }
      await sleep(5);
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.replicas.map((replica) => replica.kill()));
  }
}

export function oneOf<Item>(items: readonly Item[]): Item {
  const item = items[Math.floor(Math.random() * items.length)];
  if (item === undefined) throw new Error('There is nothing to choose from');
  return item;
}
