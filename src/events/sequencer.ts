import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { describeCause } from '../problem/describe-cause.js';
import { EventTail } from './event-tail.js';
import { EventsConnection } from './events-connection.js';
import { NUMBER_EVENTS } from './events-sql.js';

/** The interval between two rounds, and the shortest pause after a long round. */
const BUSY_PAUSE_MS = 100;
const SHORTEST_PAUSE_MS = 20;
const MAX_IDLE_PAUSE_MS = { followed: 200, unfollowed: 500 };
const MAX_FAILURE_PAUSE_MS = 5000;

/** A batch of this size was probably cut off by its limit. */
const BACKLOG = 500;

/**
 * Numbers history entries, and lets the tail read the new events. Every replica runs it; in each round, the replica that gets the
 * database lock does the numbering, so no handover is needed when a replica stops.
 */
@Injectable()
export class Sequencer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Sequencer');
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<void> | undefined;
  private isStopped = false;
  private idleLooks = 0;
  private failures = 0;
  private readonly listeners: (() => void)[] = [];

  constructor(
    private readonly connection: EventsConnection,
    private readonly tail: EventTail,
  ) {}

  onApplicationBootstrap(): void {
    this.schedule(0);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.looking;
  }

  /** Calls back when this replica has numbered events. */
  onNumbered(listener: () => void): void {
    this.listeners.push(listener);
  }

  private schedule(pauseMs: number): void {
    if (this.isStopped) return;
    this.timer = setTimeout(() => {
      this.looking = this.look().then((pause) => this.schedule(pause));
    }, pauseMs).unref();
  }

  /** Runs one round, and returns the pause after it. */
  private async look(): Promise<number> {
    const began = performance.now();
    try {
      const [row] = await this.connection.query<{ numbered: number | null }>(NUMBER_EVENTS);
      if ((row?.numbered ?? 0) > 0) for (const listener of this.listeners) listener();
      await this.tail.refresh();
      this.failures = 0;
      // With a backlog, the next batch follows at once. Null: another replica is numbering.
      this.idleLooks = row?.numbered === 0 ? this.idleLooks + 1 : 0;
      return (row?.numbered ?? 0) >= BACKLOG
        ? 0
        : Math.max(SHORTEST_PAUSE_MS, this.pause() - (performance.now() - began));
    } catch (error) {
      this.failures += 1;
      if (this.failures === 1) this.logger.warn(`Numbering events failed; retrying: ${describeCause(error)}`);
      return Math.min(BUSY_PAUSE_MS * 2 ** this.failures, MAX_FAILURE_PAUSE_MS);
    }
  }

  /** The pause grows while nothing happens. */
  private pause(): number {
    const longest = MAX_IDLE_PAUSE_MS[this.tail.isFollowed ? 'followed' : 'unfollowed'];
    return Math.min(BUSY_PAUSE_MS * 1.05 ** this.idleLooks, longest);
  }
}
