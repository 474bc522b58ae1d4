import { createServer, request as send, type IncomingHttpHeaders, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What happens to one request instead of being passed on and answered. */
export type Mishap =
  /** The service does what was asked, but its answer never arrives. */
  | 'lose the answer'
  /** The request never arrives. */
  | 'lose the request'
  /** Somebody in between answers. */
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string };

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly at: number;
}

/** A way to the service on which something can go wrong, request by request. */
export class Gateway {
  readonly seen: SeenRequest[] = [];
  private mishaps: Mishap[] = [];

  private constructor(
    private readonly server: Server,
    readonly url: string,
    private readonly target: number,
  ) {}

  static async start(target: number): Promise<Gateway> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const gateway = new Gateway(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`, target);
    server.on('request', (incoming, response) => {
      const { method = '', url = '', headers } = incoming;
      gateway.seen.push({ method, path: url, headers, at: performance.now() });
      const mishap = gateway.mishaps.shift();
      if (mishap === 'lose the request') {
        incoming.socket.destroy();
      } else if (typeof mishap === 'object') {
        response.writeHead(mishap.status, mishap.headers).end(mishap.body);
      } else {
        gateway.pass(incoming, (answer) => {
          if (mishap === 'lose the answer') incoming.socket.destroy();
          else answer.pipe(response.writeHead(answer.statusCode ?? 0, answer.headers));
        });
      }
    });
    return gateway;
  }

  /** What happens to the next requests, one after the other; those after them are passed on again. */
  next(...mishaps: Mishap[]): void {
    this.mishaps = mishaps;
    this.seen.length = 0;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private pass(incoming: IncomingMessage, answered: (answer: IncomingMessage) => void): void {
    const { method, url: path, headers } = incoming;
    const outgoing = send({ port: this.target, host: '127.0.0.1', method, path, headers }, answered);
    outgoing.on('error', () => incoming.socket.destroy());
    incoming.pipe(outgoing);
  }
}
