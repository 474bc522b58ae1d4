import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Server } from './server.js';

/** Number of restarts before the server must have run for a minute without failure. */
const MAX_RESTARTS = 5;
const STEADY_AFTER_MS = 60_000;
const PAUSES_MS = [100, 500, 1000, 2000, 4000];

export interface Supervised {
  /** Starts a server and resolves when it responds. */
  launch(): Promise<Server>;
  say(line: string): void;
  /** The server has exited and will not be restarted. */
  onLost(reason: string): void;
}

/** Restarts the server with backoff when it exits unexpectedly, and gives up if that does not help. */
export class Supervisor {
  private readonly stopping = new AbortController();
  private readonly supervision: Promise<void>;
  private launchedAt = Date.now();
  private restarts = 0;

  private constructor(
    private server: Server,
    private readonly supervised: Supervised,
  ) {
    this.supervision = this.supervise();
  }

  static async start(supervised: Supervised): Promise<Supervisor> {
    return new Supervisor(await supervised.launch(), supervised);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.supervision;
    await this.server.stop();
  }

  private async supervise(): Promise<void> {
    const { signal } = this.stopping;
    const stopped = once(signal, 'abort');
    for (;;) {
      await Promise.race([this.server.exited, stopped]);
      if (signal.aborted) return;
      if (Date.now() - this.launchedAt > STEADY_AFTER_MS) this.restarts = 0;
      const log = await this.server.lastLogLines();
      this.supervised.say(
        `PostgreSQL exited unexpectedly (${String(this.server.ending)}); restarting. Its log says:\n${log}`,
      );
      const failure = await this.restart(`it exited (${String(this.server.ending)}). Its log says:\n${log}`);
      if (failure !== undefined) {
        this.supervised.onLost(failure);
        return;
      }
    }
  }

  /** Undefined if the server runs again, or if stop() was called. */
  private async restart(firstReason: string): Promise<string | undefined> {
    let reason = firstReason;
    for (; this.restarts < MAX_RESTARTS; this.restarts++) {
      const { signal } = this.stopping;
      await sleep(PAUSES_MS[this.restarts], undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return undefined;
      try {
        this.launchedAt = Date.now();
        this.server = await this.supervised.launch();
        this.restarts += 1;
        this.supervised.say('PostgreSQL is running again');
        return undefined;
      } catch (error) {
        reason = error instanceof Error ? error.message : String(error);
        this.supervised.say(`PostgreSQL could not be restarted: ${reason}`);
      }
    }
    return reason;
  }
}
