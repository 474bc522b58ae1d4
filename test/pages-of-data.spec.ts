import { createAgent, createMove, createShipment, ADDRESS, UNKNOWN_ID } from './support/records.js';
import type { Json } from './support/api.js';
import { expectProblem } from './support/problem.js';
import { startService, useService } from './support/service.js';

const service = useService({ CORS_ORIGINS: 'https://app.example.com' });

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const HOSTILE = `<script>alert(1)</script>"'&<img src=x onerror=alert(2)>`;

interface Opened {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

async function open(path: string, headers: Record<string, string> = {}, url = service.url): Promise<Opened> {
  const answer = await fetch(url + path, { headers: { Accept: BROWSER, ...headers } });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

let move: Json;
let shipment: Json;
let paths: Record<string, string>;

beforeAll(async () => {
  move = await createMove(service.api, { remarks: HOSTILE, orderID: '</code></pre><b>' });
  const fields = { moveID: move.id, customerRemarks: HOSTILE, pickupAddress: { ...ADDRESS, city: HOSTILE } };
  shipment = await createShipment(service.api, fields);
  await createShipment(service.api, fields);
  const agent = await createAgent(service.api, { firstName: HOSTILE }, shipment);
  paths = {
    move: `/v1/moves/${move.id}`,
    'move by its code': `/v1/moves/${move.moveCode}`,
    shipment: `/v1/shipments/${shipment.id}`,
    'shipment, expanded': `/v1/shipments/${shipment.id}?expand=move,agents`,
    'shipment with a slash': `/v1/shipments/${shipment.id}/`,
    shipments: '/v1/shipments',
    'shipments, page by page': `/v1/shipments?limit=1&moveID=${move.id}`,
    moves: '/v1/moves?expand=shipments',
    history: `/v1/shipments/${shipment.id}/history`,
    agents: `/v1/shipments/${shipment.id}/agents`,
    agent: `/v1/agents/${agent.id}`,
    address: `/v1/mto-shipment/${shipment.id}/address/${shipment.pickupAddress.id}`,
    'empty list': '/v1/moves?orderID=nobody',
  };
});

const NAMES = [
  ...['move', 'move by its code', 'shipment', 'shipment, expanded', 'shipment with a slash', 'shipments'],
  ...['shipments, page by page', 'moves', 'history', 'agents', 'agent', 'address', 'empty list'],
];

/** Nothing that a client wrote may be anything but text, and nothing may run or come from elsewhere. */
function expectHarmless({ text, headers }: Opened): void {
  expect(headers.get('Content-Security-Policy')).toMatch(/^default-src 'none'; style-src 'self'/);
  expect(headers.get('Content-Security-Policy')).not.toMatch(/unsafe|script-src/);
  expect(text).not.toMatch(/<script|<style|<img|<b>|<[^>]*\son\w+=|(src|href)="(https?:)?\/\//);
}

async function expectLinksToWork(path: string, { text }: Opened): Promise<void> {
  for (const [, link = ''] of text.matchAll(/(?:src|href)="([^"]+)"/g)) {
    const target = new URL(link.replaceAll('&#38;', '&'), service.url + path);
    const answer = await fetch(target, { headers: { Accept: '*/*' } });
    await answer.text();
    expect([path, link, answer.status]).toEqual([path, link, 200]);
  }
}

describe.each(NAMES)('a browser that opens a record or a list: %s', (name) => {
  test('gets a page with the whole JSON, whose links work', async () => {
    const path = paths[name] ?? '';
    const page = await open(path);
    expect([page.status, page.headers.get('Content-Type')]).toEqual([200, 'text/html; charset=utf-8']);
    expectHarmless(page);
    await expectLinksToWork(path, page);
    const [, json = ''] = /<pre class="json"><code>([^]*)<\/code><\/pre>/.exec(page.text) ?? [];
    const plain = json.replace(/<[^>]+>/g, '').replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
    expect(JSON.parse(plain)).toEqual((await service.api.get(path)).body);
  });

  test('gets no ETag and never 304, whatever it has of the JSON', async () => {
    const path = paths[name] ?? '';
    const eTag = (await service.api.get(path)).headers.get('ETag') ?? `"${shipment.eTag}"`;
    for (const known of [eTag, '*']) {
      const { status, headers } = await open(path, { 'If-None-Match': known });
      expect([status, headers.get('ETag'), headers.get('Vary')]).toEqual([200, null, 'Origin, Accept']);
    }
    const { headers } = await service.api.get(path);
    expect(headers.get('Vary')).toBe('Origin, Accept');
  });
});

test('ids lead to their records, and a record to its history', async () => {
  const { text } = await open(paths['shipment'] ?? '');
  for (const target of [
    `v1/moves/${move.id}`,
    `v1/shipments/${shipment.id}`,
    `v1/shipments/${shipment.id}/history`,
    `v1/mto-shipment/${shipment.id}/address/${shipment.pickupAddress.id}`,
  ]) {
    expect(text).toContain(`href="../../${target}"`);
  }
  expect(text).toContain(shipment.eTag);
  const history = await open(paths['history'] ?? '');
  expect(history.text).toContain(`href="../../../v1/shipments/${shipment.id}"`);
});

test('a page of a list leads to the next one', async () => {
  const path = paths['shipments, page by page'] ?? '';
  const { text } = await open(path);
  const [, next = ''] = /href="(\?[^"]+)" rel="next"/.exec(text) ?? [];
  const page = await open(`/v1/shipments${next.replaceAll('&#38;', '&')}`);
  expect([page.status, page.text.includes(shipment.id)]).toEqual([200, true]);
});

describe('who gets JSON and who gets a page', () => {
  test.each([
    [undefined, 'json'],
    ['*/*', 'json'],
    ['application/json', 'json'],
    ['application/*', 'json'],
    ['application/json, text/html', 'json'],
    ['text/html, application/json', 'json'],
    ['text/html, */*', 'json'],
    ['text/html;q=0.5, application/json;q=0.9', 'json'],
    ['text/html;q=0.9, */*;q=0.9', 'json'],
    ['text/html;q=0, */*', 'json'],
    ['application/json, text/plain, */*', 'json'],
    ['TEXT/HTML;q=0.4, application/json;Q=0.5', 'json'],
    // The default of Java's HttpURLConnection.
    ['text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2', 'json'],
    [BROWSER, 'html'],
    ['text/html', 'html'],
    ['text/*', 'html'],
    ['text/html;q=0.9, application/json;q=0.5', 'html'],
    ['text/html;level=1;q=0.9, application/*;q=0.1', 'html'],
  ])('Accept: %s gives %s', async (accept, kind) => {
    for (const [path, status] of [
      [paths['shipment'], 200],
      ['/v1/shipments', 200],
      ['/v1/nothing', 404],
      ['/', 200],
    ] as const) {
      const headers = accept === undefined ? {} : { Accept: accept };
      const answer = await fetch(service.url + path, { headers });
      await answer.text();
      const type = answer.headers.get('Content-Type') ?? '';
      expect([path, answer.status, type.includes(kind)]).toEqual([path, status, true]);
      expect(answer.headers.get('Vary')).toContain('Accept');
    }
  });

  test('writes are answered in JSON, refused ones too', async () => {
    const headers = { Accept: BROWSER };
    const created = await service.api.post('/v1/moves', {}, headers);
    const refused = await service.api.post('/v1/moves', { colour: 1 }, headers);
    const deleted = await service.api.delete(`/v1/moves/${UNKNOWN_ID}`, headers);
    const types = [created, refused, deleted].map((answer) => answer.headers.get('Content-Type'));
    expect(types).toEqual(['application/json; charset=utf-8', ...Array(2).fill('application/problem+json')]);
  });

  test('406 for a write by a client that takes nothing but HTML, and nothing is written', async () => {
    const count = async () => (await service.sql.query('SELECT count(*) FROM moves')).rows;
    const before = await count();
    expectProblem(await service.api.post('/v1/moves', {}, { Accept: 'text/html' }), 406, 'NOT_ACCEPTABLE');
    expect(await count()).toEqual(before);
  });

  test('HEAD tells what GET would send, and sends nothing', async () => {
    const path = service.url + (paths['shipment'] ?? '');
    const [head, get] = [
      await fetch(path, { method: 'HEAD', headers: { Accept: BROWSER } }),
      await fetch(path, { headers: { Accept: BROWSER } }),
    ];
    expect([await head.text(), (await get.text()).length > 0]).toEqual(['', true]);
    for (const name of ['Content-Type', 'Content-Length', 'Vary']) {
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    }
  });
});

describe('a problem in a browser', () => {
  test.each([
    ['/v1/shipmens', 404, 'NOT_FOUND', 'Did you mean /v1/shipments?'],
    [`/v1/shipments/${UNKNOWN_ID}`, 404, 'NOT_FOUND', UNKNOWN_ID],
    ['/v1/moves?limt=1&page=2', 400, 'INVALID_PARAMETER', '?limt'],
    ['/prime/v1/shipments', 405, 'METHOD_NOT_ALLOWED', 'POST'],
    [`/v1/moves/${encodeURIComponent(HOSTILE)}`, 404, 'NOT_FOUND', 'There is no move'],
    [`/v1/moves?${encodeURIComponent(HOSTILE)}=1`, 400, 'INVALID_PARAMETER', 'alert(1)'],
    [`/%22onmouseover=alert(1)%20x/%3Cscript%3E`, 404, 'NOT_FOUND', 'no such path'],
    ['/problems/NOTHING', 404, 'NOT_FOUND', '/problems'],
  ])('%s is a page with the status %i', async (path, status, code, said) => {
    const page = await open(path);
    expect([page.status, page.headers.get('Content-Type')]).toEqual([status, 'text/html; charset=utf-8']);
    expect(page.headers.get('Cache-Control')).toBe('no-store');
    expect(page.headers.get('Vary')).toContain('Accept');
    expectHarmless(page);
    for (const part of [code, said, `problems/${code}`]) expect(page.text).toContain(part);
    await expectLinksToWork(path, page);
  });

  test('401 says how to send a token', async () => {
    const strict = await startService({
      AUTH_MODE: 'jwt',
      JWT_ISSUER: 'https://issuer.example',
      JWT_AUDIENCE: 'waybill',
      JWT_JWKS_URL: 'http://127.0.0.1:9/jwks',
    });
    try {
      for (const path of ['/v1/moves', '/v1/moves/$(id)', '/nothing']) {
        const page = await open(path, {}, strict.url);
        expect([page.status, page.headers.get('WWW-Authenticate')]).toEqual([401, 'Bearer realm="waybill"']);
        expect(page.text).toContain('curl -s "$URL" -H "Authorization: Bearer $ACCESS_TOKEN"');
        expectHarmless(page);
      }
    } finally {
      await strict.stop();
    }
  });
});
