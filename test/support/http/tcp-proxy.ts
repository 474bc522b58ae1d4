import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
}

/** A TCP proxy that can cut, delay and reset connections. */
export class TcpProxy {
  private readonly pairs = new Set<Pair>();
  private isCut = false;
  private delayMs = 0;

  private constructor(
    private readonly listener: Server,
    readonly port: number,
    private target: number,
  ) {}

  static async start(target: number): Promise<TcpProxy> {
    const listener = createServer();
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    const proxy = new TcpProxy(listener, (listener.address() as AddressInfo).port, target);
    listener.on('connection', (client) => proxy.join(client));
    return proxy;
  }

  /** Redirects new connections to another port; open ones stay. */
  leadTo(port: number): void {
    this.target = port;
  }

  /** Silently drops all data, like a pulled cable. */
  cut(): void {
    this.isCut = true;
    for (const { client, server } of this.pairs) {
      client.pause();
      server.pause();
    }
  }

  /** Delivers the data that was held back. */
  mend(): void {
    this.isCut = false;
    for (const { client, server } of this.pairs) {
      client.resume();
      server.resume();
    }
  }

  /** Delays all data in both directions. */
  slow(delayMs: number): void {
    this.delayMs = delayMs;
  }

  /** Every connection ends with RST. */
  reset(): void {
    for (const { client, server } of this.pairs) {
      client.resetAndDestroy();
      server.resetAndDestroy();
    }
  }

  async stop(): Promise<void> {
    this.reset();
    await new Promise((resolve) => this.listener.close(resolve));
  }

  private join(client: Socket): void {
    const server = connect(this.target, '127.0.0.1');
    const pair = { client, server };
    this.pairs.add(pair);
    this.forward(client, server);
    this.forward(server, client);
    const end = () => {
      this.pairs.delete(pair);
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) socket.on('error', end).on('close', end);
    if (this.isCut) {
      client.pause();
      server.pause();
    }
  }

  private forward(from: Socket, to: Socket): void {
    from.setNoDelay(true);
    from.on('data', (data) => {
      if (this.delayMs === 0) to.write(data);
      else setTimeout(() => to.write(data), this.delayMs);
    });
  }
}
