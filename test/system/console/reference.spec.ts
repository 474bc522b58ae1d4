import type { Page } from 'playwright-core';
import { describeInBrowser } from '../../support/repository/browser.js';
import { accessibilityFaults, SHIPMENT, Stage, useWorld } from './harness.js';

describeInBrowser('the API reference', () => {
  const stage = useWorld(new Stage());
  let id: string;
  let page: Page;

  beforeAll(async () => {
    ({ id } = await stage.ben.shipments.create(SHIPMENT));
  });

  const selector = (operation: string) => `[id$="-${operation}"]`;
  /** The operations that have these words in their path, name or description. */
  const search = async (words: string) => {
    await page.getByRole('searchbox', { name: 'Search operations' }).fill(words);
    return page.locator('.opblock').evaluateAll((all) => all.map(({ id: name }) => name.replace(/.*-/, '')));
  };

  /** axe-core finds no fault, light or dark, and nothing is beside the screen, also on a phone, where the elements are the same. */
  async function check(name: string, part?: string): Promise<void> {
    expect(await accessibilityFaults(page, `docs-${name}`, part)).toEqual([]);
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      expect([name, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([name, width]);
    }
  }

  test('is fit to be read, searched and tried', async () => {
    page = await stage.world.tab(await stage.world.context());
    await page.goto(`${stage.world.service.url}/docs`);
    const box = await page.locator(selector('listShipments')).boundingBox();
    expect((box?.y ?? 900) + (box?.height ?? 0)).toBeLessThan(900);

    expect(await search('POST Bulk')).toEqual(['bulkShipments']);
    expect(await search('no such words')).toEqual([]);
    await page.getByText('No operation has all these words.').waitFor();
    await check('nothing');
    await page.getByText('How versions, retries, lists and errors work').click();
    await page.getByRole('heading', { name: 'Repeating a request' }).waitFor();
    await check('introduction', 'header.head');
    await page.getByText('How versions, retries, lists and errors work').click();

    await page.getByRole('button', { name: 'Authorize' }).click();
    await page.getByLabel('auth-bearer-value').fill(await stage.world.token('Ann'));
    await check('authorize', '.modal-ux');
    await page.locator('.modal-btn.authorize').click();
    await page.locator('.btn-done').click();

    // Operations of every method. All of them would be laid out and judged for seconds.
    expect(await search('/v1/shipments/{shipmentID}')).toEqual(
      expect.arrayContaining(['updateShipment', 'deleteShipment']),
    );
    await check('found');
    await search('readShipment');
    const read = page.locator(selector('readShipment'));
    await read.getByRole('button').first().click();
    await read.getByPlaceholder('shipmentID').fill(id);
    await read.getByRole('button', { name: 'Execute' }).click();
    await page.getByText('eTag of the shipment you read last').waitFor();
    await read.locator('.live-responses-table').scrollIntoViewIfNeeded();
    await check('answer', '.live-responses-table');

    await search('updateShipment');
    const change = page.locator(selector('updateShipment'));
    await change.getByRole('button').first().click();
    await change.getByRole('button', { name: 'Execute' }).waitFor();
    await change.scrollIntoViewIfNeeded();
    await check('change', selector('updateShipment'));

    expect((await search('')).length).toBeGreaterThan(30);
    await page.getByRole('button', { name: 'Schemas' }).click();
    await page.locator('.json-schema-2020-12, .model-container').first().waitFor();
  });
});
