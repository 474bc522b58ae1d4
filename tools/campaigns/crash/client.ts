import { setTimeout as sleep } from 'node:timers/promises';
import { request, wasRefused, type HttpAnswer } from '../../../test/support/http/plain-http.js';
import { ANYBODY, replyOf, type Ledger, type Reply, type Write } from '../checker/ledger.js';

const FIRST_PAUSE_MS = 20;
const MAX_PAUSE_MS = 500;
const STUCK_AFTER_MS = 120_000;

/** Final statuses of these clients' writes. */
const FINAL = new Set([200, 201, 204, 412]);
const COME_AGAIN = new Set(['IDEMPOTENCY_IN_PROGRESS', 'UNAVAILABLE', 'OUTCOME_UNKNOWN']);

/** The token of each author, for a service that requires tokens. */
export type Authorizations = ReadonlyMap<string, string>;

/** Where the service is reached. */
export interface Address {
  anyPort(): number;
  /** Of a load balancer that speaks TLS. */
  readonly certificate?: Buffer;
}

export interface Read {
  readonly status: number;
  readonly body: unknown;
  readonly link: string | undefined;
}

/** A client whose answer may get lost: it repeats the same request with the same key until it is answered. */
export class Client {
  constructor(
    private readonly fleet: Address,
    private readonly ledger: Ledger,
    private readonly authorizations: Authorizations = new Map(),
  ) {}

  /** With `patience` 1 it gives up when no answer comes, and never learns whether it had an effect. */
  async send(write: Write, patience = Number.POSITIVE_INFINITY): Promise<Reply | undefined> {
    const stuck = Date.now() + STUCK_AFTER_MS;
    let pause = FIRST_PAUSE_MS;
    for (let attempt = 1; ; attempt += 1) {
      const answer = await this.attempt(write);
      const reply = answer && replyOf(answer);
      if (reply !== undefined && !COME_AGAIN.has(String(reply.body.code))) return this.close(write, reply);
      if (attempt >= patience) return undefined;
      if (Date.now() > stuck) {
        this.ledger.strange.push(`${write.key} is stuck; its last answer was ${answer?.body ?? 'none'}`);
        return undefined;
      }
      await sleep(pause * (0.5 + Math.random()));
      pause = Math.min(pause * 2, MAX_PAUSE_MS);
    }
  }

  async read(path: string): Promise<Record<string, unknown>> {
    return (await this.get(path)).body as Record<string, unknown>;
  }

  /** All pages of a list. */
  async readAll(path: string): Promise<Record<string, unknown>[]> {
    const items: Record<string, unknown>[] = [];
    for (let next: string | undefined = path; next !== undefined;) {
      const { body, link }: Read = await this.get(next);
      items.push(...(body as Record<string, unknown>[]));
      next = /^<([^>]+)>; rel="next"/.exec(link ?? '')?.[1];
    }
    return items;
  }

  /** Asks until it is answered. With a version that is known already, the answer may be 304. */
  async get(path: string, known?: string): Promise<Read> {
    const stuck = Date.now() + STUCK_AFTER_MS;
    const headers = { ...this.authorizationOf(), ...(known !== undefined && { 'If-None-Match': `"${known}"` }) };
    for (;;) {
      const answer = await this.ask({ method: 'GET', path, headers }).catch(() => undefined);
      if (answer !== undefined && (answer.status < 400 || answer.status === 404)) {
        this.ledger.operations += 1;
        const body: unknown = answer.body === '' ? undefined : JSON.parse(answer.body);
        return { status: answer.status, body, link: answer.headers['link'] as string | undefined };
      }
      if (answer !== undefined && answer.status !== 503) {
        this.ledger.strange.push(`GET ${path} was answered ${answer.status}: ${answer.body}`);
      }
      if (Date.now() > stuck) throw new Error(`GET ${path} is stuck; its last answer was ${answer?.body ?? 'none'}`);
      await sleep(FIRST_PAUSE_MS);
    }
  }

  private async attempt(write: Write): Promise<HttpAnswer | undefined> {
    const { key, method, path, body, spent, author } = write;
    // The request id identifies the write; history stores it with each entry.
    const headers = {
      ...this.authorizationOf(author),
      'Idempotency-Key': key,
      'X-Request-ID': key,
      ...(spent !== undefined && { 'If-Match': spent }),
    };
    const text = body && JSON.stringify(body);
    try {
      return await this.ask({ method, path, headers, body: text });
    } catch (error) {
      if (!wasRefused(error)) write.lost += 1;
      return undefined;
    }
  }

  /** One attempt, written down whatever comes of it. */
  private async ask(sent: Omit<Parameters<typeof request>[0], 'port' | 'certificate'>): Promise<HttpAnswer> {
    try {
      const answer = await request({ port: this.fleet.anyPort(), certificate: this.fleet.certificate, ...sent });
      this.ledger.attempted(sent.method, String(answer.status));
      return answer;
    } catch (error) {
      this.ledger.attempted(sent.method, wasRefused(error) ? 'refused' : 'lost');
      throw error;
    }
  }

  private authorizationOf(author?: string): Record<string, string> {
    const [anyone] = this.authorizations.keys();
    const value = this.authorizations.get(author ?? anyone ?? ANYBODY);
    return value === undefined ? {} : { Authorization: value };
  }

  private close(write: Write, reply: Reply): Reply {
    write.reply = reply;
    this.ledger.operations += 1;
    if (!FINAL.has(reply.status)) {
      this.ledger.strange.push(
        `${write.deed} ${write.key} was answered ${reply.status}: ${JSON.stringify(reply.body)}`,
      );
    }
    return reply;
  }
}
