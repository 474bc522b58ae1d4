import type { Preparation } from '../http/preparation.js';
import { unavailable } from '../problem/problem.js';

/** Whether the service is shutting down, and whether clients should connect to another replica. One per process. */
export class Lifecycle {
  private draining = false;
  private sendsAway = false;
  private readonly listeners = new Set<() => void>();

  get isDraining(): boolean {
    return this.draining;
  }

  beginDraining(): void {
    this.draining = true;
    this.sendsAway = true;
    for (const listener of this.listeners) listener();
  }

  /** 503 for what would outlast the shutdown. */
  refuseWhileDraining(): void {
    if (this.draining) throw unavailable('The service is stopping. Ask again: another replica will answer.');
  }

  /** Calls back when draining begins, unless the function that it returns was called before. */
  onDraining(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Whether answers ask their client to open its next connection elsewhere. */
  sendClientsAway(away: boolean): void {
    this.sendsAway = away;
  }

  closeConnections(): Preparation {
    return (_, response) => {
      if (this.sendsAway) response.setHeader('Connection', 'close');
    };
  }
}
