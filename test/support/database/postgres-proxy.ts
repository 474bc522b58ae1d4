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
  | { readonly lose: 'before' | 'answer' | 'in flight' };

/** Chooses the fault of a statement; called once for each, in order. */
export type Plan = (text: string) => Fault | undefined;

/**
 * A proxy between the service and PostgreSQL that parses enough of the protocol to separate statements: a simple query, or the messages
 * of the extended protocol up to Sync.
 */
export class PostgresProxy {
  plan: Plan = () => undefined;
  /** The number of statements, and of round trips: how often the service sent something after it had all responses. */
  statements = 0;
  roundTrips = 0;
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

class Conversation {
  private fromClientBuffer = Buffer.alloc(0);
  private fromServerBuffer = Buffer.alloc(0);
  private isStarted = false;
  private unit: Buffer[] = [];
  private text = '';
  /** The number of statements without a response, and after how many responses to lose the connection. */
  private unanswered = 0;
  private loseAfter: number | undefined;

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
      const isReady = message[0] === READY_FOR_QUERY && this.unanswered > 0;
      if (isReady) this.unanswered -= 1;
      if (this.loseAfter === undefined || this.loseAfter > 0) this.client.write(message);
      if (isReady && this.loseAfter !== undefined && --this.loseAfter < 0) this.client.destroy();
    }
  }

  private collect(message: Buffer): void {
    const type = String.fromCharCode(message[0] ?? 0);
    this.unit.push(message);
    if (type === 'Q') this.text = message.toString('utf8', 5, message.length - 1);
    if (type === 'P') this.text = message.toString('utf8', 5);
    if (type === 'B' && this.text === '') this.text = message.toString('latin1', 5, 80);
    if (type === 'X') this.server.write(message);
    if (type !== 'Q' && type !== 'S') return;
    const [unit, text] = [Buffer.concat(this.unit), this.text];
    [this.unit, this.text] = [[], ''];
    this.pass(unit, text);
  }

  private pass(unit: Buffer, text: string): void {
    if (this.unanswered === 0) this.proxy.roundTrips += 1;
    this.proxy.statements += 1;
    const fault: Fault | Record<string, never> = this.proxy.plan(text) ?? {};
    if ('lose' in fault && fault.lose !== 'answer') this.client.destroy();
    if ('lose' in fault && fault.lose === 'before') return;
    this.unanswered += 1;
    if ('refuse' in fault) this.server.write(simpleQuery(RAISE(fault.refuse)));
    else this.server.write('replaceBy' in fault ? simpleQuery(fault.replaceBy) : unit);
    if ('lose' in fault && fault.lose === 'answer') this.loseAfter ??= this.unanswered - 1;
  }
}

const READY_FOR_QUERY = 'Z'.charCodeAt(0);

function simpleQuery(text: string): Buffer {
  const body = Buffer.from(`${text}\0`);
  const head = Buffer.from('Q\0\0\0\0');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}
