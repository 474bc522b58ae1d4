import { Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { describeCause } from '../problem/failures.js';

const FIRST_RETRY_MS = 200;

/** Work that every replica repeats while it runs: one round at a time, with a pause between them that `wake` ends. */
export abstract class BackgroundLoop implements OnApplicationBootstrap, BeforeApplicationShutdown {
  protected readonly logger: Logger;
  protected isStopped = false;
  protected running: Promise<void> | undefined;
  /** Loops with work as soon as this one has done some. */
  readonly followers: BackgroundLoop[] = [];
  private timer: NodeJS.Timeout | undefined;
  /** During the current round. */
  private isWoken = false;
  private failures = 0;

  /** `work` completes the log line "... failed; retrying". After failures, the pause grows up to `maxRetryMs`. */
  constructor(
    context: string,
    private readonly work: string,
    private readonly maxRetryMs: number,
  ) {
    this.logger = new Logger(context);
  }

  /** Does the work once. Returns the pause before the next round, in milliseconds. */
  protected abstract round(): Promise<number>;

  onApplicationBootstrap(): void | Promise<void> {
    this.wake();
  }

  /** Resolves when the current round has ended. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  /** Starts a round now, or after the current one. */
  wake(): void {
    this.isWoken = this.running !== undefined;
    if (this.isStopped || this.isWoken) return;
    clearTimeout(this.timer);
    this.running = this.runRound();
  }

  protected wakeFollowers(): void {
    for (const follower of this.followers) follower.wake();
  }

  private async runRound(): Promise<void> {
    let pauseMs: number;
    try {
      pauseMs = await this.round();
      this.failures = 0;
    } catch (error) {
      if (this.failures === 0) this.logger.warn(`${this.work} failed; retrying: ${describeCause(error)}`);
      pauseMs = Math.min(FIRST_RETRY_MS * 2 ** this.failures, this.maxRetryMs);
      this.failures += 1;
    }
    this.running = undefined;
    if (!this.isStopped) this.timer = setTimeout(() => this.wake(), this.isWoken ? 0 : pauseMs).unref();
  }
}
