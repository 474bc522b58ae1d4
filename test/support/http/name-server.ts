import { createSocket, type Socket as DatagramSocket } from 'node:dgram';
import { createServer, isIP, type Server, type Socket } from 'node:net';
import { freePort } from './free-port.js';

const TYPES: Readonly<Record<number, 4 | 6>> = { 1: 4, 28: 6 };
const MAX_DATAGRAM_BYTES = 512;

/** The addresses of a name, or how the server fails. */
export type Zone = (name: string) => readonly string[] | 'silent' | 'SERVFAIL' | 'half';

/** A name server on loopback, by UDP and TCP, that answers what a spec wants. */
export class NameServer {
  /** The names of the queries, in order. */
  readonly asked: string[] = [];
  private readonly sockets = new Set<Socket>();

  private constructor(
    readonly address: string,
    private readonly zone: Zone,
    private readonly datagrams: DatagramSocket,
    private readonly streams: Server,
  ) {}

  static async start(zone: Zone): Promise<NameServer> {
    const port = await freePort();
    const datagrams = createSocket('udp4');
    const streams = createServer();
    const server = new NameServer(`127.0.0.1:${port}`, zone, datagrams, streams);
    datagrams.on('message', (query, { port: from, address }) => {
      const answer = server.answerTo(query);
      if (answer === undefined) return;
      datagrams.send(answer.length > MAX_DATAGRAM_BYTES ? truncated(answer) : answer, from, address);
    });
    streams.on('connection', (socket) => server.serve(socket));
    await new Promise<void>((resolve) => datagrams.bind(port, '127.0.0.1', resolve));
    await new Promise<void>((resolve) => streams.listen(port, '127.0.0.1', resolve));
    return server;
  }

  /** A message by TCP begins with its length. */
  private serve(socket: Socket): void {
    this.sockets.add(socket.on('error', () => undefined));
    let received = Buffer.alloc(0);
    socket.on('data', (data: Buffer) => {
      received = Buffer.concat([received, data]);
      while (received.length > 2 && received.length >= 2 + received.readUInt16BE()) {
        const end = 2 + received.readUInt16BE();
        const answer = this.answerTo(received.subarray(2, end));
        received = received.subarray(end);
        if (answer === undefined) continue;
        const length = Buffer.alloc(2);
        length.writeUInt16BE(answer.length);
        socket.write(Buffer.concat([length, answer]));
      }
    });
  }

  private answerTo(query: Buffer): Buffer | undefined {
    const labels: string[] = [];
    let at = 12;
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length));
      at += 1 + length;
    }
    const name = labels.join('.').toLowerCase();
    this.asked.push(name);
    const family = TYPES[query.readUInt16BE(at + 1)];
    const question = query.subarray(12, at + 5);
    const found = this.zone(name);
    if (found === 'silent') return undefined;
    if (found === 'SERVFAIL') return messageOf(query, question, 2, []);
    // NXDOMAIN for a name without any address.
    const records = found === 'half' ? ['192.0.2.1'] : found.filter((address) => isIP(address) === family);
    const message = messageOf(query, question, found.length === 0 ? 3 : 0, records);
    return found === 'half' ? message.subarray(0, message.length - 3) : message;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise<void>((resolve) => this.datagrams.close(() => resolve()));
    await new Promise((resolve) => this.streams.close(resolve));
  }
}

function messageOf(query: Buffer, question: Buffer, code: number, addresses: readonly string[]): Buffer {
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8180 | code, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(addresses.length, 6);
  return Buffer.concat([header, question, ...addresses.map(recordOf)]);
}

function recordOf(address: string): Buffer {
  const isIPv4 = isIP(address) === 4;
  const bytes = isIPv4 ? Buffer.from(address.split('.').map(Number)) : bytesOfIPv6(address);
  const record = Buffer.alloc(12);
  // A pointer to the name in the question, type, class IN, and a time to live of a minute.
  record.writeUInt16BE(0xc00c, 0);
  record.writeUInt16BE(isIPv4 ? 1 : 28, 2);
  record.writeUInt16BE(1, 4);
  record.writeUInt32BE(60, 6);
  record.writeUInt16BE(bytes.length, 10);
  return Buffer.concat([record, bytes]);
}

function bytesOfIPv6(address: string): Buffer {
  const [head = '', tail = ''] = address.split('::');
  const groups = (text: string) => text.split(':').filter((group) => group !== '');
  const missing = 8 - groups(head).length - groups(tail).length;
  const all = [...groups(head), ...Array.from({ length: missing }, () => '0'), ...groups(tail)];
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex');
}

/** The header and the question alone, which asks the client to repeat the query by TCP. */
function truncated(message: Buffer): Buffer {
  const copy = Buffer.from(message.subarray(0, message.indexOf(0, 12) + 5));
  copy.writeUInt16BE(copy.readUInt16BE(2) | 0x0200, 2);
  copy.fill(0, 6, 12);
  return copy;
}
