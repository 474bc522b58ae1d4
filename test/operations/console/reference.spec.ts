import type { Page } from 'playwright-core';
import { describeInBrowser } from '../../support/repository/browser.js';
import { shareOf } from '../../support/repository/sweeps.js';
import { accessibilityFaults, SHIPMENT, Stage, useWorld } from './harness.js';

describeInBrowser('the API reference', () => {
  const stage = useWorld(new Stage());
  let id: string;

  beforeAll(async () => {
    ({ id } = await stage.ben.shipments.create(SHIPMENT));
  });

  /** No fault that axe-core finds in the part of the page that has just been opened, and nothing beside the screen. */
  async function check(page: Page, name: string, part?: string): Promise<void> {
    expect(await accessibilityFaults(page, `docs-${name}`, part)).toEqual([]);
    const [content, screen] = await page.evaluate<number[]>(
      '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
    );
    expect([name, content]).toEqual([name, screen]);
  }

  test('is fit to be read, light and dark, on a wide screen', async () => {
    const page = await stage.world.tab(await stage.world.context());
    await page.goto(`${stage.world.service.url}/docs`);
    await page.locator('[id$="-readShipment"]').waitFor();
    await check(page, 'all');
  });

  test.each(shareOf([390, 1440], 0, 2))(
    'is fit to be read and tried, light and dark, %i pixels wide',
    async (width) => {
      const page = await stage.world.tab(await stage.world.context({ viewport: { width, height: 900 } }));
      await page.goto(`${stage.world.service.url}/docs`);
      const selector = (name: string) => `[id$="-${name}"]`;
      const operation = (name: string) => page.locator(selector(name));
      await operation('readShipment').waitFor();
      await check(page, 'all');
      const box = await operation('listShipments').boundingBox();
      expect((box?.y ?? 900) + (box?.height ?? 0)).toBeLessThan(900);
      await page.getByText('How versions, retries, lists and errors work').click();
      await page.getByRole('heading', { name: 'Repeating a request' }).waitFor();
      await check(page, 'introduction', 'header.head');
      await page.getByText('How versions, retries, lists and errors work').click();

      await page.getByRole('button', { name: 'Authorize' }).click();
      await page.getByLabel('auth-bearer-value').fill(await stage.world.token('Ann'));
      await check(page, 'authorize', '.modal-ux');
      await page.locator('.modal-btn.authorize').click();
      await page.locator('.btn-done').click();

      const read = operation('readShipment');
      await read.getByRole('button').first().click();
      await read.getByPlaceholder('shipmentID').fill(id);
      await read.getByRole('button', { name: 'Execute' }).click();
      await page.getByText('eTag of the shipment you read last').waitFor();
      await read.locator('.live-responses-table').scrollIntoViewIfNeeded();
      await check(page, 'answer', selector('readShipment'));
      await read.getByRole('button').first().click();

      const change = operation('updateShipment');
      await change.getByRole('button').first().click();
      await change.getByRole('button', { name: 'Execute' }).waitFor();
      await change.scrollIntoViewIfNeeded();
      await check(page, 'change', selector('updateShipment'));

      await page.getByRole('button', { name: 'Schemas' }).click();
      await page.locator('.json-schema-2020-12, .model-container').first().scrollIntoViewIfNeeded();
      await check(page, 'schemas', 'section.models');
    },
  );

  test('finds operations by words of their path, name or description', async () => {
    const page = await stage.world.tab(await stage.world.context());
    await page.goto(`${stage.world.service.url}/docs`);
    const search = page.getByRole('searchbox', { name: 'Search operations' });
    const found = async (words: string) => {
      await search.fill(words);
      return page.locator('.opblock').evaluateAll((all) => all.map(({ id }) => id.replace(/.*-/, '')));
    };
    const all = await found('');
    expect(all.length).toBeGreaterThan(30);
    expect(await found('rotate secret')).toEqual(['rotateWebhookSecret']);
    expect(await found('POST Bulk')).toEqual(['bulkShipments']);
    await check(page, 'found');
    expect(await found('no such words')).toEqual([]);
    await page.getByText('No operation has all these words.').waitFor();
    await check(page, 'nothing');
    expect(await found('')).toEqual(all);
  });
});
