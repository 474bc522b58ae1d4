import type { Page } from 'playwright-core';
import { eventually } from '../../support/races/eventually.js';
import { describeInBrowser } from '../../support/repository/browser.js';
import { disturbWrites } from './faults-on-the-way.js';
import { KeptTab, SHIPMENT, useWorld } from './harness.js';

describeInBrowser('what the console says is true', () => {
  const stage = useWorld(new KeptTab(true));

  const open = async (view: string): Promise<Page> => {
    await stage.open(view);
    await stage.page.getByText('Live', { exact: true }).waitFor();
    return stage.page;
  };
  /** A tab that has counted nothing yet. */
  const openAnew = async (view: string): Promise<Page> => {
    const page = await stage.world.open(await stage.world.context(), view, await stage.world.token('Ann'));
    await page.getByText('Live', { exact: true }).waitFor();
    return page;
  };
  const sortBox = (page: Page) => page.getByRole('combobox', { name: 'Sort' });
  const chosen = (page: Page) => sortBox(page).locator('option:checked').innerText();

  test('the sort box names the order that the list has', async () => {
    const page = await open('/list');
    expect(await chosen(page)).toBe('Newest first');
    await page.getByLabel('Delivery from', { exact: true }).fill('2027-01-01');
    expect(await chosen(page)).toBe('Delivery, earliest first');
    await sortBox(page).selectOption('Delivery, latest first');
    expect(await chosen(page)).toBe('Delivery, latest first');
    await page.getByLabel('Delivery from', { exact: true }).fill('');
    expect(await chosen(page)).toBe('Delivery, latest first');
  });

  test('an order that does not go with a range is shown beside the reason why there is no list', async () => {
    const page = await open('/list?sort=updatedAt&deliveryDateFrom=2027-01-01');
    await page.getByRole('alert').waitFor();
    expect(await chosen(page)).toBe('Recently changed last');
  });

  test('a link to the shipments of one move says so, and the filter can be taken away', async () => {
    const { moveID } = await stage.ben.shipments.create(SHIPMENT);
    const page = await open(`/list?moveID=${moveID}`);
    await page.getByRole('button', { name: `Only move ${moveID}` }).click();
    await page.waitForURL(`${stage.world.service.url}/console/list`);
  });

  test('shipments that a filter may hide are not counted as new for certain', async () => {
    const page = await openAnew('/list?shipmentType=Nothing');
    await page.getByText('No shipment matches these filters.').waitFor();
    await stage.ben.shipments.create({ ...SHIPMENT, shipmentType: 'Something' });
    await page.getByRole('button', { name: 'Up to 1 new' }).click();
    await page.getByRole('button', { name: /new$/ }).waitFor({ state: 'detached' });
  });

  test('a list that is read later counts nothing as new that it was read with, and takes nothing from the board', async () => {
    const page = await openAnew('/board');
    const arrived = page.getByRole('region', { name: 'Submitted', exact: true }).getByRole('button', { name: '1 new' });
    await page.getByText('Submitted', { exact: true }).first().waitFor();
    await stage.ben.shipments.create({ ...SHIPMENT, shipmentType: 'Something' });
    await arrived.waitFor();
    await page.getByRole('link', { name: 'List' }).click();
    await page.getByLabel('Type', { exact: true }).fill('Nothing');
    await page.getByText('No shipment matches these filters.').waitFor();
    expect(await page.getByRole('button', { name: /new$/ }).count()).toBe(0);
    await page.getByRole('link', { name: 'Board' }).click();
    await arrived.waitFor();
  });

  test('a move that cannot be read just now is not said to be deleted', async () => {
    const { moveID } = await stage.ben.shipments.create(SHIPMENT);
    const page = await open(`/moves/${moveID}/edit`);
    await page.getByLabel('Remarks', { exact: true }).fill('Call before ten.');
    await page.route(`**/v1/moves/${moveID}?*`, (route) =>
      route.fulfill({
        status: 503,
        contentType: 'application/problem+json',
        body: JSON.stringify({ status: 503, code: 'UNAVAILABLE', title: '', detail: 'Not now.', requestID: 'test' }),
      }),
    );
    // The event of a new shipment does not contain what the move's page lists, so the move is read again.
    await stage.ben.shipments.create({ ...SHIPMENT, moveID });
    await page.getByRole('alert').getByText('Not now.').waitFor();
    expect(await page.getByText('The record was deleted.').count()).toBe(0);
  });

  test('a draft whose save is open is not said to be unsaved', async () => {
    const { id } = await stage.ben.shipments.create(SHIPMENT);
    const page = await open(`/shipments/${id}/edit`);
    await page.getByLabel('Customer remarks', { exact: true }).fill('Twenty boxes more.');
    await disturbWrites(page, '**/v1/shipments/*', 'answer lost');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText(/^This may not have been saved\./).waitFor();
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByText(/^Your changes may not have been saved, last edited /).waitFor();
  });

  test('a refusal stays while events arrive by long polling, because streams are blocked', async () => {
    const { id } = await stage.ben.shipments.create(SHIPMENT);
    const page = await stage.world.tab(await stage.world.context());
    await page.route('**/v1/events/stream?*', (route) => route.fulfill({ status: 404, json: {} }));
    await page.goto(`${stage.world.service.url}/console/shipments/${id}/edit`);
    await stage.world.signIn(page, await stage.world.token('Ann'));
    await page.getByLabel('Customer remarks', { exact: true }).fill('Twenty boxes more.');
    await disturbWrites(page, '**/v1/shipments/*', { status: 409, code: 'LIMIT_REACHED' });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const refusal = page.getByText(/^Not saved\. LIMIT_REACHED/);
    await refusal.waitFor();
    await stage.ben.shipments.update(id, { shipmentType: 'Changed by Ben' });
    const type = page.getByRole('form').getByLabel('Type', { exact: true });
    await eventually(async () => (await type.inputValue()) === 'Changed by Ben', 60_000, 'the value of Ben');
    expect(await refusal.count()).toBe(1);
  });
});
