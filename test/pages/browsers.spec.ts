import type { Json } from '../support/http/api.js';
import { ADDRESS, createAgent, createMove, createShipment, UNKNOWN_ID } from '../support/records/records.js';
import { expectProblem } from '../support/http/problem.js';
import { startService, useService } from '../support/service/service.js';

const service = useService({ CORS_ORIGINS: 'https://app.example.com' });

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const HOSTILE = `<script>alert(1)</script>"'&<img src=x onerror=alert(2)>`;

interface Opened {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

async function open(path: string, headers: Record<string, string> = {}, url = service.url): Promise<Opened> {
  const answer = await fetch(url + path, { headers: { Accept: BROWSER, ...headers }, redirect: 'manual' });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

let move: Json;
let shipment: Json;

beforeAll(async () => {
  move = await createMove(service.api);
  shipment = await createShipment(service.api, { moveID: move.id, pickupAddress: ADDRESS });
});

describe('a browser that opens a record, a list or a history', () => {
  test.each([
    ['/v1/moves/MOVE', 'moves/MOVE'],
    ['/v1/moves/CODE', 'moves/CODE'],
    ['/v1/moves/MOVE/history', 'moves/MOVE'],
    ['/v1/shipments/SHIPMENT', 'shipments/SHIPMENT'],
    ['/v1/shipments/SHIPMENT/', 'shipments/SHIPMENT'],
    ['/v1/shipments/SHIPMENT?expand=move', 'shipments/SHIPMENT'],
    ['/v1/shipments/SHIPMENT/history', 'shipments/SHIPMENT'],
    ['/v1/shipments/SHIPMENT/agents', 'shipments/SHIPMENT'],
    ['/v1/shipments/SHIPMENT/services', 'shipments/SHIPMENT'],
    ['/v1/mto-shipment/SHIPMENT/address/ADDRESS', 'shipments/SHIPMENT'],
    ['/v1/shipments', 'list'],
    ['/v1/shipments?status=APPROVED&sort=-updatedAt', 'list?status=APPROVED&sort=-updatedAt'],
    ['/v1/moves?expand=shipments', 'list'],
    ['/v1/deletions', 'deleted'],
    [`/v1/imports/${UNKNOWN_ID}`, `imports/${UNKNOWN_ID}`],
    [`/v1/imports/${UNKNOWN_ID}/rows?status=refused`, `imports/${UNKNOWN_ID}`],
    [`/v1/moves/${encodeURIComponent(HOSTILE)}`, `moves/${encodeURIComponent(HOSTILE)}`],
  ])('303 from %s to the console: %s', async (path, view) => {
    const named = (text: string) =>
      text
        .replace('MOVE', move.id)
        .replace('CODE', move.moveCode)
        .replace('SHIPMENT', shipment.id)
        .replace('ADDRESS', shipment.pickupAddress.id);
    for (const eTag of [`"${shipment.eTag}"`, '*']) {
      const { status, headers, text } = await open(named(path), { 'If-None-Match': eTag });
      expect([status, headers.get('Location'), text]).toEqual([303, `/console/${named(view)}`, '']);
      expect([headers.get('ETag'), headers.get('Vary')]).toEqual([null, 'Origin, Accept']);
    }
    const head = await fetch(service.url + named(path), {
      method: 'HEAD',
      headers: { Accept: BROWSER },
      redirect: 'manual',
    });
    expect([head.status, head.headers.get('Location')]).toEqual([303, `/console/${named(view)}`]);
    expect((await open(`/console/${named(view)}`)).status).toBe(200);
  });

  test('JSON for an agent, an event and the result of an import: the console has no view that their path names', async () => {
    const agent = await createAgent(service.api, {}, shipment);
    for (const path of [`/v1/agents/${agent.id}`, '/v1/events']) {
      const { status, headers } = await open(path);
      expect([status, headers.get('Content-Type')]).toEqual([200, 'application/json; charset=utf-8']);
    }
    expect((await open(`/v1/imports/${UNKNOWN_ID}/result`)).status).toBe(404);
  });

  test('303 without a token, to PUBLIC_URL', async () => {
    const strict = await startService({
      ...{ AUTH_MODE: 'jwt', JWT_ISSUER: 'https://issuer.example', JWT_AUDIENCE: 'waybill' },
      ...{ JWT_JWKS_URL: 'http://127.0.0.1:9/jwks', PUBLIC_URL: 'https://api.example.com/waybill' },
    });
    try {
      const { status, headers } = await open(`/v1/shipments/${UNKNOWN_ID}`, {}, strict.url);
      const location = `https://api.example.com/waybill/console/shipments/${UNKNOWN_ID}`;
      expect([status, headers.get('Location')]).toEqual([303, location]);
      const program = await open(`/v1/shipments/${UNKNOWN_ID}`, { Accept: '*/*' }, strict.url);
      expect([program.status, program.headers.get('WWW-Authenticate')]).toEqual([401, 'Bearer realm="waybill"']);
      expect((await open('/nothing', {}, strict.url)).status).toBe(401);
    } finally {
      await strict.stop();
    }
  });
});

describe('who gets JSON and who is redirected', () => {
  test.each([
    [undefined, 'json'],
    ['*/*', 'json'],
    ['application/json', 'json'],
    ['application/json; q=1', 'json'],
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
  ])('Accept: %s is answered as %s', async (accept, kind) => {
    for (const [path, status] of [
      [`/v1/shipments/${shipment.id}`, kind === 'html' ? 303 : 200],
      ['/v1/shipments', kind === 'html' ? 303 : 200],
      ['/v1/nothing', 404],
      ['/', 200],
    ] as const) {
      const headers = accept === undefined ? {} : { Accept: accept };
      const answer = await fetch(service.url + path, { headers, redirect: 'manual' });
      await answer.text();
      const type = answer.headers.get('Content-Type') ?? 'html';
      expect([path, answer.status, type.includes(kind)]).toEqual([path, status, true]);
      expect(answer.headers.get('Vary')).toContain('Accept');
    }
  });

  test('a file for a client that prefers one to a page', async () => {
    const { status, headers } = await open('/v1/shipments', { Accept: 'text/csv, text/html;q=0.5' });
    expect([status, headers.get('Content-Type')]).toEqual([200, 'text/csv; charset=utf-8; header=present']);
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
});

describe('a problem in a browser', () => {
  test.each([
    ['/v1/shipmens', 404, 'NOT_FOUND', 'Did you mean /v1/shipments?'],
    [`/v1/agents/${UNKNOWN_ID}`, 404, 'NOT_FOUND', UNKNOWN_ID],
    ['/v1/events?limt=1', 400, 'INVALID_PARAMETER', 'INVALID_PARAMETER'],
    ['/prime/v1/shipments', 405, 'METHOD_NOT_ALLOWED', 'POST'],
    [`/v1/agents/${encodeURIComponent(HOSTILE)}`, 404, 'NOT_FOUND', 'The agent'],
    [`/%22onmouseover=alert(1)%20x/%3Cscript%3E`, 404, 'NOT_FOUND', 'no such path'],
    ['/problems/NOTHING', 404, 'NOT_FOUND', '/problems'],
  ])('%s is a page with the status %i', async (path, status, code, said) => {
    const { headers, text, ...page } = await open(path);
    expect([page.status, headers.get('Content-Type')]).toEqual([status, 'text/html; charset=utf-8']);
    expect([headers.get('Cache-Control'), headers.get('Vary')]).toEqual(['no-store', 'Origin, Accept']);
    for (const part of [code, said, `problems/${code}`]) expect(text).toContain(part);
    // Values from the client are escaped, no script runs, and nothing is loaded from another host.
    expect(headers.get('Content-Security-Policy')).toMatch(/^default-src 'none'; style-src 'self'/);
    expect(headers.get('Content-Security-Policy')).not.toMatch(/unsafe|script-src/);
    expect(text).not.toMatch(/<script|<style|<img|<b>|<[^>]*\son\w+=|(src|href)="(https?:)?\/\//);
    for (const [, link = ''] of text.matchAll(/(?:src|href)="([^"]+)"/g)) {
      const answer = await fetch(new URL(link, service.url + path), { headers: { Accept: '*/*' } });
      await answer.text();
      expect([path, link, answer.status]).toEqual([path, link, 200]);
    }
  });
});
