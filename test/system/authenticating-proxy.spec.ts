import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseEnv } from 'node:util';
import type { Answer, Json } from '../support/http/api.js';
import { freePort } from '../support/http/free-port.js';
import { Nginx } from '../support/http/nginx.js';
import { exchange } from '../support/http/plain-http.js';
import { expectProblem } from '../support/http/problem.js';
import { describeWith } from '../support/repository/tools.js';
import { useReplica } from '../support/service/replica.js';

const [, variables = '', lines = ''] =
  /asks oauth2-proxy[^]*?```sh\n([^]*?)```\n\n```\n([^]*?)```/.exec(readFileSync('docs/operations.md', 'utf8')) ?? [];
const SETTINGS = parseEnv(variables) as Record<string, string>;

/** What oauth2-proxy answers to auth_request: it knows people by a cookie. */
const PEOPLE: Record<string, Record<string, string>> = {
  ann: {
    'X-Auth-Request-User': 'ann-7',
    'X-Auth-Request-Email': 'ann@depot.internal',
    'X-Auth-Request-Preferred-Username': Buffer.from('Änn Pörter').toString('latin1'),
    'X-Auth-Request-Groups': 'moves:read,moves:write,other',
  },
  ben: { 'X-Auth-Request-User': 'ben-8' },
  nobody: {},
};

/** Every header that tells the service who calls, in this setup or another. */
const FORGED = {
  'X-Forwarded-User': 'boss',
  'X-Forwarded-Preferred-Username': 'Boss',
  'X-Forwarded-Groups': 'moves:read,moves:write,keys:write',
  'X-Auth-Request-User': 'boss',
  X_Forwarded_User: 'boss',
  // Headers that are named here belong to the connection alone, and some proxies remove them.
  Connection: 'close, X-Forwarded-User, X-Forwarded-Groups',
};

function startOAuth2Proxy(seen: IncomingHttpHeaders[]): Promise<Server> {
  const server = createServer((request, response) => {
    seen.push(request.headers);
    const person = PEOPLE[/session=(\w+)/.exec(request.headers.cookie ?? '')?.[1] ?? ''];
    response.writeHead(person === undefined ? 401 : 202, person).end();
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

describeWith(
  ['nginx', 'openssl'],
  'AUTH_MODE=proxy behind deploy/nginx.conf with the lines of docs/operations.md',
  () => {
    const service = useReplica(() => ({ ...SETTINGS, TRUSTED_PROXIES: '127.0.0.1' }));
    const seen: IncomingHttpHeaders[] = [];
    let authenticating: Server;
    let nginx: Nginx;
    let withoutLines: Nginx;

    beforeAll(async () => {
      authenticating = await startOAuth2Proxy(seen);
      const { port } = authenticating.address() as AddressInfo;
      const replicas = [service.replica.port, await freePort()] as const;
      nginx = await Nginx.start(replicas, lines.replaceAll('127.0.0.1:4180', `127.0.0.1:${port}`));
      withoutLines = await Nginx.start(replicas);
    });
    afterAll(async () => {
      await nginx.stop();
      await withoutLines.stop();
      authenticating.close();
    });

    async function send(
      to: Nginx,
      method: string,
      path: string,
      headers: Record<string, string>,
      body?: string,
    ): Promise<Answer<Json>> {
      const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
      const options = { method, headers: { ...type, ...headers }, rejectUnauthorized: false };
      const answer = await exchange(to.url + path, options, body);
      const received = new Headers(
        Object.entries(answer.headersDistinct).map(([name, values]) => [name, String(values)]),
      );
      return {
        status: answer.status,
        headers: received,
        body: answer.body === '' ? undefined : JSON.parse(answer.body),
      };
    }

    test('the document has these variables and lines', () => {
      expect(Object.keys(SETTINGS)).toHaveLength(4);
      expect(lines).toContain('auth_request /oauth2/auth;');
    });

    test.each([{}, FORGED])(
      'a caller has the name and the scopes that the proxy says, whatever the client sends: %j',
      async (forged) => {
        const as = { Cookie: 'session=ann', ...forged };
        const { status, body: move } = await send(nginx, 'POST', '/v1/moves', as, '{}');
        expect(status).toBe(201);
        const { body: history } = await send(nginx, 'GET', `/v1/moves/${move.id}/history`, as);
        expect(history).toMatchObject([{ subject: 'ann-7', changedBy: 'Änn Pörter' }]);
        expectProblem(await send(nginx, 'GET', '/v1/shipments', as), 403, 'FORBIDDEN');
        expectProblem(await send(nginx, 'GET', '/v1/keys', as), 403, 'FORBIDDEN');
      },
    );

    test.each([{}, FORGED])('somebody without groups has no scopes: %j', async (forged) => {
      expectProblem(await send(nginx, 'GET', '/v1/moves', { Cookie: 'session=ben', ...forged }), 403, 'FORBIDDEN');
    });

    test.each([{}, FORGED])(
      'somebody whom the proxy does not know, or does not name, is refused: %j',
      async (forged) => {
        expectProblem(await send(nginx, 'GET', '/v1/moves', forged), 401, 'UNAUTHENTICATED');
        expectProblem(
          await send(nginx, 'POST', '/v1/moves', { Cookie: 'session=x', ...forged }, '{}'),
          401,
          'UNAUTHENTICATED',
        );
        expectProblem(
          await send(nginx, 'GET', '/v1/moves', { Cookie: 'session=nobody', ...forged }),
          401,
          'UNAUTHENTICATED',
        );
      },
    );

    test('the shipped file without these lines names nobody', async () => {
      expectProblem(await send(withoutLines, 'GET', '/v1/moves', FORGED), 401, 'UNAUTHENTICATED');
    });

    test('each request is asked about once, and never with its body', async () => {
      seen.length = 0;
      await send(nginx, 'POST', '/v1/moves', { Cookie: 'session=ann' }, '{"remarks":"private"}');
      expect(seen.map((headers) => headers['content-length'] ?? '0')).toEqual(['0']);
    });

    test('events and uploads are asked about, too', async () => {
      for (const [path, status] of [
        ['/v1/events', 200],
        ['/v1/imports', 403],
      ] as const) {
        expectProblem(await send(nginx, 'GET', path, FORGED), 401, 'UNAUTHENTICATED');
        expect((await send(nginx, 'GET', path, { Cookie: 'session=ann', ...FORGED })).status).toBe(status);
      }
    });
  },
);
