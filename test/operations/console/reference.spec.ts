import type { Page } from 'playwright-core';
import { describeInBrowser } from '../../support/repository/browser.js';
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

  test.each([1440, 390])('is fit to be read and tried, light and dark, %i pixels wide', async (width) => {
    const page = await (await stage.world.context({ viewport: { width, height: 900 } })).newPage();
    await page.goto(`${stage.world.service.url}/docs`);
    const selector = (name: string) => `[id$="-${name}"]`;
    const operation = (name: string) => page.locator(selector(name));
    await operation('readShipment').waitFor();
    await check(page, 'all');

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
  });
});
