import { setMaxListeners } from 'node:events';
import type { BeforeRouting } from '../http/request-head.js';
import { unavailable } from '../problem/problem.js';

export class Lifecycle {
  private readonly shutdown = new AbortController();
  readonly draining = this.shutdown.signal;
  private sendsAway = false;

  constructor() {
    // Every waiting request listens.
    setMaxListeners(0, this.draining);
  }

  beginDraining(): void {
    this.sendsAway = true;
    this.shutdown.abort();
  }

  /** 503 for requests that would outlast the shutdown. */
  rejectWhileDraining(): void {
    if (this.draining.aborted)
      throw unavailable('The service is shutting down. Try again: another replica will respond.');
  }

  /** Whether responses ask clients to reconnect to another replica. */
  sendClientsAway(away: boolean): void {
    this.sendsAway = away;
  }

  closeConnections(): BeforeRouting {
    return (_, response) => {
      if (this.sendsAway) response.setHeader('Connection', 'close');
    };
  }
}
