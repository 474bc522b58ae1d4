import type { Preparation } from '../http/request-head.js';
import { unavailable } from '../problem/problem.js';

/** The shutdown state of the process. */
export class Lifecycle {
  isDraining = false;
  private sendsAway = false;
  private readonly listeners = new Set<() => void>();

  beginDraining(): void {
    this.isDraining = true;
    this.sendsAway = true;
    for (const listener of this.listeners) listener();
  }

  /** 503 for requests that would outlast the shutdown. */
  refuseWhileDraining(): void {
    if (this.isDraining) throw unavailable('The service is shutting down. Try again: another replica will respond.');
  }

  /** Calls back when draining begins; returns a function that unsubscribes. */
  onDraining(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Whether responses ask clients to reconnect to another replica. */
  sendClientsAway(away: boolean): void {
    this.sendsAway = away;
  }

  closeConnections(): Preparation {
    return (_, response) => {
      if (this.sendsAway) response.setHeader('Connection', 'close');
    };
  }
}
