import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Json } from './api.js';
import { eventually } from '../races/eventually.js';

interface Block {
  readonly id: string | undefined;
  readonly event: Json;
}

/** A raw connection to the event stream. */
export class RawStream {
  /** The status line and headers received so far. */
  head = '';
  /** The body received so far, without chunk framing. */
  body = '';
  /** Whether the final chunk was received. */
  isComplete = false;
  isClosed = false;
  /** The number of events received; cheaper than parsing them. */
  count = 0;
  private raw = Buffer.alloc(0);

  private constructor(readonly socket: Socket) {
    socket.on('data', (data) => this.receive(data));
    socket.on('error', () => undefined);
    socket.on('close', () => (this.isClosed = true));
  }

  static open(
    to: { readonly port: number; readonly ca?: string },
    path: string,
    headers: Readonly<Record<string, string>> = {},
  ): RawStream {
    const lines = Object.entries({ Host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
    const request = `GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
    const socket =
      to.ca === undefined
        ? connect(to.port, '127.0.0.1', () => socket.write(request))
        : connectTls({ port: to.port, host: '127.0.0.1', servername: 'localhost', ca: to.ca }, () =>
            socket.write(request),
          );
    return new RawStream(socket);
  }

  get status(): number {
    return Number(this.head.split(' ')[1]);
  }

  /** The complete blocks: events, and blocks with only an id. */
  get blocks(): Block[] {
    return this.body
      .split('\n\n')
      .slice(0, -1)
      .map((block) => {
        const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
        const data = field('data');
        return { id: field('id'), event: data === undefined ? undefined : JSON.parse(data) };
      })
      .filter(({ id }) => id !== undefined);
  }

  get events(): Json[] {
    return this.blocks.map(({ event }) => event).filter((event) => event !== undefined);
  }

  get comments(): string[] {
    return this.body.split('\n').filter((line) => line.startsWith(':'));
  }

  get lastID(): string {
    return this.blocks.at(-1)?.id ?? '';
  }

  /** Waits for the first bytes of the body. */
  async opened(): Promise<this> {
    await eventually(() => this.body !== '' || this.isComplete || this.isClosed, 20_000, 'the first byte');
    return this;
  }

  async until(condition: (stream: this) => boolean, about: string, withinMs = 20_000): Promise<void> {
    await eventually(() => condition(this), withinMs, about);
  }

  close(): void {
    this.socket.destroy();
  }

  private receive(data: Buffer): void {
    this.raw = Buffer.concat([this.raw, data]);
    if (this.head === '') {
      const end = this.raw.indexOf('\r\n\r\n');
      if (end === -1) return;
      this.head = this.raw.subarray(0, end).toString();
      this.raw = this.raw.subarray(end + 4);
    }
    if (/content-length/i.test(this.head)) this.body = this.raw.toString();
    else while (this.takeChunk());
  }

  private takeChunk(): boolean {
    const end = this.raw.indexOf('\r\n');
    if (end === -1) return false;
    const size = Number.parseInt(this.raw.subarray(0, end).toString(), 16);
    if (this.raw.length < end + 2 + size + 2) return false;
    const text = this.raw.subarray(end + 2, end + 2 + size).toString();
    this.body += text;
    this.count += text.split('\ndata: ').length - 1;
    this.raw = this.raw.subarray(end + 2 + size + 2);
    if (size === 0) this.isComplete = true;
    return size > 0;
  }
}
