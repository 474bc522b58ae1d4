import { readFileSync } from 'node:fs';
import { get as httpGet } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Request } from 'express';
import { Slots, type LimitedSlots } from '../../src/http/slots.js';
import { eventually } from '../support/races/eventually.js';
import { csvOf, CSV, imported } from '../support/records/imports.js';
import { expectProblem } from '../support/http/problem.js';
import { rawRequest } from '../support/http/raw-http.js';
import { useService } from '../support/service/service.js';
import { bearer, signToken, useSecuredService } from '../support/http/tokens.js';

const FILE = csvOf(['shipmentType'], [['HHG']]);

const service = useService({ TRUSTED_PROXIES: 'loopback' });
const from = (address: string) => ({ 'X-Forwarded-For': address });
let resultPath: string;

beforeAll(async () => {
  resultPath = `/v1/imports/${(await imported(service.api, FILE)).id}/result`;
});

interface Answer {
  readonly status: number;
  readonly headers: Headers;
}

/** Sends a request for each kind of slot, and returns when its answer has begun. */
const ASK: Readonly<Record<string, (headers: Record<string, string>) => Promise<Answer>>> = {
  streams: (headers) => get('/v1/events/stream?after=now', headers),
  waits: (headers) => get('/v1/events?wait=1', headers),
  exports: (headers) => get('/v1/moves', { Accept: 'text/csv', ...headers }),
  uploads: (headers) => service.api.post('/v1/imports', FILE, { ...CSV, ...headers }),
  results: (headers) => get(resultPath, headers),
};

/** Leaves as soon as the answer has begun: some have no end. */
function get(path: string, headers: Record<string, string>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = httpGet(service.url + path, { agent: false, headers }, (response) => {
      const { statusCode = 0, headers: received } = response;
      response.destroy();
      resolve({ status: statusCode, headers: new Headers(received as Record<string, string>) });
    });
    asked.on('error', reject);
  });
}

/** A request that the service has received from an address. */
async function requestFrom(address: string): Promise<Request> {
  const arrived = new Promise<Request>((resolve) => {
    service.app.getHttpServer().once('request', resolve);
  });
  await service.api.get('/v1/moves', from(address));
  // Without its connection, Express does not know the address any more.
  return Object.defineProperty(await arrived, 'ip', { value: address });
}

describe.each(Object.entries(ASK))('%s', (kind, ask) => {
  let slots: LimitedSlots;
  const taken: (() => void)[] = [];
  const take = async (address: string, count: number) => {
    const request = await requestFrom(address);
    for (let turn = 0; turn < count; turn += 1) taken.push(slots.take(request));
  };
  const isRefused = async (address: string) => {
    const { status, headers } = await ask(from(address));
    return [status, Number(headers.get('Retry-After')) > 0];
  };

  beforeEach(() => {
    slots = service.app.get(Slots).of(kind);
  });
  afterEach(async () => {
    for (const free of taken.splice(0)) free();
    await eventually(() => slots.inUse === 0, 30_000, 'all slots are free');
  });

  test('429 for a caller that has its share, while others are served', async () => {
    await take('192.0.2.1', slots.limits.share);
    expect(await isRefused('192.0.2.1')).toEqual([429, true]);
    expect((await ask(from('192.0.2.2'))).status).toBeLessThan(300);
    // A subscriber of IPv6 has a whole network.
    await take('2001:db8::1', slots.limits.share - 1);
    await take('2001:db8::2', 1);
    if (slots.limits.limit > 2 * slots.limits.share) expect(await isRefused('2001:db8::3')).toEqual([429, true]);
  });

  test('503 when all slots are in use, and the metrics show why', async () => {
    const callers = Math.ceil(slots.limits.limit / slots.limits.share);
    for (let caller = 1; caller <= callers; caller += 1) {
      await take(`192.0.2.${caller}`, Math.min(slots.limits.share, slots.limits.limit - slots.inUse));
    }
    expect(await isRefused('192.0.2.200')).toEqual([503, true]);
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    expect(metrics).toContain(`waybill_slots_in_use{kind="${kind}"} ${slots.limits.limit}\n`);
    expect(metrics).toContain(`waybill_slots_limit{kind="${kind}"} ${slots.limits.limit}\n`);
    expect(metrics).toContain(`waybill_slots_refused_total{kind="${kind}",reason="limit"} 1\n`);
    for (const free of taken.splice(0)) free();
    expect((await ask(from('192.0.2.200'))).status).toBeLessThan(300);
  });

  test('a slot that is freed twice counts once', async () => {
    await take('192.0.2.1', 1);
    const [free] = taken;
    free?.();
    free?.();
    expect(slots.inUse).toBe(0);
  });
});

test('docs/operations.md has the limit and the share of every kind', () => {
  const rows = readFileSync('docs/operations.md', 'utf8').matchAll(/^\| `(\w+)` .*\| (\d+) +\| (\d+) +\|[^|]*\|$/gm);
  const documented = [...rows].map(([, kind, limit, share]) => [kind, Number(limit), Number(share)]);
  const kinds = [...service.app.get(Slots).all].map(([kind, { limits }]) => [kind, limits.limit, limits.share]);
  expect(kinds.map(([kind]) => kind).sort()).toEqual(Object.keys(ASK).sort());
  expect(documented.sort()).toEqual(kinds.sort());
});

describe('with tokens', () => {
  const { service: other, key, as } = useSecuredService();

  test('403 for an upload without its scope, which takes no slot; with it, each subject has a share', async () => {
    const uploads = other.app.get(Slots).of('uploads');
    const sockets: Socket[] = [];
    /** Sends all of a file but its end. */
    const begin = async (subject: string, scope: string) => {
      const headers = Object.entries({ ...CSV, ...bearer(await signToken(key, { subject, scope })) });
      const bytes = rawRequest('POST', '/v1/imports', headers, FILE).subarray(0, -1);
      const socket = connect(other.port, '127.0.0.1', () => socket.write(bytes));
      sockets.push(socket);
      let answer = '';
      socket.on('data', (data) => (answer += data.toString()));
      const before = uploads.inUse;
      await eventually(() => answer !== '' || uploads.inUse > before, 30_000, 'the upload is taken or refused');
      return answer.slice(9, 12);
    };
    for (let count = 0; count < uploads.limits.limit; count += 1)
      expect(await begin('reader', 'shipments:read')).toBe('403');
    expect(uploads.inUse).toBe(0);
    for (let count = 0; count < uploads.limits.share; count += 1)
      expect(await begin('ann', 'shipments:write')).toBe('');
    expect(await begin('ann', 'shipments:write')).toBe('429');
    expect(await begin('bob', 'shipments:write')).toBe('');
    const bob = await as({ subject: 'bob', scope: '' });
    expectProblem(await bob.post('/v1/imports', FILE, CSV), 403, 'FORBIDDEN');
    for (const socket of sockets) socket.destroy();
    await eventually(() => uploads.inUse === 0, 30_000, 'all slots are free');
  });
});
