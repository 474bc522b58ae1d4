import type { RequestHandler } from 'express';

/** Whether the service is on its way out. One per process. */
export class Lifecycle {
  private draining = false;

  get isDraining(): boolean {
    return this.draining;
  }

  beginDraining(): void {
    this.draining = true;
  }

  /** While the service drains, every answer asks its client to open its next connection elsewhere. */
  closeConnections(): RequestHandler {
    return (_, response, next) => {
      if (this.draining) response.setHeader('Connection', 'close');
      next();
    };
  }
}
