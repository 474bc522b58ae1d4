import { isJson, type Conformance } from '../../../test/support/records/conformance.js';
import type { Description } from './description.js';
import { reached } from './goals.js';
import type { Tally } from './tally.js';
import { shown, Wire, type Answer, type Received, type Sent } from './wire.js';

/** A check that an answer did not pass, with the request that shows it. */
export class Violation extends Error {
  constructor(check: string, fault: string, sent: Sent, answer?: Received) {
    const got = answer && `\n\nanswered ${answer.status}\n${answer.text.slice(0, 2000)}`;
    super(`${check}: ${fault}\n\n${shown(sent)}${got ?? ''}`);
    this.name = 'Violation';
  }
}

/** No error is larger than this, but a conflict, which shows two versions of a record. */
const LARGEST_ERROR = 8192;
const LARGEST_CONFLICT = 65_536;
const INTERNALS = /\n\s+at |node_modules|\.[jt]s:\d|SQLSTATE|relation "|column "|violates|duplicate key/;
const PROBLEM_TEXTS = ['type', 'title', 'detail', 'instance', 'code', 'requestID'];

const FILES = ['text/csv', 'application/jsonl'];

/** Sends requests; each answer is held against the document and against what is true of every answer. */
export class Client {
  private readonly wire: Wire;
  private lastFile: Promise<unknown> = Promise.resolve();

  constructor(
    port: number,
    private readonly description: Description,
    private readonly conformance: Conformance,
    readonly tally: Tally,
  ) {
    this.wire = new Wire(port);
  }

  /** Files are asked for one at a time, because the service refuses more than a few. */
  send(given: Sent): Promise<Answer> {
    if (!FILES.includes(new Headers(given.headers).get('Accept') ?? '')) return this.exchange(given);
    const turn = this.lastFile.then(() => this.exchange(given));
    this.lastFile = turn.catch(() => undefined);
    return turn;
  }

  private async exchange(given: Sent): Promise<Answer> {
    const sent = this.withRequestID(given);
    const received = await this.wire.send(sent).catch((error: unknown) => {
      throw new Violation('answers', String(error), sent);
    });
    const isRead = isJson(received.headers.get('Content-Type')) && received.text !== '';
    const answer = { ...received, sent, body: isRead ? JSON.parse(received.text) : undefined };
    this.tally.answered(received.status, reached(this.description, answer));
    this.expect('no server error', answer, received.status < 500, 'a server error');
    this.conforms(answer);
    const requestID = sent.headers?.['X-Request-ID'];
    const isKept = requestID === undefined || received.headers.get('X-Request-ID') === requestID;
    this.expect('a request id is kept', answer, isKept, `another X-Request-ID than ${requestID}`);
    if (received.status >= 400) this.isProblem(answer);
    return answer;
  }

  /** A check of one property's own. */
  expect(check: string, answer: Answer, holds: boolean, fault: string): void {
    this.tally.checked(check);
    if (!holds) throw new Violation(check, fault, answer.sent, answer);
  }

  close(): void {
    this.wire.close();
  }

  /** Operations get an id of ours; requests that the document does not have go without, so that the service makes one. */
  private withRequestID(sent: Sent): Sent {
    if (this.description.operationOf(sent.method, sent.path) === undefined) return sent;
    return { ...sent, headers: { 'X-Request-ID': `fuzz-${this.tally.requests}`, ...sent.headers } };
  }

  private conforms(answer: Answer): void {
    this.tally.checked('conforms to the document');
    const { method, path, body } = answer.sent;
    try {
      const sent = answer.status < 300 && typeof body === 'string' ? JSON.parse(body) : undefined;
      this.conformance.check({ ...answer, method, path, sent });
    } catch (error) {
      throw new Violation('conforms to the document', (error as Error).message, answer.sent, answer);
    }
  }

  private isProblem(answer: Answer): void {
    const { status, headers, text, body, sent } = answer;
    const check = 'errors are problems';
    this.expect(check, answer, headers.get('Content-Type') === 'application/problem+json', 'another content type');
    if (sent.method === 'HEAD') return;
    const lacking = PROBLEM_TEXTS.filter((name) => typeof body?.[name] !== 'string');
    this.expect(check, answer, lacking.length === 0, `no ${lacking.join()}`);
    this.expect(check, answer, body.status === status, 'another status in the body');
    this.expect(check, answer, body.requestID === headers.get('X-Request-ID'), 'another requestID than in the header');
    this.expect(check, answer, body.type.endsWith(`/problems/${body.code}`), 'a type of another code');
    this.expect('errors tell no internals', answer, !INTERNALS.test(text), 'internals');
    const most = body.changes === undefined ? LARGEST_ERROR : LARGEST_CONFLICT;
    this.expect('errors are small', answer, Buffer.byteLength(text) <= most, `${Buffer.byteLength(text)} bytes`);
  }
}

/** The headers and the text of a JSON body. */
export function json(value: unknown, headers: Record<string, string> = {}): Pick<Sent, 'headers' | 'body'> {
  return { headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(value) };
}
