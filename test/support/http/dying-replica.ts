import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';

/** Listens like a replica and dies with each request. */
export class DyingReplica {
  requests = 0;
  private constructor(private readonly server: Server) {
    server.on('connection', (socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => {
        this.requests += 1;
        socket.destroy();
      });
    });
  }

  static async start(): Promise<DyingReplica> {
    const replica = new DyingReplica(createServer());
    await once(replica.server.listen(0, '127.0.0.1'), 'listening');
    return replica;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  stop(): void {
    this.server.close();
  }
}
