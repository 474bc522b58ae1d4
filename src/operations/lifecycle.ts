import type { Preparation } from '../http/preparation.js';

/** Whether the service is on its way out, and whether its clients should look for another. One per process. */
export class Lifecycle {
  private draining = false;
  private sendsAway = false;

  get isDraining(): boolean {
    return this.draining;
  }

  beginDraining(): void {
    this.draining = true;
    this.sendsAway = true;
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
