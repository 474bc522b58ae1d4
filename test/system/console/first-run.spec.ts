import { WaybillClient } from '@waybill/client';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { readFile } from 'node:fs/promises';
import { describeInBrowser, launchBrowser } from '../../support/repository/browser.js';
import { startService, type TestService } from '../../support/service/service.js';
import { disturbWrites } from './faults-on-the-way.js';
import { accessibilityFaults, DAYS_LATER, goTo } from './harness.js';
import { Keyboard } from './keyboard.js';

/** Without authentication and with an empty database, as after `npm start`. */
describeInBrowser('the first run of the console', () => {
  let service: TestService;
  let client: WaybillClient;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), launchBrowser()]);
    client = new WaybillClient({ baseUrl: service.url });
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });
  afterEach(async () => {
    // A request may still be on its way when its effect is seen.
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.close();
    for await (const { id } of client.shipments.list()) await client.shipments.delete(id);
    for await (const { id } of client.moves.list()) await client.moves.delete(id);
  });

  const open = async (view: string, blocked?: RegExp) => {
    context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-US' });
    context.setDefaultTimeout(90_000);
    page = await context.newPage();
    if (blocked !== undefined) await page.route(blocked, (route) => route.abort());
    // The specs bring a database of their own, so the service does not know that it may offer demo data.
    await page.route(/\/console(\/[a-z]*)?$/, async (route) => {
      const answer = await route.fetch();
      const body = (await answer.text()).replace('hasEmbeddedDatabase&#34;:false', 'hasEmbeddedDatabase&#34;:true');
      await route.fulfill({ response: answer, body });
    });
    await page.goto(`${service.url}/console${view}`);
  };
  const count = async () => (await service.api.get<unknown[]>('/v1/shipments?limit=200')).body.length;

  test('offers to create, to import and to load demo data, which is loaded once though answers are lost', async () => {
    await open('/board');
    await page.getByRole('heading', { name: 'Welcome to Waybill' }).waitFor();
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await accessibilityFaults(page, 'first-run')).toEqual([]);
    }
    let lost = 0;
    await page.route('**/v1/shipments/bulk', async (route) => {
      await route.fetch();
      lost += 1;
      return lost <= 4 ? route.abort() : route.fallback();
    });
    await page.getByRole('button', { name: 'Load demo data' }).click();
    await page.getByRole('button', { name: '12 new' }).click();
    await page.getByRole('article').first().waitFor();
    expect(await count()).toBe(12);
  });

  test('does not load demo data twice once the service has forgotten the first attempt', async () => {
    // Otherwise the events would tell that there are shipments. The board is read from a position that the feed gives.
    await open('/board', /\/v1\/events(?!\?after=now)/);
    await disturbWrites(page, '**/v1/shipments/bulk', 'answer lost');
    const load = page.getByRole('button', { name: 'Load demo data' });
    await load.click();
    await page.getByRole('alert').waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.evaluate(DAYS_LATER);
    await service.sql.query('DELETE FROM idempotency_keys');
    await load.click();
    await page.getByText('An earlier attempt was not confirmed, and the service no longer remembers it.').waitFor();
    expect(await count()).toBe(12);
  });

  test('every view says why it is empty and what to do, and the template is a file that the import takes', async () => {
    await open('/list');
    await page.getByText('There are no shipments yet.').waitFor();
    await page.setViewportSize({ width: 390, height: 900 });
    for (const [view, sentence] of [
      ['/list?status=APPROVED', 'No shipment matches these filters. Remove one of them.'],
      ['/list?q=piano', 'No shipment has all the words of “piano”.'],
      ['/moves', 'There are no moves yet.'],
      ['/moves?q=piano', 'No move has all these words.'],
    ] as const) {
      await goTo(page, view);
      await page.getByText(sentence).waitFor();
      expect([view, await accessibilityFaults(page)]).toEqual([view, []]);
    }
    await goTo(page, '');
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download template' }).click();
    const file = await readFile(await (await saved).path(), 'utf8');
    const [head = '', example = ''] = file.split('\r\n');
    expect(example).toContain('An example: replace this row.');
    const row = head
      .split(',')
      .map((name) => ({ shipmentType: 'From the template', 'pickupAddress.city': '' })[name] ?? '');
    await page.getByRole('link', { name: 'Import a file' }).click();
    await page.getByLabel('Choose a file', { exact: true }).setInputFiles({
      ...{ name: 'filled.csv', mimeType: 'text/csv' },
      buffer: Buffer.from(`${file}${row.join(',')}\r\n`),
    });
    await page.getByRole('button', { name: 'Apply 2 rows' }).click();
    await page.getByText('Everything was imported.').waitFor();
    expect(await count()).toBe(2);
  });

  test('a shipment is created by keyboard alone, under the name that somebody has set', async () => {
    await open('');
    const keys = new Keyboard(page);
    await keys.choose(page.getByRole('button', { name: 'Set your name' }));
    await keys.tabTo(page.getByLabel('Name that others see'));
    await keys.write('Zoë Porter');
    expect(await accessibilityFaults(page)).toEqual([]);
    await keys.press('Enter');
    await page.getByRole('button', { name: 'Zoë Porter' }).waitFor();
    await keys.choose(page.getByRole('link', { name: 'Create a shipment' }));
    await page.getByLabel('Type', { exact: true }).waitFor();
    await keys.write('Piano');
    await keys.press('Control+Enter');
    await page.getByText(/^Created [A-Z0-9]{6}-01\./).waitFor();
    const { body } = await service.api.get<{ id: string }[]>('/v1/shipments');
    const history = await service.api.get<{ changedBy: string }[]>(`/v1/shipments/${body[0]?.id ?? ''}/history`);
    expect(history.body).toMatchObject([{ changedBy: 'Zoë Porter' }]);
  });
});
