import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

/** About ten milliseconds of work. */
const STARTS_PER_TURN = 32;

/** Health checks never wait: a busy service must not look dead. */
const HEALTH = '/health/';

/** Number of connections to accept before waiting requests get their turn. */
const ACCEPTED_PER_BATCH = 200;

/**
 * Starts requests in batches, one per turn of the event loop, and accepts connections first.
 *
 * Node accepts one connection per turn. If each request of a burst started as it arrived, every turn would be long, and a later
 * connection, such as a health check, would wait for as many long turns as there are connections ahead of it. So requests wait while
 * connections keep arriving.
 */
export class RequestBatches {
  private waiting: [request: IncomingMessage, response: ServerResponse][] = [];
  /** In this turn. */
  private started = 0;
  private accepted = false;
  private acceptedSinceBatch = 0;
  private nextTurnIsDue = false;

  constructor(private readonly start: RequestListener) {}

  connected(): void {
    this.accepted = true;
    this.acceptedSinceBatch += 1;
    this.awaitNextTurn();
  }

  request(request: IncomingMessage, response: ServerResponse): void {
    if (request.url?.startsWith(HEALTH)) this.start(request, response);
    else if (!this.accepted && this.waiting.length === 0 && this.started < STARTS_PER_TURN)
      this.startNow(request, response);
    else {
      this.waiting.push([request, response]);
      this.awaitNextTurn();
    }
  }

  private startNow(request: IncomingMessage, response: ServerResponse): void {
    this.started += 1;
    this.awaitNextTurn();
    this.start(request, response);
  }

  private awaitNextTurn(): void {
    if (this.nextTurnIsDue) return;
    this.nextTurnIsDue = true;
    setImmediate(() => this.nextTurn());
  }

  private nextTurn(): void {
    const { accepted } = this;
    this.nextTurnIsDue = false;
    this.started = 0;
    this.accepted = false;
    if (this.waiting.length === 0) return;
    this.awaitNextTurn();
    if (accepted && this.acceptedSinceBatch < ACCEPTED_PER_BATCH) return;
    this.acceptedSinceBatch = 0;
    const batch = this.waiting.slice(0, STARTS_PER_TURN);
    this.waiting = this.waiting.slice(STARTS_PER_TURN);
    for (const [request, response] of batch) if (!request.socket.destroyed) this.startNow(request, response);
  }
}
