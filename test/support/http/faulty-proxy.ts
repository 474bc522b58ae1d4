import { createServer, request as send, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';

/** A response of the service, whole. */
interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** What a proxy does with a request: `pass` asks the service, and can be called again. */
export type ProxyFault = (pass: () => Promise<Answer>, response: ServerResponse) => Promise<void>;

function sendOn(response: ServerResponse, { status, headers, body }: Answer): void {
  const { 'transfer-encoding': _, ...others } = headers;
  response.writeHead(status, { ...others, ...(status !== 204 && { 'content-length': body.length }) }).end(body);
}

/** The proxy responds in place of the service, which has or has not handled the request. */
function instead(status: number, body: string, headers: Record<string, string>, isDone: boolean): ProxyFault {
  return async (pass, response) => {
    if (isDone) await pass();
    response.writeHead(status, headers).end(body);
  };
}

const HTML = { 'Content-Type': 'text/html' };
const JSON_TYPE = { 'Content-Type': 'application/json' };

/** Everything that a proxy has been seen to do, by name. `elsewhere` is where redirects lead. */
export function proxyFaults(elsewhere: string): Readonly<Record<string, ProxyFault>> {
  const own: [string, number, string, Record<string, string>][] = [
    ...[301, 302, 303, 307, 308].map((status): [string, number, string, Record<string, string>] => [
      ...([`redirects with ${status}`, status, '', { Location: elsewhere }] as const),
    ]),
    ['shows a page with 200', 200, '<h1>Sign in</h1>', HTML],
    ['shows a page that claims to be JSON', 200, '<h1>Sign in</h1>', JSON_TYPE],
    ['shows a page with 500', 500, '<h1>Oops</h1>', HTML],
    ['answers 520', 520, 'error code: 520', HTML],
    ['answers nothing with 200', 200, '', JSON_TYPE],
    ['answers nothing with 201', 201, '', JSON_TYPE],
  ];
  return {
    ...Object.fromEntries(
      own.flatMap(([name, ...answer]) => [
        [`${name} in place of the service`, instead(...answer, false)],
        [`${name} after the service was done`, instead(...answer, true)],
      ]),
    ),
    'loses the request': (_, response) => {
      response.destroy();
      return Promise.resolve();
    },
    'loses the response': async (pass, response) => {
      await pass();
      response.destroy();
    },
    'breaks off in the middle of the response': async (pass, response) => {
      const { status, headers, body } = await pass();
      const { 'transfer-encoding': _, ...others } = headers;
      response.writeHead(status, { ...others, 'content-length': body.length + 1 });
      response.write(body.subarray(0, Math.ceil(body.length / 2)), () => response.destroy());
    },
    'shortens the response': async (pass, response) => {
      const answer = await pass();
      sendOn(response, { ...answer, body: answer.body.subarray(0, Math.floor(answer.body.length / 2)) });
    },
    'repeats the request': async (pass, response) => {
      await pass();
      sendOn(response, await pass());
    },
    'holds the response until the client gives up': async (pass, response) => {
      await pass();
      await new Promise((resolve) => response.once('close', resolve));
    },
  };
}

/** A proxy that does to a request what its header `X-Fault` names, as often as its header `X-Fault-Count` says. */
export class FaultyProxy {
  /** How often each client, by its header `X-Fault-Client`, has met its fault. */
  private readonly met = new Map<string, number>();

  private constructor(
    private readonly server: Server,
    private readonly target: number,
    private readonly faults: Readonly<Record<string, ProxyFault>>,
  ) {}

  static async start(target: number, faults: Readonly<Record<string, ProxyFault>>): Promise<FaultyProxy> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const proxy = new FaultyProxy(server, target, faults);
    server.on('request', (incoming, response) => {
      proxy.handle(incoming, response).catch(() => response.destroy());
    });
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { 'x-fault': name = '', 'x-fault-count': count, 'x-fault-client': client = '' } = incoming.headers;
    const body = await buffer(incoming);
    const pass = () => this.pass(incoming, body);
    const met = this.met.get(String(client)) ?? 0;
    const fault = met < Number(count ?? 0) ? this.faults[String(name)] : undefined;
    this.met.set(String(client), met + 1);
    if (fault === undefined) sendOn(response, await pass());
    else await fault(pass, response);
  }

  private pass({ method, url: path, headers }: IncomingMessage, body: Buffer): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const outgoing = send({ port: this.target, host: '127.0.0.1', method, path, headers }, (answer) => {
        const { statusCode: status = 0 } = answer;
        buffer(answer).then((whole) => resolve({ status, headers: answer.headers, body: whole }), reject);
      });
      outgoing.on('error', reject).end(body);
    });
  }
}
