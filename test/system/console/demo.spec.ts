import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { work, type Workplace } from '../../../examples/demo/colleagues.mjs';
import { AUDIENCE, startIssuer, type Issuer } from '../../../examples/demo/issuer.mjs';
import { eventually } from '../../support/races/eventually.js';
import { freePort } from '../../support/http/free-port.js';
import { Gateway } from '../../support/http/gateway.js';
import { startService, type TestService } from '../../support/service/service.js';
import { SHIPMENT } from './harness.js';
import { WaybillClient } from '@waybill/client';

const run = promisify(execFile);

test('npm run demo listens where PORT says, says what to try, and takes everything away again', async () => {
  const port = await freePort();
  const options = ['--moves', '40', '--seconds', '6'];
  const env = { ...process.env, PORT: String(port) };
  const { stdout, stderr } = await run(process.execPath, ['examples/demo.mjs', ...options], { env });
  expect(stderr).toBe('');
  expect(stdout).toContain(`The console is at  http://127.0.0.1:${port}/console\n`);
  expect(stdout).toMatch(/\/console\/shipments\/[0-9a-f-]{36}\/edit\n/);
});

describe('a colleague of the demonstration', () => {
  const TOKEN_SECONDS = 2;
  let issuer: Issuer;
  let service: TestService;
  let gateway: Gateway;
  let ending: AbortController;
  let atWork: Promise<void>;
  let faults: unknown[];

  beforeAll(async () => {
    issuer = await startIssuer(['Ben Okafor'], TOKEN_SECONDS);
    service = await startService({
      ...{ AUTH_MODE: 'jwt', JWT_ISSUER: issuer.url, JWT_AUDIENCE: AUDIENCE, JWT_JWKS_URL: issuer.keysUrl },
      JWT_LEEWAY_SECONDS: '0',
    });
    gateway = await Gateway.start(service.port);
    const client = new WaybillClient({ baseUrl: service.url, token: () => issuer.token('Ben Okafor') });
    for (let count = 0; count < 20; count += 1) await client.shipments.create(SHIPMENT);
  });
  afterAll(async () => {
    await gateway.stop();
    await service.stop();
    await issuer.stop();
  });
  beforeEach(() => {
    ending = new AbortController();
    faults = [];
    const onFault: Workplace['onFault'] = (_name, error) => faults.push(error);
    atWork = work('Ben Okafor', { url: gateway.url, issuer, signal: ending.signal, pauseMs: 50, onFault });
  });
  afterEach(async () => {
    ending.abort();
    await atWork;
  });

  const changes = async () => {
    const { rows } = await service.sql.query<{ count: number }>('SELECT count(*)::int AS count FROM history');
    return rows[0]?.count ?? 0;
  };
  /** Two changes are accepted, of which the second began after this was called. */
  const worksOn = async () => {
    const before = await changes();
    const isDone = async () => faults.length > 0 || (await changes()) > before + 1;
    await eventually(isDone, 60_000, 'two more changes');
    expect(faults).toEqual([]);
  };

  it('works on after the first token has expired', async () => {
    await worksOn();
    const first = String(gateway.seen[0]?.headers.authorization);
    const isRefused = async () => {
      const { status } = await fetch(`${service.url}/v1/moves`, { headers: { Authorization: first } });
      return status === 401;
    };
    await eventually(isRefused, 60_000, 'an expired token');
    await worksOn();
  });

  it('works on after an error, which is told', async () => {
    gateway.next({ status: 500 });
    await eventually(() => faults.length > 0, 60_000, 'a fault');
    faults = [];
    await worksOn();
  });
});
