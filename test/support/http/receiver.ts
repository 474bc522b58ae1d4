import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import type { Json } from './api.js';

/** A request that a receiver got. */
export interface Received {
  readonly id: string;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly event: Json;
}

type Respond = (received: Received, response: ServerResponse) => void;

const OK: Respond = (_, response) => response.writeHead(204).end();

/** A receiver of webhooks on loopback, which keeps what it gets. */
export class Receiver {
  readonly received: Received[] = [];
  /** How the next requests are answered. */
  respond: Respond = OK;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<Receiver> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const receiver = new Receiver(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`);
    server.on('request', (request, response) => void receiver.take(request, response));
    return receiver;
  }

  /** Answers with a status, and headers if needed. */
  answer(status: number, headers: Record<string, string> = {}, body = ''): void {
    this.respond = (_, response) => response.writeHead(status, headers).end(body);
  }

  recover(): void {
    this.respond = OK;
  }

  get types(): string[] {
    return this.received.map(({ event }) => event.type as string);
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const headers = request.headers as Record<string, string>;
    const received = { id: headers['webhook-id'] ?? '', headers, body, event: JSON.parse(body) };
    this.received.push(received);
    this.respond(received, response);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** Throws unless the reference implementation of Standard Webhooks accepts the signature. */
export function verifyByReference(secret: string, received: Received | undefined): void {
  if (received === undefined) throw new Error('Nothing was received');
  const { headers, body } = received;
  new Webhook(secret).verify(body, headers);
}
