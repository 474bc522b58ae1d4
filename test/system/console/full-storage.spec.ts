import type { Page } from 'playwright-core';
import { describeInBrowser } from '../../support/repository/browser.js';
import { goTo, KeptTab, SHIPMENT, useWorld } from './harness.js';

/** Fills the browser's storage to the last character. */
const FILL = `{
  localStorage.clear();
  for (let size = 2 ** 22; size >= 1; size = Math.floor(size / 2)) {
    for (let count = 0; ; count += 1) {
      try {
        localStorage.setItem('full ' + size + ' ' + count, 'x'.repeat(size));
      } catch {
        break;
      }
    }
  }
}`;

describeInBrowser('a browser whose storage is full', () => {
  const stage = useWorld(new KeptTab(false));
  const { field, save, dialog } = stage;
  let page: Page;
  let id: string;

  beforeEach(async () => {
    ({ id } = await stage.ben.shipments.create(SHIPMENT));
    await stage.open(`/shipments/${id}`);
    ({ page } = stage);
    await page.evaluate(FILL);
  });
  afterEach(() => page.evaluate('localStorage.clear()'));

  test('saves an edit once, and says that it does not keep drafts', async () => {
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    await field('Customer remarks').fill('No room for this text in the browser.');
    await page.getByText(/^The browser cannot store drafts/).waitFor();
    await save();
    await stage.isSaved();
    const { items } = await stage.ben.shipments.history(id).page();
    expect(items.filter(({ type }) => type === 'updated')).toHaveLength(1);
  });

  test('changes a status', async () => {
    await page.getByRole('button', { name: 'Change status…' }).click();
    await dialog().getByRole('radio', { name: 'Approved' }).check();
    await dialog().getByRole('button', { name: 'Change to Approved' }).click();
    await page.getByText('Status changed to Approved.').waitFor();
  });

  test('says that a change of many is not kept while nobody knows its outcome', async () => {
    await goTo(page, '/list');
    await page.getByRole('row').nth(1).getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Change status…' }).click();
    await dialog()
      .getByRole('radio', { name: /^Approved/ })
      .check();
    let lose = (): void => undefined;
    const isLost = new Promise<void>((resolve) => {
      lose = resolve;
    });
    await page.route('**/v1/shipments/bulk', async (route) => {
      await isLost;
      return route.abort();
    });
    await dialog().getByRole('button', { name: 'Change 1 to Approved' }).click();
    const warning = 'The browser cannot store this change.';
    await dialog().getByText(warning, { exact: false }).waitFor();
    lose();
    await dialog().getByRole('heading', { name: 'Not finished' }).waitFor();
    await dialog().getByText(warning, { exact: false }).waitFor();
    await dialog().getByRole('button', { name: 'Close', exact: true }).click();
    await page.getByText('A change of 1 shipment was interrupted', { exact: false }).waitFor();
    await page.getByText(warning, { exact: false }).waitFor();
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Show report' }).click();
    await dialog().getByRole('button', { name: 'Try again', exact: true }).click();
    await dialog().getByText('1 changed.').waitFor();
    expect(await dialog().getByText(warning, { exact: false }).count()).toBe(0);
    await dialog().getByRole('button', { name: 'Close', exact: true }).click();
  });
});
