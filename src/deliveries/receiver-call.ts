import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { literalIn, type ReceiverAddresses } from '../webhooks/receiver-addresses.js';

const DEADLINE_MS = 15_000;
const MAX_ANSWER_BYTES = 64 * 1024;
const KEPT_ANSWER_BYTES = 1024;

export interface Call {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Ends the call early. */
  readonly signal: AbortSignal;
}

/** The answer of a receiver, or why there is none. */
export interface CallResult {
  readonly status: number | null;
  readonly error: string | null;
  /** The beginning of the answer, as text. */
  readonly answer: string | null;
  readonly retryAfter: string | undefined;
  readonly durationMs: number;
}

/** Finds the addresses of a name. */
export type Resolve = (name: string) => Promise<readonly { readonly address: string }[]>;

/**
 * Sends one request to a receiver. Nothing is sent until the address of the connection has been checked, so it does not matter how the
 * URL spells it or what the name resolves to. Follows no redirects and uses no proxy. The deadline covers the whole exchange.
 */
export async function callReceiver(
  call: Call,
  addresses: ReceiverAddresses,
  resolve: Resolve = (name) => lookup(name, { all: true }),
): Promise<CallResult> {
  const began = performance.now();
  const ended = (result: Omit<CallResult, 'durationMs'>) => ({
    ...result,
    durationMs: Math.round(performance.now() - began),
  });
  const deadline = AbortSignal.timeout(DEADLINE_MS);
  const exchange = new Exchange(call, addresses, resolve, [deadline, call.signal]);
  try {
    const { response, answer } = await exchange.run();
    const { statusCode = null, headers } = response;
    return ended({ status: statusCode, error: null, answer: textOf(answer), retryAfter: headers['retry-after'] });
  } catch (error) {
    const reason = deadline.aborted
      ? `No complete answer within ${DEADLINE_MS / 1000} seconds`
      : (error as Error).message;
    return ended({ status: null, error: reason, answer: null, retryAfter: undefined });
  } finally {
    exchange.close();
  }
}

class Exchange {
  private readonly url: URL;
  private readonly over = new AbortController();
  private socket: Socket | undefined;

  constructor(
    private readonly call: Call,
    private readonly addresses: ReceiverAddresses,
    private readonly resolve: Resolve,
    /** Any of them ends the exchange. */
    private readonly signals: readonly AbortSignal[],
  ) {
    this.url = new URL(call.url);
  }

  /** Listens to each signal until the exchange is over: AbortSignal.any would leave something at those that outlive it. */
  async run(): Promise<{ response: IncomingMessage; answer: Buffer }> {
    const aborted = new Promise<never>((_, reject) => {
      for (const signal of this.signals) {
        const end = () => reject(signal.reason as Error);
        if (signal.aborted) end();
        signal.addEventListener('abort', end, { signal: this.over.signal });
      }
    });
    aborted.catch(() => undefined);
    return Promise.race([this.exchange(), aborted]);
  }

  close(): void {
    this.over.abort();
    this.socket?.destroy();
  }

  private async exchange() {
    const address = await this.permittedAddress();
    const secure = this.url.protocol === 'https:';
    const port = Number(this.url.port || (secure ? 443 : 80));
    const plain = await this.opened(connect({ host: address, port }), 'connect');
    if (!this.addresses.permits(this.url.protocol, plain.remoteAddress ?? '')) throw notPermitted();
    const response = await this.send(secure ? await this.secured(plain) : plain);
    return { response, answer: await answerOf(response) };
  }

  /** Every address of a name must be permitted: otherwise the choice among them would be left to chance. */
  private async permittedAddress(): Promise<string> {
    const { protocol, hostname } = this.url;
    const literal = literalIn(hostname);
    const found = literal === undefined ? await this.resolve(hostname) : [{ address: literal }];
    const [first] = found;
    if (first === undefined || found.some(({ address }) => !this.addresses.permits(protocol, address))) {
      throw notPermitted();
    }
    return first.address;
  }

  /** A certificate for an address needs no name in the handshake. */
  private secured(plain: Socket): Promise<Socket> {
    const { hostname } = this.url;
    const host = literalIn(hostname);
    const names = host === undefined ? { servername: hostname } : { host };
    return this.opened(connectTls({ socket: plain, ...names }), 'secureConnect');
  }

  /** Keeps the socket, so that it is closed whenever the exchange ends. */
  private async opened<S extends Socket>(socket: S, event: string): Promise<S> {
    this.socket = socket;
    // An error after the exchange has ended would otherwise end the process.
    socket.on('error', () => undefined);
    if (this.over.signal.aborted) socket.destroy();
    await once(socket, event);
    return socket;
  }

  private async send(socket: Socket): Promise<IncomingMessage> {
    const { headers, body } = this.call;
    const { host, pathname, search } = this.url;
    const sent = request({
      method: 'POST',
      path: pathname + search,
      headers: { ...headers, Host: host, 'Content-Length': Buffer.byteLength(body), Connection: 'close' },
      createConnection: () => socket,
    });
    sent.on('error', () => undefined).end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return response;
  }
}

/** The answer, up to the limit. Throws if it ends early. */
async function answerOf(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= MAX_ANSWER_BYTES) break;
  }
  return Buffer.concat(chunks);
}

/** Replaces what PostgreSQL cannot store. */
function textOf(answer: Buffer): string {
  return answer.subarray(0, KEPT_ANSWER_BYTES).toString('utf8').replaceAll('\0', '\uFFFD');
}

function notPermitted(): Error {
  return new Error('The address of the receiver is not permitted');
}
