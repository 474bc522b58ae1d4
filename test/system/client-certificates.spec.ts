import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { freePort } from '../support/http/free-port.js';
import { Nginx } from '../support/http/nginx.js';
import { exchange } from '../support/http/plain-http.js';
import { describeWith } from '../support/repository/tools.js';
import { Authority } from '../support/service/certificate.js';
import { useReplica } from '../support/service/replica.js';

const [, variables = '', maps = '', lines = ''] =
  /## Client certificates[^]*?```sh\n([^]*?)```[^]*?```\n([^]*?)```[^]*?```\n([^]*?)```/.exec(
    readFileSync('docs/operations.md', 'utf8'),
  ) ?? [];
const SETTINGS = parseEnv(variables) as Record<string, string>;

/** What a client may send to be taken for somebody else. */
const FORGED = {
  'X-Forwarded-User': 'CN=carrier-south',
  'X-Forwarded-Preferred-Username': 'carrier-south',
  'X-Forwarded-Groups': 'moves:read,moves:write,keys:write',
  X_Forwarded_User: 'CN=carrier-south',
  'X-SSL-Client-S-DN': 'CN=carrier-south',
};

describeWith(
  ['nginx', 'openssl'],
  'client certificates at deploy/nginx.conf with the lines of docs/operations.md',
  () => {
    const service = useReplica(() => ({ ...SETTINGS, TRUSTED_PROXIES: '127.0.0.1' }));
    const folder = mkdtempSync(join(tmpdir(), 'waybill-clients-'));
    chmodSync(folder, 0o755);
    const carriers = new Authority(folder, 'carriers');
    const others = new Authority(folder, 'others');
    let nginx: Nginx;

    beforeAll(async () => {
      nginx = await Nginx.start([service.replica.port, await freePort()], '', (configuration) =>
        configuration
          .replace('server {\n    listen', `${maps}\nserver {\n    listen`)
          .replace(/set \$caller_subject '';[^]*?set \$caller_scopes '';/, lines)
          .replaceAll('/etc/nginx/tls/clients.crt', carriers.file),
      );
    });
    afterAll(async () => {
      await nginx.stop();
      rmSync(folder, { recursive: true });
    });

    async function send(
      client: { certFile: string; keyFile: string } | undefined,
      method: string,
      path: string,
      headers = {},
    ) {
      const certificate = client && { cert: readFileSync(client.certFile), key: readFileSync(client.keyFile) };
      const options = { method, headers: { 'Content-Type': 'application/json', ...headers }, ...certificate };
      const answer = await exchange(
        nginx.url + path,
        { ...options, rejectUnauthorized: false },
        method === 'POST' ? '{}' : undefined,
      );
      return {
        status: answer.status,
        body: answer.body === '' ? undefined : (JSON.parse(answer.body) as Record<string, unknown>),
      };
    }

    test('the document has these variables and lines', () => {
      expect(Object.keys(SETTINGS)).toHaveLength(4);
      expect(lines).toContain('ssl_verify_client on;');
    });

    test.each([{}, FORGED])(
      'a caller is the subject of the certificate, with the scopes of the table: %j',
      async (forged) => {
        const carrier = carriers.certify('carrier-north');
        const { status, body } = await send(carrier, 'POST', '/v1/moves', forged);
        expect(status).toBe(201);
        const { body: history } = await send(carrier, 'GET', `/v1/moves/${String(body?.['id'])}/history`, forged);
        expect(history).toMatchObject([{ subject: 'CN=carrier-north', changedBy: 'carrier-north' }]);
        expect(await send(carrier, 'GET', '/v1/keys', forged)).toMatchObject({
          status: 403,
          body: { missingScope: 'keys:read' },
        });
      },
    );

    test.each([{}, FORGED])('a certificate that the table does not name has no scopes: %j', async (forged) => {
      for (const name of ['carrier-west', 'Carrier-North', 'carrier-north2', 'a carrier-north']) {
        expect(await send(carriers.certify(name), 'GET', '/v1/moves', forged)).toMatchObject({ status: 403 });
      }
    });

    test.each([{}, FORGED])(
      'without a certificate, or with one of another authority, nothing reaches the service: %j',
      async (forged) => {
        for (const client of [undefined, others.certify('carrier-north')]) {
          expect(await send(client, 'GET', '/v1/webhooks', forged)).toMatchObject({
            status: 400,
            body: { code: 'MALFORMED_REQUEST' },
          });
          expect(await send(client, 'GET', '/health/live', forged)).toMatchObject({ status: 400 });
        }
        const reached = service.replica.lines.filter((line) => line.includes('/v1/webhooks'));
        expect(reached).toEqual([]);
      },
    );
  },
);
