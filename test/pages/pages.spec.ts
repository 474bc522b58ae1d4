import { PROBLEM_TYPES } from '../../src/api-texts/problem-types.js';
import { exchange } from '../support/http/plain-http.js';
import { expectProblem } from '../support/http/problem.js';
import { startService, useService } from '../support/service/service.js';

const service = useService();

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

async function page(path: string): Promise<{ text: string; headers: Headers }> {
  const answer = await fetch(service.url + path, { headers: { Accept: BROWSER } });
  expect([path, answer.status, answer.headers.get('Content-Type')]).toEqual([path, 200, 'text/html; charset=utf-8']);
  return { text: await answer.text(), headers: answer.headers };
}

const PAGES = ['/', '/docs', '/docs/', '/problems', '/problems/', '/problems/IN_USE', '/problems/IN_USE/'];

test.each(PAGES)('%s is a page that loads nothing from elsewhere and runs nothing inline', async (path) => {
  const { text, headers } = await page(path);
  const policy = headers.get('Content-Security-Policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/script-src[^;]*unsafe/);
  expect(text).not.toMatch(/<script(?![^>]* src=)|<style|\son\w+=|(src|href)="(https?:)?\/\//);
  for (const [, link = ''] of text.matchAll(/(?:src|href)="([^"]+)"/g)) {
    const answer = await fetch(new URL(link, service.url + path), { headers: { Accept: '*/*' } });
    await answer.text();
    expect([link, answer.status]).toEqual([link, 200]);
  }
});

test.each(PROBLEM_TYPES)(
  '/problems/$code explains the problem to people and programs',
  async ({ code, ...problem }) => {
    const { text } = await page(`/problems/${code}`);
    expect(text).toContain(code);
    const { status, title, meaning, remedy } = problem;
    const { body } = await service.api.get(`/problems/${code}`);
    expect(body).toEqual({ type: `/problems/${code}`, code, status, title, meaning, remedy });
  },
);

const homePage = async (url: string) => (await fetch(url, { headers: { Accept: BROWSER } })).text();

test('the home page shows health, but not when it has a port of its own, and none of its links is dead', async () => {
  expect(await homePage(service.url)).toContain('health/ready');
  const deployed = await startService({ MANAGEMENT_PORT: '0' });
  try {
    const text = await homePage(deployed.url);
    expect(text).not.toContain('health/ready');
    for (const [, link = ''] of text.matchAll(/href="([^"]+)"/g)) {
      const answer = await fetch(new URL(link, deployed.url), { headers: { Accept: '*/*' } });
      await answer.text();
      expect([link, answer.status]).toEqual([link, 200]);
    }
  } finally {
    await deployed.stop();
  }
});

test.each([
  '/problems/NOTHING',
  '/problems/toString',
  '/problems/not_found',
  '/docs/assets/nothing.js',
  '/docs/assets/..%2Fpackage.json',
  '/docs/assets/package.json',
  '/docs/assets/index.html',
  '/docs/assets/.npmignore',
])('404 for %s', async (path) => {
  expectProblem(await service.api.get(path), 404, 'NOT_FOUND');
});

test.each([
  ['docs.js', 'text/javascript; charset=utf-8'],
  ['theme.css', 'text/css; charset=utf-8'],
  ['favicon.svg', 'image/svg+xml'],
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
])('the file %s is kept for an hour, and is then asked for by its ETag', async (name, type) => {
  const url = `${service.url}/docs/assets/${name}`;
  const { status, headers } = await fetch(url, { method: 'HEAD' });
  expect([status, headers.get('Content-Type')]).toEqual([200, type]);
  expect([headers.get('Cache-Control'), headers.get('X-Content-Type-Options')]).toEqual([
    'public, max-age=3600',
    'nosniff',
  ]);
  const again = await exchange(url, { headers: { 'If-None-Match': headers.get('ETag') ?? '' } });
  expect([again.status, again.body]).toEqual([304, '']);
});

test.each([undefined, '*/*', 'application/json', 'application/json, text/html;q=0.5'])(
  'JSON at the root for a program that accepts %s',
  async (accept) => {
    const { status, body } = await service.api.get('/', accept === undefined ? {} : { Accept: accept });
    expect([status, body.name]).toEqual([200, 'Waybill']);
    for (const link of Object.values<string>(body.links)) {
      const answer = await fetch(service.url + link, { headers: { Accept: '*/*' } });
      expect([answer.status, (await answer.text()) !== '']).toEqual([200, true]);
    }
  },
);

test('406 at the root for a client that takes neither', async () => {
  expectProblem(await service.api.get('/', { Accept: 'image/png' }), 406, 'NOT_ACCEPTABLE');
});

test.each(['/health/live', '/openapi.json'])('406 for a client that takes nothing but HTML: %s', async (path) => {
  const answer = await fetch(service.url + path, { headers: { Accept: 'text/html' } });
  expect(await answer.text()).toContain('NOT_ACCEPTABLE');
  expect([answer.status, answer.headers.get('Content-Type')]).toEqual([406, 'text/html; charset=utf-8']);
});

test('links are under PUBLIC_URL when there is one, and the pages may call it', async () => {
  const environment = { PUBLIC_URL: 'https://api.example.com/waybill', TRUSTED_PROXIES: '10.0.0.1' };
  const proxied = await startService(environment);
  try {
    // A proxy keeps health inside.
    expect(await homePage(proxied.url)).not.toContain('health/ready');
    const refused = await proxied.api.get('/v1/nothing');
    expect(refused.body.type).toBe('https://api.example.com/waybill/problems/NOT_FOUND');
    const { body } = await proxied.api.get('/');
    expect(body.links.documentation).toBe('https://api.example.com/waybill/docs');
    expect((await proxied.api.get('/problems/IN_USE')).body.type).toBe(
      'https://api.example.com/waybill/problems/IN_USE',
    );
    expect((await proxied.api.get('/openapi.json')).body.servers[0].url).toBe('https://api.example.com/waybill');
    const docs = await fetch(`${proxied.url}/docs`, { headers: { Accept: BROWSER } });
    expect(await docs.text()).toContain('swagger');
    expect(docs.headers.get('Content-Security-Policy')).toContain("connect-src 'self' https://api.example.com");
  } finally {
    await proxied.stop();
  }
});
