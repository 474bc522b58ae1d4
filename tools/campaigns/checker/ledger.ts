import { createHash } from 'node:crypto';
import type { HttpAnswer } from '../../../test/support/http/plain-http.js';

/** Requests and responses of the clients, kept outside the service so that they survive its crashes. */

export type Deed = 'create' | 'patch' | 'replaceAddress' | 'changeStatus' | 'remove' | 'restore';

export interface Reply {
  readonly status: number;
  readonly replayed: boolean;
  /** The part of the response that checks or later requests need: a million of them are kept. */
  readonly body: Readonly<Partial<Record<(typeof KEPT)[number], unknown>>>;
  /** Of the whole body, to tell whether it comes the same again. */
  readonly digest: string;
}

const KEPT = ['id', 'eTag', 'status', 'code', 'updatedAt'] as const;

export function replyOf({ status, headers, body }: HttpAnswer): Reply {
  const parsed = body === '' ? {} : (JSON.parse(body) as Record<string, unknown>);
  return {
    status,
    replayed: headers['idempotency-replayed'] === 'true',
    body: Object.fromEntries(KEPT.filter((name) => parsed[name] !== undefined).map((name) => [name, parsed[name]])),
    digest: createHash('sha256').update(body).digest('base64'),
  };
}

/** One request that a client means once, however often it has to send it. */
export interface Write {
  readonly key: string;
  /** The id of its request; the items of a bulk share one. */
  readonly requestID: string;
  readonly deed: Deed;
  readonly method: string;
  readonly path: string;
  readonly body: object | undefined;
  /** The sender, whom history must name as the author. */
  readonly author: string;
  /** The shipment; of one that is created, known from the answer. */
  readonly shipmentID: string | undefined;
  /** The eTag that If-Match names: a version, or a deletion. */
  readonly spent: string | undefined;
  /** How often it was sent and no answer came. */
  lost: number;
  /** The final answer; undefined while there is none, and when the client gave up. */
  reply: Reply | undefined;
}

export class Ledger {
  readonly writes: Write[] = [];
  /** Answers that no request of these clients should ever get. */
  readonly strange: string[] = [];
  /** How often each kind of request had each outcome, as `PATCH 200`; every attempt counts. */
  readonly outcomes = new Map<string, number>();
  /** Requests that have their final answer, reads and repetitions among them. */
  operations = 0;

  attempted(method: string, outcome: string): void {
    const name = `${method} ${outcome}`;
    this.outcomes.set(name, (this.outcomes.get(name) ?? 0) + 1);
  }

  open(deed: Deed, request: Pick<Write, 'method' | 'path'> & Partial<Write>): Write {
    const key = `write-${this.writes.length + 1}`;
    const write: Write = {
      body: undefined,
      shipmentID: undefined,
      spent: undefined,
      author: ANYBODY,
      requestID: key,
      ...request,
      key,
      deed,
      ...NO_ANSWER,
    };
    this.writes.push(write);
    return write;
  }

  get accepted(): Write[] {
    return this.writes.filter(isAccepted);
  }

  get unanswered(): Write[] {
    return this.writes.filter(({ reply }) => reply === undefined);
  }

  get lostAnswers(): number {
    return this.writes.reduce((sum, { lost }) => sum + lost, 0);
  }

  /** Writes that had their effect before the crash that took their answer away. */
  get replayed(): number {
    return this.writes.filter(({ reply }) => reply?.replayed === true).length;
  }
}

/** The author if authentication is off. */
export const ANYBODY = 'anonymous';

const NO_ANSWER = { lost: 0, reply: undefined };

export function isAccepted({ reply }: Write): boolean {
  return reply !== undefined && reply.status < 300;
}

/** The shipment that a write is about. */
export function shipmentOf({ deed, shipmentID, reply }: Write): string {
  return shipmentID ?? (deed === 'create' ? String(reply?.body.id) : '');
}

/** The version that an accepted write led to; a removal leads to none. */
export function gainedBy({ reply }: Write): string | null {
  return (reply?.body.eTag as string | undefined) ?? null;
}
