import type { Page } from 'playwright-core';
import { describeInBrowser } from '../../support/repository/browser.js';
import { disturbWrites } from './faults-on-the-way.js';
import { accessibilityFaults, DAYS_LATER, goTo, KeptTab, useWorld } from './harness.js';

describeInBrowser('a new shipment that is not what was meant', () => {
  const stage = useWorld(new KeptTab(false));
  const { field, dialog } = stage;
  let page: Page;
  let type: string;
  let count = 0;

  beforeEach(async () => {
    type = `Meant ${(count += 1)}`;
    await stage.open('/shipments/new');
    ({ page } = stage);
    await field('Type').fill(type);
  });

  // The next test starts without the draft of this one.
  afterEach(() => page.evaluate('localStorage.clear()'));

  const form = () => page.getByRole('form');
  const press = (name: string | RegExp) => form().getByRole('button', { name, exact: true }).click();
  const made = async () => (await stage.ben.shipments.list({ shipmentType: type, expand: ['services'] }).page()).items;

  test('is not created before the existing move that it belongs to is chosen', async () => {
    await form().getByRole('radio', { name: 'Add to an existing move' }).check();
    await press('Create shipment');
    await form().getByText('Choose the move, or open a new one.').waitFor();
    expect(await made()).toEqual([]);
    expect(await accessibilityFaults(page, 'move-not-chosen')).toEqual([]);
    await form().getByRole('radio', { name: 'Open a new move' }).check();
    await press('Create shipment');
    await page.getByText(/^Created [0-9A-Z]{6}-/).waitFor();
    expect(await made()).toHaveLength(1);
  });

  test('is not put into the only match of the words before', async () => {
    const [before, meant] = [
      await stage.ben.moves.create({ orderID: `BEFORE-${count}` }),
      await stage.ben.moves.create({ orderID: `MEANT-${count}` }),
    ];
    await form().getByRole('radio', { name: 'Add to an existing move' }).check();
    const words = field('Find a move by code or order');
    await words.fill(before.orderID ?? '');
    await page.getByText('One move matches. Press Enter to choose it.').waitFor();
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/v1/moves?*', async (route) => {
      await released;
      return route.continue();
    });
    await words.fill(meant.orderID ?? '');
    await words.press('Enter');
    await page.getByText('Searching…').waitFor();
    expect(await form().getByRole('button', { name: 'Choose another' }).count()).toBe(0);
    release();
    await page.getByText('One move matches. Press Enter to choose it.').waitFor();
    await words.press('Enter');
    await form().getByRole('button', { name: 'Choose another' }).waitFor();
    await press('Create shipment');
    await page.getByText(/^Created [0-9A-Z]{6}-/).waitFor();
    expect(await made()).toMatchObject([{ moveID: meant.id }]);
  });

  test('is continued by a form that is opened again while it is created', async () => {
    await press('Add service');
    await form().getByRole('group', { name: 'Service 1' }).getByLabel('Code').fill('PACK');
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/v1/shipments', async (route) => {
      await released;
      return route.continue();
    });
    await press('Create shipment');
    await form().getByRole('button', { name: 'Creating…' }).waitFor();
    await goTo(page, '/list');
    await page.getByRole('button', { name: 'Change a field…' }).or(page.getByRole('table')).first().waitFor();
    await goTo(page, '/shipments/new');
    // Once the shipment is there, this would create its service again.
    await form()
      .getByRole('button', { name: /^(Try again|Creating…)$/ })
      .click({ force: true });
    release();
    await page.getByText(/^Created [0-9A-Z]{6}-/).waitFor();
    await page.getByRole('heading', { name: 'Timeline' }).waitFor();
    expect(await made()).toMatchObject([{ services: [{ code: 'PACK' }] }]);
  });

  const createWithoutService = async () => {
    await press('Add service');
    await form().getByRole('group', { name: 'Service 1' }).getByLabel('Code').fill('PACK');
    await disturbWrites(page, '**/services', 'request lost');
    await press('Create shipment');
    await form()
      .getByText(/^This may not have been saved\./)
      .waitFor();
    await page.unrouteAll();
  };

  test('says that it was deleted before its services were added', async () => {
    await createWithoutService();
    const [shipment] = await made();
    await stage.ben.shipments.delete(shipment?.id ?? '', { ifMatch: shipment?.eTag ?? '' });
    await press('Save the rest');
    await dialog().getByText(/Ben/).waitFor();
    expect(await accessibilityFaults(page, 'rest-of-deleted')).toEqual([]);
    await dialog().getByRole('button', { name: 'Discard' }).click();
    await form().getByRole('button', { name: 'Create shipment' }).waitFor();
    expect(await form().getByRole('group', { name: 'Service 1' }).count()).toBe(0);
  });

  /** Sends a creation whose outcome stays unknown, and leaves the form open until its key has expired. */
  async function createAndLeaveForDays(fault: 'answer lost' | 'request lost'): Promise<void> {
    await disturbWrites(page, '**/v1/shipments', fault);
    await press('Create shipment');
    await form()
      .getByText(/^This may not have been saved\./)
      .waitFor();
    await page.unrouteAll();
    await page.evaluate(DAYS_LATER);
  }

  test('may exist once the service has forgotten the attempt, and is not made twice', async () => {
    await createAndLeaveForDays('answer lost');
    await stage.world.service.sql.query('DELETE FROM idempotency_keys');
    await press('Try again');
    await dialog().getByRole('heading', { name: 'This shipment may exist already' }).waitFor();
    expect(await made()).toHaveLength(1);
    expect(await accessibilityFaults(page, 'may-exist')).toEqual([]);
    await dialog().getByRole('link', { name: 'newest shipments of this type' }).click();
    await page.getByRole('row').filter({ hasText: type }).first().waitFor();
  });

  test('is made again if she says so, as another one', async () => {
    await createAndLeaveForDays('request lost');
    await press('Try again');
    await dialog().getByRole('button', { name: 'Create it again' }).click();
    await page.getByText(/^Created [0-9A-Z]{6}-/).waitFor();
    expect(await made()).toHaveLength(1);
  });
});
