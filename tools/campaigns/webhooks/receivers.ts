import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { oneOf, type Random } from '../crash/random.js';

/** A successful delivery, in the order in which the receiver answered. */
export interface Receipt {
  readonly id: string;
  readonly sequence: number;
  readonly recordID: string;
}

/** How a receiver fails. One that hangs holds its call until the deadline, so it is rare. */
const FAILURES: readonly ((response: ServerResponse) => void)[] = [
  (response) => response.writeHead(500).end(),
  (response) => response.writeHead(503).end(),
  (response) => response.writeHead(429, { 'Retry-After': '1' }).end(),
  (response) => response.writeHead(302, { Location: '/elsewhere' }).end(),
  (response) => response.socket?.resetAndDestroy(),
  (response) => response.writeHead(200, { 'Content-Length': '100' }).end('half', () => response.socket?.destroy()),
];
const FAILURE_RATE = 0.03;
const HANG_RATE = 0.0005;

/** All receivers of the campaign, one path for each. They verify signatures and keep what they have accepted. */
export class Receivers {
  readonly receipts = new Map<string, Receipt[]>();
  readonly secrets = new Map<string, string>();
  failed = 0;
  unverified = 0;
  /** Called when a request has come in, and when it was accepted. */
  onCall: (step: 'during the call' | 'before the result') => void = () => undefined;

  private constructor(
    private readonly server: Server,
    private readonly random: Random,
  ) {}

  static async start(random: Random): Promise<Receivers> {
    const server = createServer({ keepAlive: false });
    const receivers = new Receivers(server, random);
    server.on('request', (request, response) => void receivers.take(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receivers;
  }

  urlOf(name: string): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/${name}`;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
      this.answer((request.url ?? '').slice(1), request, Buffer.concat(chunks).toString(), response);
    } catch {
      // The replica was killed while it sent the request.
    }
  }

  private answer(name: string, { headers }: IncomingMessage, body: string, response: ServerResponse): void {
    this.onCall('during the call');
    const chance = this.random();
    if (chance < HANG_RATE) return;
    if (chance < FAILURE_RATE) {
      this.failed += 1;
      oneOf(FAILURES, this.random)(response);
      return;
    }
    const event = this.verified(name, body, headers as Record<string, string>);
    if (event === undefined) {
      this.unverified += 1;
      response.writeHead(400).end();
      return;
    }
    const receipt = {
      id: String(headers['webhook-id']),
      sequence: Number(event.sequence),
      recordID: event.data.resourceID,
    };
    const receipts = this.receipts.get(name) ?? [];
    this.receipts.set(name, receipts);
    receipts.push(receipt);
    response.writeHead(204).end(() => this.onCall('before the result'));
  }

  private verified(name: string, body: string, headers: Record<string, string>) {
    try {
      const secret = this.secrets.get(name) ?? '';
      return new Webhook(secret).verify(body, headers) as { sequence: string; data: { resourceID: string } };
    } catch {
      return undefined;
    }
  }
}
