import type { Lifecycle } from '../operations/lifecycle.js';
import type { EventTail } from './event-tail.js';

/** Waits for new events, until the time is over, the client disconnects, or the service stops. */
export class Arrival {
  private hasNew = false;
  private isOver: boolean;
  private wake: () => void = () => undefined;
  private readonly cleanUp: readonly (() => void)[];

  /** Starts to listen now, so that it does not miss an event before the first wait. */
  constructor(tail: EventTail, lifecycle: Lifecycle, { ms, signal }: { ms: number; signal: AbortSignal }) {
    this.isOver = lifecycle.isDraining || signal.aborted;
    const end = () => {
      this.isOver = true;
      this.wake();
    };
    const arrived = () => {
      this.hasNew = true;
      this.wake();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
    this.cleanUp = [
      tail.follow(arrived),
      lifecycle.onDraining(end),
      () => clearTimeout(timer),
      () => signal.removeEventListener('abort', end),
    ];
  }

  /** Resolves to true when something has arrived since the last call, or to false when the wait is over. */
  async next(): Promise<boolean> {
    if (!this.hasNew && !this.isOver) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
    this.hasNew = false;
    return !this.isOver;
  }

  stop(): void {
    for (const step of this.cleanUp) step();
  }
}
