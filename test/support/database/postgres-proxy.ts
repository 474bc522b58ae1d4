import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { IN_THE_BACKGROUND } from './queries.js';

/** A fault of one statement. */
export type Fault =
  /** PostgreSQL rejects it with this SQLSTATE, and the connection survives. */
  | { readonly refuse: string }
  /** PostgreSQL gets this query instead. */
  | { readonly replaceBy: string }
  /** The connection is lost before the statement arrives, before its response returns, or while it runs. */
  | { readonly lose: 'before' | 'answer' | 'in flight' }
  /** The connection is lost after so many bytes of the batch of this statement, or of its answer. */
  | { readonly cutBatchAfter: number }
  | { readonly cutAnswerAfter: number };

/** How many statements and bytes the service sent with one Sync, and the bytes of the answer so far. */
export interface SentBatch {
  readonly statements: number;
  readonly sent: number;
  answered: number;
}

/** Chooses the fault of a statement; called once for each, in order. */
export type Plan = (text: string) => Fault | undefined;

/**
 * A proxy between the service and PostgreSQL that parses enough of the protocol to separate statements: a simple query, or the messages
 * of the extended protocol up to Execute. Sync ends a batch of them. A fault meets one statement of a batch: PostgreSQL gets those before
 * it, and those behind it as long as the connection survives.
 */
export class PostgresProxy {
  plan: Plan = () => undefined;
  /** The number of statements, and of round trips: how often the service sent something after it had all responses. */
  statements = 0;
  roundTrips = 0;
  /** The batches of the service so far. */
  batches: SentBatch[] = [];
  private readonly sockets = new Set<Socket>();
  private readonly listener = createServer((client) => this.join(client));
  private target = '';

  async start(databaseUrl: string): Promise<void> {
    const { searchParams } = new URL(databaseUrl);
    this.target = `${searchParams.get('host') ?? ''}/.s.PGSQL.${searchParams.get('port') ?? ''}`;
    await once(this.listener.listen(0, '127.0.0.1'), 'listening');
  }

  /** The URL of the same database through the proxy. */
  urlOf(databaseUrl: string): string {
    const { username, pathname } = new URL(databaseUrl);
    const { port } = this.listener.address() as AddressInfo;
    return `postgresql://${username}@127.0.0.1:${port}${pathname}?sslmode=disable`;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.listener.close();
    await once(this.listener, 'close');
  }

  private join(client: Socket): void {
    const server = connect(this.target);
    for (const socket of [client, server]) {
      this.sockets.add(socket);
      socket.setNoDelay(true).on('error', () => undefined);
      socket.on('close', () => {
        this.sockets.delete(socket);
        client.destroy();
        server.end();
      });
    }
    client.once('data', (first) => {
      // Event numbering in the background is not part of a request: it is neither counted nor disturbed.
      if (IN_THE_BACKGROUND.test(first.toString('latin1'))) {
        server.write(first);
        client.pipe(server).pipe(client);
        return;
      }
      const conversation = new Conversation(this, client, server);
      conversation.fromClient(first);
      client.on('data', (data) => conversation.fromClient(data));
      server.on('data', (data) => conversation.fromServer(data));
    });
  }
}

const RAISE = (sqlState: string) =>
  `DO $$ BEGIN RAISE EXCEPTION 'refused by the proxy' USING ERRCODE = '${sqlState}'; END $$`;

interface Sent {
  readonly text: string;
  readonly messages: readonly Buffer[];
}

interface Losses {
  /** After how many answered statements to lose the connection. */
  readonly loseAfter?: number | undefined;
  /** After how many bytes of the answer to lose the connection. */
  readonly cutAfter?: number | undefined;
}

/** What PostgreSQL has to answer up to ReadyForQuery. */
interface Awaited extends Losses {
  /** Undefined if the proxy itself has sent it: the service does not get the answer. */
  readonly batch: SentBatch | undefined;
  answered: number;
  bytes: number;
}

class Conversation {
  private fromClientBuffer = Buffer.alloc(0);
  private fromServerBuffer = Buffer.alloc(0);
  private isStarted = false;
  private batch: Sent[] = [];
  private messages: Buffer[] = [];
  private text = '';
  private readonly awaited: Awaited[] = [];
  private substitutes = 0;
  /** The texts of prepared statements, each with its name behind it. */
  private readonly texts = new Map<string, string>();

  constructor(
    private readonly proxy: PostgresProxy,
    private readonly client: Socket,
    private readonly server: Socket,
  ) {}

  fromClient(data: Buffer): void {
    this.fromClientBuffer = Buffer.concat([this.fromClientBuffer, data]);
    // Drops data sent on a lost connection.
    while (!this.client.destroyed) {
      // The first message has no type.
      const start = this.isStarted ? 1 : 0;
      if (this.fromClientBuffer.length < start + 4) return;
      const end = start + this.fromClientBuffer.readInt32BE(start);
      if (this.fromClientBuffer.length < end) return;
      const message = this.fromClientBuffer.subarray(0, end);
      this.fromClientBuffer = this.fromClientBuffer.subarray(end);
      if (this.isStarted) this.collect(message);
      else this.server.write(message);
      this.isStarted = true;
    }
  }

  fromServer(data: Buffer): void {
    this.fromServerBuffer = Buffer.concat([this.fromServerBuffer, data]);
    for (;;) {
      if (this.fromServerBuffer.length < 5) return;
      const end = 1 + this.fromServerBuffer.readInt32BE(1);
      if (this.fromServerBuffer.length < end) return;
      const message = this.fromServerBuffer.subarray(0, end);
      this.fromServerBuffer = this.fromServerBuffer.subarray(end);
      this.answer(message);
    }
  }

  private answer(message: Buffer): void {
    const type = typeOf(message);
    if (this.client.writableEnded) return;
    const [awaited] = this.awaited;
    const isLost = awaited?.loseAfter !== undefined && awaited.answered >= awaited.loseAfter;
    if (awaited?.cutAfter !== undefined && awaited.bytes + message.length > awaited.cutAfter) {
      this.client.end(message.subarray(0, awaited.cutAfter - awaited.bytes));
      this.client.destroySoon();
      return;
    }
    if (awaited === undefined) {
      this.client.write(message);
      return;
    }
    const { batch } = awaited;
    if (batch !== undefined && !isLost) this.client.write(message);
    awaited.bytes += message.length;
    if (batch !== undefined) batch.answered = awaited.bytes;
    if (ENDS_STATEMENT.has(type)) awaited.answered += 1;
    if (type !== 'Z') return;
    this.awaited.shift();
    if (awaited.loseAfter !== undefined) this.client.destroy();
  }

  private collect(message: Buffer): void {
    const type = typeOf(message);
    if (type === 'X') this.server.write(message);
    if (type === 'Q') this.text = message.toString('utf8', 5, message.length - 1);
    if (type === 'P') {
      const name = textAt(message, 5);
      this.texts.set(name, `${textAt(message, 6 + name.length)} ${name}`);
    }
    if (type === 'B') this.text = this.texts.get(textAt(message, 6)) ?? '';
    this.messages.push(message);
    if (type === 'Q' || type === 'E') {
      this.batch.push({ text: this.text, messages: this.messages });
      [this.messages, this.text] = [[], ''];
    }
    if (type !== 'Q' && type !== 'S') return;
    const batch = this.batch;
    const rest = this.messages;
    [this.batch, this.messages] = [[], []];
    this.pass(batch, rest);
  }

  private pass(batch: readonly Sent[], rest: readonly Buffer[]): void {
    if (this.awaited.length === 0) this.proxy.roundTrips += 1;
    const messages: Buffer[] = [];
    let loseAfter: number | undefined;
    let cutAfter: number | undefined;
    for (const [at, sent] of batch.entries()) {
      this.proxy.statements += 1;
      const fault: Fault | Record<string, never> = this.proxy.plan(sent.text) ?? {};
      const instead = 'refuse' in fault ? RAISE(fault.refuse) : 'replaceBy' in fault ? fault.replaceBy : undefined;
      if (instead !== undefined && batch.length === 1) {
        this.send([simpleQuery(instead)], { statements: 1 });
        return;
      }
      if ('lose' in fault && fault.lose !== 'answer') {
        this.server.write(Buffer.concat([...messages, ...(fault.lose === 'in flight' ? sent.messages : [])]));
        this.client.destroy();
        return;
      }
      if ('cutBatchAfter' in fault) {
        const whole = Buffer.concat([...batch.flatMap((each) => each.messages), ...rest]);
        this.server.write(whole.subarray(0, fault.cutBatchAfter));
        this.client.destroy();
        return;
      }
      if ('cutAnswerAfter' in fault) cutAfter = fault.cutAnswerAfter;
      if ('lose' in fault) loseAfter ??= at;
      messages.push(...(instead === undefined ? sent.messages : this.substituted(sent, instead)));
    }
    this.send([...messages, ...rest], { statements: batch.length, loseAfter, cutAfter });
  }

  /** Without `statements`, the proxy itself sends them. */
  private send(messages: readonly Buffer[], { statements, ...losses }: Losses & { statements?: number } = {}): void {
    const whole = Buffer.concat(messages);
    const batch = statements === undefined ? undefined : { statements, sent: whole.length, answered: 0 };
    if (batch !== undefined) this.proxy.batches.push(batch);
    this.awaited.push({ batch, ...losses, answered: 0, bytes: 0 });
    this.server.write(whole);
  }

  /** The messages of a statement, which execute another one. PostgreSQL parses that in a batch of its own, so the service learns nothing. */
  private substituted({ messages }: Sent, text: string): Buffer[] {
    const name = `substitute_${++this.substitutes}`;
    this.send([message('P', `${name}\0${text}\0\0\0`), message('S', '')]);
    return messages.map((each) => (typeOf(each) === 'B' ? message('B', `\0${name}\0\0\0\0\0\0\0`) : each));
  }
}

/** CommandComplete, ErrorResponse, EmptyQueryResponse and PortalSuspended. */
const ENDS_STATEMENT = new Set(['C', 'E', 'I', 's']);

function typeOf(message: Buffer): string {
  return String.fromCharCode(message[0] ?? 0);
}

function textAt(message: Buffer, start: number): string {
  return message.toString('utf8', start, message.indexOf(0, start));
}

function simpleQuery(text: string): Buffer {
  return message('Q', `${text}\0`);
}

function message(type: string, body: string): Buffer {
  const content = Buffer.from(body);
  const head = Buffer.from(`${type}\0\0\0\0`);
  head.writeInt32BE(content.length + 4, 1);
  return Buffer.concat([head, content]);
}
