import { exchange } from '../support/http/plain-http.js';
import { expectProblem } from '../support/http/problem.js';
import { startService, useService } from '../support/service/service.js';
import { settingsIn } from './page-settings.js';

const service = useService();
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
/** Of script, gzipped, before the console can be used. */
const FIRST_LOAD_BYTES = 140_000;

async function page(path: string, url = service.url): Promise<{ text: string; headers: Headers }> {
  const answer = await fetch(url + path, { headers: { Accept: BROWSER } });
  expect([path, answer.status]).toEqual([path, 200]);
  return { text: await answer.text(), headers: answer.headers };
}

interface Settings {
  readonly root: string;
  readonly signIn?: object;
  readonly needsToken: boolean;
  readonly statusSteps: Record<string, string[]>;
}

function linksIn(text: string): string[] {
  return [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link = '']) => link);
}

/** Those of the built console. */
function builtLinksIn(text: string): string[] {
  return linksIn(text).filter((each) => each.includes('/console/assets/'));
}

const VIEWS = ['/console', '/console/', '/console/list?status=APPROVED&sort=-updatedAt', '/console/shipments/x/edit'];

test.each(VIEWS)('%s is the console, whose files are found from there', async (path) => {
  const { text, headers } = await page(path);
  expect(headers.get('Content-Type')).toBe('text/html; charset=utf-8');
  expect(headers.get('Cache-Control')).toBe('no-cache');
  expect(new URL(settingsIn<Settings>(text).root, service.url + path).pathname).toBe('/');
  const links = linksIn(text);
  expect(links.length).toBeGreaterThanOrEqual(3);
  for (const link of links) {
    const answer = await fetch(new URL(link, service.url + path));
    await answer.arrayBuffer();
    expect([link, answer.status]).toEqual([link, 200]);
  }
});

test('nothing is inline and nothing comes from elsewhere', async () => {
  const { text, headers } = await page('/console');
  expect(headers.get('Content-Security-Policy')).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  );
  expect(text).not.toMatch(/<script(?![^>]* src=)|<style|\son\w+=|(src|href)="(https?:)?\/\//);
});

test('files are kept for ever, are compressed, and are small enough for the first load', async () => {
  const { text } = await page('/console');
  let bytes = 0;
  for (const link of builtLinksIn(text)) {
    const answer = await fetch(new URL(link, `${service.url}/console`));
    const size = Number(answer.headers.get('Content-Length'));
    expect([link, answer.headers.get('Content-Encoding')]).toEqual([link, 'gzip']);
    expect(answer.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
    expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(size);
    if (link.endsWith('.js')) bytes += size;
  }
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThan(FIRST_LOAD_BYTES);
});

test('files are sent to clients that take no compression, and not again to those that have them', async () => {
  const [link = ''] = builtLinksIn((await page('/console')).text).filter((each) => each.endsWith('.js'));
  const url = new URL(link, `${service.url}/console`);
  for (const encoding of ['identity', 'gzip']) {
    const headers = { 'Accept-Encoding': encoding };
    const answer = await fetch(url, { headers });
    const eTag = answer.headers.get('ETag') ?? '';
    expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, 'text/javascript; charset=utf-8']);
    expect([answer.headers.get('Content-Encoding'), answer.headers.get('Vary')]).toEqual([
      encoding === 'gzip' ? 'gzip' : null,
      'Accept-Encoding',
    ]);
    expect((await answer.text()).length).toBeGreaterThan(0);
    const head = await fetch(url, { method: 'HEAD', headers });
    expect([head.status, head.headers.get('ETag'), await head.text()]).toEqual([200, eTag, '']);
    const again = await exchange(url.href, { headers: { ...headers, 'If-None-Match': eTag } });
    expect([again.status, again.body]).toEqual([304, '']);
  }
});

test('404 for a file that is not there, a hidden one and one of another folder', async () => {
  for (const name of ['nothing.js', '.vite', '..%2Findex.html', '%2e%2e%2findex.html', '%2Fetc%2Fpasswd', 'x%00.js']) {
    expectProblem(await service.api.get(`/console/assets/${name}`), 404, 'NOT_FOUND');
  }
});

test('405 for a write, 400 for a credential in the address', async () => {
  expectProblem(await service.api.post('/console/assets/nothing.js', {}), 405, 'METHOD_NOT_ALLOWED');
  expectProblem(await service.api.get('/console/list?access_token=x'), 400, 'CREDENTIAL_IN_URL');
});

test('it knows the table of statuses, and that no token is needed', async () => {
  const { statusSteps, needsToken, signIn } = settingsIn<Settings>((await page('/console')).text);
  expect(statusSteps['IN_TRANSIT']).toEqual(['DELIVERED', 'DIVERSION_REQUESTED']);
  expect([needsToken, signIn]).toEqual([false, undefined]);
});

test('it is open without a token, and may talk to the issuer that people sign in at', async () => {
  const issuer = 'https://login.example/realms/depot';
  const strict = await startService({
    ...{ AUTH_MODE: 'jwt', JWT_ISSUER: issuer, JWT_AUDIENCE: 'x', JWT_JWKS_URL: 'http://127.0.0.1:9/keys' },
    CONSOLE_CLIENT_ID: 'console',
  });
  try {
    const { text, headers } = await page('/console', strict.url);
    expect(settingsIn<Settings>(text)).toMatchObject({ needsToken: true, signIn: { issuer, clientID: 'console' } });
    expect(headers.get('Content-Security-Policy')).toContain("connect-src 'self' https://login.example;");
  } finally {
    await strict.stop();
  }
});
