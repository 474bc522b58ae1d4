import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { literalIn, type ReceiverAddresses } from '../webhooks/receiver-addresses.js';

const DEADLINE_MS = 15_000;
const NOT_PERMITTED = 'The receiver has an address that is not public and not in WEBHOOK_ALLOWED_NETWORKS';
/** A receiver whose first address does not accept connections in this time is called at the next one. */
const CONNECT_MS = 2000;
/** Of a name with more addresses, the others are only checked. Name servers change their order. */
const TRIED_OF_EACH_FAMILY = 4;
const MAX_ANSWER_BYTES = 64 * 1024;
/** Of an answer, and of an error: receivers choose the names in their certificates, for example. */
const KEPT_BYTES = 1024;

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

/** Finds all addresses of a name, until the signal is aborted. */
export type Resolve = (name: string, signal: AbortSignal) => Promise<readonly string[]>;

/**
 * Sends one request to a receiver. It connects only to addresses that have been checked, so it does not matter how the URL spells the
 * address or what the name resolves to. Follows no redirects and uses no proxy. The deadline covers the whole exchange.
 */
export async function callReceiver(call: Call, addresses: ReceiverAddresses, resolve: Resolve): Promise<CallResult> {
  const began = performance.now();
  const deadline = AbortSignal.timeout(DEADLINE_MS);
  const over = new AbortController();
  const ended = (result: Omit<CallResult, 'durationMs'>) => ({
    ...result,
    durationMs: Math.round(performance.now() - began),
  });
  try {
    const permitted = permittedAddresses(new URL(call.url), addresses, resolve, over.signal);
    const exchange = permitted.then((hosts) => send(call, hosts, over.signal));
    return ended(await Promise.race([exchange, abortedBy([deadline, call.signal], over.signal)]));
  } catch (error) {
    const reason = deadline.aborted ? `No complete answer within ${DEADLINE_MS / 1000} seconds` : messageOf(error);
    return ended({ status: null, error: textOf(Buffer.from(reason)), answer: null, retryAfter: undefined });
  } finally {
    over.abort();
  }
}

/** Rejects when one of the signals is aborted. AbortSignal.any would leave something at a signal that outlives the call. */
function abortedBy(signals: readonly AbortSignal[], over: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    for (const signal of signals) {
      const end = () => reject(signal.reason as Error);
      if (signal.aborted) end();
      signal.addEventListener('abort', end, { signal: over });
    }
  });
}

/** A receiver with several addresses fails with one error for each. */
function messageOf(error: unknown): string {
  const errors = error instanceof AggregateError ? error.errors : [error];
  return errors.map(({ message }: Error) => message).join('; ');
}

/** Every address of a name must be permitted: otherwise the choice among them would be left to chance. */
async function permittedAddresses(
  { protocol, hostname }: URL,
  addresses: ReceiverAddresses,
  resolve: Resolve,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const literal = literalIn(hostname);
  const found = literal === undefined ? await resolve(hostname, signal) : [literal];
  if (found.length === 0 || found.some((address) => !addresses.permits(protocol, address))) {
    throw new Error(NOT_PERMITTED);
  }
  return found;
}

async function send(
  call: Call,
  addresses: readonly string[],
  over: AbortSignal,
): Promise<Omit<CallResult, 'durationMs'>> {
  const { protocol, hostname, host, port, pathname, search } = new URL(call.url);
  over.throwIfAborted();
  const sent = (protocol === 'https:' ? httpsRequest : httpRequest)({
    method: 'POST',
    host: literalIn(hostname) ?? hostname,
    ...connectingTo(addresses),
    port,
    path: pathname + search,
    headers: { ...call.headers, Host: host, 'Content-Length': Buffer.byteLength(call.body) },
    // A certificate for an address needs no name in the handshake.
    servername: literalIn(hostname) === undefined ? hostname : '',
    // A connection of its own, which is closed after the answer.
    agent: false,
    signal: over,
  });
  // An error after the exchange has ended would otherwise end the process.
  sent.on('error', () => undefined).end(call.body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const { statusCode = null, headers } = response;
  return {
    status: statusCode,
    error: null,
    answer: textOf(await answerOf(response)),
    retryAfter: headers['retry-after'],
  };
}

/** Connects to the first of the tried addresses that accepts a connection, instead of resolving the name again. */
function connectingTo(addresses: readonly string[]) {
  const found = [4, 6].flatMap((family) =>
    addresses
      .filter((address) => isIP(address) === family)
      .slice(0, TRIED_OF_EACH_FAMILY)
      .map((address) => ({ address, family })),
  );
  const lookup: LookupFunction = (_name, _options, done) => done(null, found);
  return { lookup, autoSelectFamily: true, autoSelectFamilyAttemptTimeout: CONNECT_MS };
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
function textOf(received: Buffer): string {
  return received.subarray(0, KEPT_BYTES).toString('utf8').replaceAll('\0', '\uFFFD');
}
