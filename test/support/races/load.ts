import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Json } from '../http/api.js';

/** The parts of a response that the load needs. */
export interface LoadAnswer {
  readonly status: number;
  readonly body: Json;
  readonly headers: IncomingHttpHeaders;
}

export type Send = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<LoadAnswer>;

/** A write that got 2xx. */
export interface AcceptedWrite {
  readonly id: string;
  readonly eTag: string;
  readonly mark: string;
}

export interface LoadOptions {
  readonly writers: number;
  readonly readers: number;
  /** At first; `Load.pauseMs` says what it is. */
  readonly pauseMs: number;
}

/** Steady traffic: writers that each change their own record and create others, and readers. Records everything. */
export class Load {
  readonly accepted: AcceptedWrite[] = [];
  /** Counts of outcomes, such as `PATCH 200`. */
  readonly outcomes = new Map<string, number>();
  /** Unexpected responses other than a correct 503. */
  readonly faults: string[] = [];
  /** Pause between two requests of a client. */
  pauseMs: number;
  private running = true;
  private readonly clients: Promise<void>[] = [];

  constructor(
    private readonly send: Send,
    private readonly options: LoadOptions,
  ) {
    this.pauseMs = options.pauseMs;
  }

  start(): this {
    const { writers, readers } = this.options;
    for (let index = 0; index < writers; index += 1) this.clients.push(this.write());
    for (let index = 0; index < readers; index += 1) this.clients.push(this.read());
    return this;
  }

  async stop(): Promise<void> {
    this.running = false;
    await Promise.all(this.clients);
  }

  count(outcome: RegExp): number {
    return [...this.outcomes].reduce((sum, [name, count]) => (outcome.test(name) ? sum + count : sum), 0);
  }

  /** Two thirds are conditional changes to the writer's own shipment, one third are new moves. */
  private async write(): Promise<void> {
    let own: Json;
    for (let turn = 0; this.running; turn += 1) {
      const mark = randomUUID();
      if (own === undefined) {
        own = (await this.ask('POST', '/v1/shipments', { shipmentType: 'HHG', customerRemarks: mark }, mark))?.body;
      } else if (turn % 3 === 0) {
        await this.ask('POST', '/v1/moves', { orderID: mark }, mark);
      } else {
        const changed = await this.ask('PATCH', `/v1/shipments/${own.id}`, { customerRemarks: mark }, mark, own.eTag);
        // After an unknown outcome, read the record.
        own = changed?.body ?? { ...own, eTag: await this.newestETag(own) };
      }
      await sleep(this.pauseMs);
    }
  }

  private async newestETag(own: Json): Promise<string> {
    const found = await this.ask('GET', `/v1/shipments/${own.id}`);
    return found?.body.eTag ?? own.eTag;
  }

  private async read(): Promise<void> {
    while (this.running) {
      await this.ask('GET', '/v1/shipments?limit=5');
      await sleep(this.pauseMs);
    }
  }

  /** Returns a 2xx response; counts and checks all others. */
  private async ask(
    method: string,
    path: string,
    body?: unknown,
    mark?: string,
    eTag?: string,
  ): Promise<LoadAnswer | undefined> {
    const headers: Record<string, string> = eTag === undefined ? {} : { 'If-Match': eTag };
    const answer = await this.send(method, path, body, headers).catch((error: unknown) => String(error));
    const outcome = `${method} ${typeof answer === 'string' ? answer : answer.status}`;
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
    if (typeof answer === 'string') {
      this.faults.push(outcome);
      return undefined;
    }
    if (answer.status === 200 || answer.status === 201) {
      if (mark !== undefined) this.accepted.push({ id: answer.body.id, eTag: answer.body.eTag, mark });
      return answer;
    }
    // A write whose response was lost may have been done; then the writer's eTag is stale.
    if (!isProper503(answer) && answer.status !== 412) this.faults.push(`${outcome} ${JSON.stringify(answer.body)}`);
    return undefined;
  }
}

/** Retry-After is only valid if nothing was written. */
function isProper503({ status, body, headers }: LoadAnswer): boolean {
  const mayRetry = headers['retry-after'] !== undefined;
  return status === 503 && body?.code === (mayRetry ? 'UNAVAILABLE' : 'OUTCOME_UNKNOWN');
}
