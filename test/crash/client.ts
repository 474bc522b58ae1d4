import { setTimeout as sleep } from 'node:timers/promises';
import { request, wasRefused, type HttpAnswer } from '../support/plain-http.js';
import type { Fleet } from './fleet.js';
import type { Ledger, Reply, Write } from './ledger.js';

const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 500;
const STUCK_AFTER_MS = 60_000;

/** What these clients' requests can be answered with for good. */
const FINAL = new Set([200, 201, 204, 412]);
const COME_AGAIN = new Set(['IDEMPOTENCY_IN_PROGRESS', 'UNAVAILABLE']);

/** A client whose answer may get lost: it repeats the same request with the same key until it is answered. */
export class Client {
  constructor(
    private readonly fleet: Fleet,
    private readonly ledger: Ledger,
  ) {}

  /** With `patience` 1 it gives up when no answer comes, and never learns whether it had an effect. */
  async send(write: Write, patience = Number.POSITIVE_INFINITY): Promise<Reply | undefined> {
    const stuck = Date.now() + STUCK_AFTER_MS;
    let pause = FIRST_PAUSE_MS;
    for (let attempt = 1; ; attempt += 1) {
      const answer = await this.attempt(write);
      const reply = answer && replyOf(answer);
      if (reply !== undefined && !COME_AGAIN.has(String(reply.body['code']))) return this.close(write, reply);
      if (attempt >= patience) return undefined;
      if (Date.now() > stuck) {
        this.ledger.strange.push(`${write.key} is stuck; its last answer was ${answer?.body ?? 'none'}`);
        return undefined;
      }
      await sleep(pause * (0.5 + Math.random()));
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
    }
  }

  async read(path: string): Promise<Record<string, unknown>> {
    return (await this.get(path)).body as Record<string, unknown>;
  }

  /** All pages of a list. */
  async readAll(path: string): Promise<Record<string, unknown>[]> {
    const items: Record<string, unknown>[] = [];
    for (let next: string | undefined = path; next !== undefined;) {
      const { body, link }: { body: unknown; link: string | undefined } = await this.get(next);
      items.push(...(body as Record<string, unknown>[]));
      next = /^<([^>]+)>; rel="next"/.exec(link ?? '')?.[1];
    }
    return items;
  }

  private async get(path: string): Promise<{ body: unknown; link: string | undefined }> {
    const stuck = Date.now() + STUCK_AFTER_MS;
    for (;;) {
      const answer = await request({ port: this.fleet.anyPort(), method: 'GET', path }).catch(() => undefined);
      if (answer?.status === 200) return { body: JSON.parse(answer.body), link: answer.headers['link'] as string };
      if (Date.now() > stuck) throw new Error(`GET ${path} is stuck; its last answer was ${answer?.body ?? 'none'}`);
      await sleep(FIRST_PAUSE_MS);
    }
  }

  private async attempt(write: Write): Promise<HttpAnswer | undefined> {
    const { key, method, path, body, spent } = write;
    // The id of the request is that of the write: history keeps it, and so tells which write made an entry.
    const headers = { 'Idempotency-Key': key, 'X-Request-ID': key, ...(spent !== undefined && { 'If-Match': spent }) };
    const text = body && JSON.stringify(body);
    try {
      return await request({ port: this.fleet.anyPort(), method, path, headers, body: text });
    } catch (error) {
      if (!wasRefused(error)) write.lost += 1;
      return undefined;
    }
  }

  private close(write: Write, reply: Reply): Reply {
    write.reply = reply;
    if (!FINAL.has(reply.status)) {
      this.ledger.strange.push(
        `${write.deed} ${write.key} was answered ${reply.status}: ${JSON.stringify(reply.body)}`,
      );
    }
    return reply;
  }
}

function replyOf({ status, headers, body }: HttpAnswer): Reply {
  const replayed = headers['idempotency-replayed'] === 'true';
  return { status, replayed, body: body === '' ? {} : (JSON.parse(body) as Record<string, unknown>) };
}
