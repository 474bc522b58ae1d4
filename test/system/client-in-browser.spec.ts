import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { startService, type TestService } from '../support/service/service.js';
import { describeInBrowser, launchBrowser } from '../support/repository/browser.js';

/** The file of the page at a path. */
async function fileAt(path: string): Promise<{ type: string; content: string }> {
  if (path === '/') return { type: 'text/html', content: '<!doctype html><title>Client</title>' };
  const [, name = ''] = /^\/client\/([a-z-]+\.js)$/.exec(path) ?? [];
  const file = path === '/scenario.mjs' ? 'test/system/browser/scenario.mjs' : `client/dist/${name}`;
  return { type: 'text/javascript', content: await readFile(file, 'utf8') };
}

async function serveFiles(): Promise<Server> {
  const server = createServer((request, response) => {
    fileAt(request.url ?? '').then(
      ({ type, content }) => response.writeHead(200, { 'Content-Type': type }).end(content),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

describeInBrowser('the client in a page of another origin', () => {
  let files: Server;
  let origin: string;
  let service: TestService;
  let browser: Browser;

  beforeAll(async () => {
    files = await serveFiles();
    origin = `http://127.0.0.1:${(files.address() as AddressInfo).port}`;
    service = await startService({ CORS_ORIGINS: origin });
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
    files.closeAllConnections();
    await new Promise((resolve) => files.close(resolve));
  });

  it('creates, updates, notices stale versions and conflicts, and walks through a list', async () => {
    const page = await browser.newPage();
    await page.goto(origin);
    // As a text, for the page has to import it, not this spec.
    const outcome = await page.evaluate(`import('/scenario.mjs').then(({ run }) => run('${service.url}'))`);
    expect(outcome).toEqual({
      updated: 11,
      stale: true,
      merged: [11, 'mine'],
      conflict: [expect.objectContaining({ field: 'actualWeight', base: null, current: 11, changedBy: 'anonymous' })],
      solved: 99,
      listed: ['C', 'B', 'A'],
    });
  });
});
