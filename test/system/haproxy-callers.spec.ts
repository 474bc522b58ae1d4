import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HaProxy } from '../support/http/haproxy.js';
import { exchange } from '../support/http/plain-http.js';
import { describeWith } from '../support/repository/tools.js';

/** The headers that docs/operations.md names for AUTH_MODE=proxy. */
const NAMES = ['X-Forwarded-User', 'X-Forwarded-Preferred-Username', 'X-Forwarded-Groups'];

describeWith(['haproxy', 'openssl'], 'deploy/haproxy.cfg in front of a service that believes proxies', () => {
  const seen: IncomingHttpHeaders[] = [];
  const replica = createServer(({ headers }, response) => {
    seen.push(headers);
    response.end();
  });
  let haproxy: HaProxy;

  beforeAll(async () => {
    await new Promise<void>((resolve) => replica.listen(0, '127.0.0.1', resolve));
    const { port } = replica.address() as AddressInfo;
    haproxy = await HaProxy.start([{ port }, { port }]);
  });
  afterAll(async () => {
    await haproxy.stop();
    replica.closeAllConnections();
    replica.close();
  });

  test('the document has these headers', () => {
    const document = readFileSync('docs/operations.md', 'utf8');
    const named = [...document.matchAll(/^AUTH_PROXY_\w+_HEADER=(\S+)$/gm)].map(([, name]) => name ?? '');
    expect([...new Set(named)]).toEqual(NAMES);
  });

  test('what clients say about who calls never passes', async () => {
    for (const path of ['/v1/moves', '/v1/events', '/v1/imports']) {
      const forged = Object.fromEntries(NAMES.map((name) => [name, ['boss', 'boss']]));
      const options = { headers: { ...forged, Connection: NAMES.join() }, rejectUnauthorized: false };
      expect((await exchange(haproxy.url + path, options, undefined)).status).toBe(200);
    }
    expect(seen).toHaveLength(3);
    for (const headers of seen) for (const name of NAMES) expect(headers).not.toHaveProperty([name.toLowerCase()]);
  });
});
