import { createServer, request as send, type IncomingHttpHeaders, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A fault of one request. */
export type Mishap =
  /** The service handles the request, but the response is lost. */
  | 'lose the answer'
  /** The request is lost. */
  | 'lose the request'
  /** The gateway responds itself. */
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string };

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly at: number;
}

/** A gateway that can inject a fault into each request. */
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

  /** Sets the faults of the next requests, in order; later ones are forwarded. */
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
