import type { NewShipment } from '@waybill/client';
import type { Locator, Page } from 'playwright-core';
import { eventually } from '../../support/races/eventually.js';
import { describeInBrowser } from '../../support/repository/browser.js';
import { goTo, KeptTab, SHIPMENT, useWorld } from './harness.js';
import { hasFocus, Keyboard } from './keyboard.js';

const WEEK = '/calendar?by=delivery&span=week&day=2027-03-20';
const MARCH = '/calendar?by=delivery&span=month&day=2027-03-15';

describeInBrowser('the calendar', () => {
  const stage = useWorld(new KeptTab(false));
  let page: Page;
  let type: string;
  let count = 0;

  // The calendar shows what it knew until it has read again, but no card of a former type is looked for.
  beforeEach(() => {
    type = `HHG ${(count += 1)}.`;
  });

  afterEach(async () => {
    for await (const { id } of stage.ben.shipments.list()) await stage.ben.shipments.delete(id);
  });

  const create = (changes: Partial<NewShipment> = {}) =>
    stage.ben.shipments.create({ ...SHIPMENT, shipmentType: type, ...changes });
  /** Ann does not hear of what Ben does. */
  const open = async (view: string) => {
    await stage.open(view);
    ({ page } = stage);
  };
  const day = (name: string) => page.getByRole('group', { name, exact: true });
  const card = (on: string, name = type) => day(on).getByRole('article').filter({ hasText: name });
  const dialog = () => page.getByRole('dialog');
  const isFocused = (target: Locator) => eventually(() => hasFocus(target), 90_000, `the focus on ${String(target)}`);

  test.each(['1900-01-01', '2199-12-31'])('around %s, the days outside of the calendar are empty', async (edge) => {
    await open('/calendar?by=delivery&span=week&day=2027-03-20');
    const refused: string[] = [];
    page.on('response', (response) => {
      if (response.status() >= 400) refused.push(response.url());
    });
    const { id } = await create({ pickupDate: null, deliveryDate: edge });
    await open(`/calendar?by=delivery&span=month&day=${edge}`);
    await page.locator(`#day-${edge}`).getByRole('article').waitFor();
    for (const name of ['Previous month', 'Next month']) await page.getByRole('button', { name }).click();
    expect(await page.getByText('Not loaded').count()).toBe(0);
    expect(refused).toEqual([]);
    expect((await stage.ben.shipments.get(id)).deliveryDate).toBe(edge);
  });

  test('a shipment is dragged to another day, in a write with its version', async () => {
    const { id, eTag } = await create();
    await open(WEEK);
    const sent: unknown[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PATCH') sent.push([request.headers()['if-match'], request.postData()]);
    });
    await card('Saturday, March 20').dragTo(day('Wednesday, March 17'));
    await card('Wednesday, March 17').waitFor();
    await page.getByText('Delivery date changed to Mar 17, 2027. Saved.').waitFor();
    expect(await card('Saturday, March 20').count()).toBe(0);
    expect(sent).toEqual([[expect.stringContaining(eTag), '{"deliveryDate":"2027-03-17"}']]);
    expect((await stage.ben.shipments.get(id)).deliveryDate).toBe('2027-03-17');
  });

  test('a delivery cannot be dragged before the pickup', async () => {
    const { shipmentCode } = await create({ pickupDate: '2027-03-16' });
    await open(WEEK);
    await card('Saturday, March 20').dragTo(day('Monday, March 15'));
    await page.getByRole('button', { name: `Change date of ${shipmentCode}` }).click();
    await dialog().getByLabel('Delivery date').fill('2027-03-15');
    await dialog().getByRole('button', { name: 'Change date' }).click();
    await page.getByText('The delivery cannot be before the pickup on Mar 16, 2027.').waitFor();
    await card('Saturday, March 20').waitFor();
  });

  test('a shipment is picked up, carried over the end of the month and dropped by keyboard alone', async () => {
    const { id, shipmentCode } = await create();
    await create({ shipmentType: 'Boat', deliveryDate: '2027-03-22' });
    await open(MARCH);
    const keys = new Keyboard(page);
    await keys.tabTo(card('Saturday, March 20').getByRole('link'));
    await keys.press('ArrowRight');
    await isFocused(day('Sunday, March 21'));
    await keys.press('ArrowRight');
    await isFocused(card('Monday, March 22', 'Boat').getByRole('link'));
    await keys.press('ArrowLeft', 'ArrowLeft');
    await isFocused(card('Saturday, March 20').getByRole('link'));
    await keys.press('Space');
    const said = page.getByRole('status');
    await said
      .getByText(`Picked up ${shipmentCode}. Arrow keys choose the day, Space drops it, Esc puts it back.`)
      .waitFor();
    await keys.press('ArrowDown');
    await said.getByText('Saturday, March 27').waitFor();
    await keys.press('Escape');
    await said.getByText(`${shipmentCode} was put back.`).waitFor();
    await isFocused(card('Saturday, March 20').getByRole('link'));
    await keys.press('Space', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowRight');
    await page.getByRole('heading', { name: 'April 2027' }).waitFor();
    await said.getByText('Sunday, April 11').waitFor();
    await keys.press('Space');
    await said.getByText('Delivery date changed to Apr 11, 2027. Saved.').waitFor();
    await isFocused(card('Sunday, April 11').getByRole('link'));
    expect((await stage.ben.shipments.get(id)).deliveryDate).toBe('2027-04-11');
  });

  test('a date is changed in a menu, on a phone, where nothing can be dragged', async () => {
    const { id, shipmentCode } = await create();
    await open('/calendar?by=pickup&span=week&day=2027-03-01');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: `Change date of ${shipmentCode}` }).click();
    await dialog().getByLabel('Pickup date').fill('2027-03-03');
    await dialog().getByRole('button', { name: 'Change date' }).click();
    await card('Wednesday, March 3').waitFor();
    expect((await stage.ben.shipments.get(id)).pickupDate).toBe('2027-03-03');
    const wide = await page.evaluate('document.documentElement.scrollWidth');
    expect(wide).toBeLessThanOrEqual(390);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  describe('when somebody was faster', () => {
    const drag = async () => {
      await card('Saturday, March 20').dragTo(day('Wednesday, March 17'));
    };

    test('the dialog of the form shows both dates, and the chosen one is saved', async () => {
      const { id } = await create();
      await open(WEEK);
      await card('Saturday, March 20').waitFor();
      await stage.ben.shipments.update(id, { deliveryDate: '2027-03-19', estimatedWeight: 5000 });
      await drag();
      await dialog().getByRole('heading', { name: 'Ben changed the same field' }).waitFor();
      expect((await stage.ben.shipments.get(id)).deliveryDate).toBe('2027-03-19');
      await dialog().getByRole('radio', { name: /^You/ }).check();
      await dialog().getByRole('button', { name: 'Save', exact: true }).click();
      await card('Wednesday, March 17').waitFor();
      expect(await stage.ben.shipments.get(id)).toMatchObject({ deliveryDate: '2027-03-17', estimatedWeight: 5000 });
    });

    test('the other date stays when she leaves it', async () => {
      const { id } = await create();
      await open(WEEK);
      await card('Saturday, March 20').waitFor();
      const { eTag } = await stage.ben.shipments.update(id, { deliveryDate: '2027-03-19' });
      await drag();
      await dialog().getByRole('button', { name: 'Leave as is' }).click();
      await page.getByText('Nothing was changed.').waitFor();
      expect((await stage.ben.shipments.get(id)).eTag).toBe(eTag);
      await card('Friday, March 19').waitFor();
    });

    test('a change of another field is kept and named, without a question', async () => {
      const { id } = await create();
      await open(WEEK);
      await card('Saturday, March 20').waitFor();
      await stage.ben.shipments.update(id, { estimatedWeight: 5000 });
      await drag();
      await page.getByText('Saved. Ben also changed estimated weight.').waitFor();
      expect(await stage.ben.shipments.get(id)).toMatchObject({ deliveryDate: '2027-03-17', estimatedWeight: 5000 });
    });

    test('a deleted shipment is reported, and can be restored', async () => {
      const { id, shipmentCode } = await create();
      await open(WEEK);
      await card('Saturday, March 20').waitFor();
      await stage.ben.shipments.delete(id);
      await drag();
      await dialog().getByRole('heading', { name: 'This shipment was deleted' }).waitFor();
      await dialog().getByText('Nothing was changed.').waitFor();
      await dialog().getByRole('button', { name: 'Restore…' }).click();
      await dialog().getByRole('button', { name: 'Restore', exact: true }).click();
      await page.getByText(`${shipmentCode} was restored.`).waitFor();
      expect(await stage.ben.shipments.get(id)).toMatchObject({ deliveryDate: '2027-03-20' });
    });
  });

  test('a save without an answer is repeated, and changes the date once', async () => {
    const { id } = await create();
    await open(WEEK);
    await page.route('**/v1/shipments/*', async (route) => {
      if (route.request().method() === 'PATCH') await route.fetch();
      await route.abort();
    });
    await card('Saturday, March 20').dragTo(day('Wednesday, March 17'));
    await dialog()
      .getByText(/^This may not have been saved\./)
      .waitFor();
    await page.unroute('**/v1/shipments/*');
    await dialog().getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Delivery date changed to Mar 17, 2027. Saved.').waitFor();
    const { items } = await stage.ben.shipments.history(id).page();
    expect(items.map(({ type }) => type)).toEqual(['updated', 'created']);
  });

  test('unsaved changes of a shipment are not saved along with its date', async () => {
    const { id, shipmentCode } = await create();
    await open(`/shipments/${id}/edit`);
    await page.getByLabel('Customer remarks').fill('Half a sentence');
    await goTo(page, WEEK);
    await card('Saturday, March 20').getByRole('button').click();
    await dialog().getByLabel('Delivery date').fill('2027-03-17');
    await dialog().getByRole('button', { name: 'Change date' }).click();
    await page.getByText(`You have unsaved changes of ${shipmentCode}. Save or discard them first.`).waitFor();
    expect((await stage.ben.shipments.get(id)).deliveryDate).toBe('2027-03-20');
  });

  test('reads only a few shipments of each visible day, and says that there are more', async () => {
    for (let index = 0; index < 7; index += 1) await create({ deliveryDate: '2027-08-20' });
    await open('/nowhere');
    const requests: URL[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/v1/shipments?')) requests.push(new URL(request.url()));
    });
    await goTo(page, '/calendar?by=delivery&span=month&day=2027-08-15');
    await card('Friday, August 20').nth(4).waitFor();
    expect(await card('Friday, August 20').count()).toBe(5);
    const asked = requests.map(({ searchParams }) => searchParams.get('deliveryDateFrom') ?? '').sort();
    expect([asked.length, asked[0], asked.at(-1)]).toEqual([35, '2027-08-01', '2027-09-04']);
    expect(requests.every(({ searchParams }) => searchParams.get('limit') === '5')).toBe(true);
    await page.getByRole('link', { name: 'All 7 shipments on Friday, August 20' }).click();
    await page.getByRole('row').nth(7).waitFor();
    expect(await page.getByRole('row').count()).toBe(8);
  });

  test('follows others, also while another view is open, and switches between dates, periods and locales', async () => {
    const { id } = await create();
    page = await stage.world.tab(await stage.world.context({ locale: 'en-GB' }));
    await page.goto(`${stage.world.service.url}/console${MARCH}`);
    await new Keyboard(page).signIn(await stage.world.token('Ann'));
    await page.getByText('Live', { exact: true }).waitFor();
    expect(await page.locator('[data-day]').first().getAttribute('data-day')).toBe('2027-03-01');
    await card('Saturday 20 March').waitFor();
    await stage.ben.shipments.update(id, { deliveryDate: '2027-03-25' });
    await card('Thursday 25 March').waitFor();
    expect(await card('Saturday 20 March').count()).toBe(0);

    await page.getByRole('link', { name: 'Board' }).click();
    await page.getByRole('article').filter({ hasText: '25 Mar' }).waitFor();
    await stage.ben.shipments.update(id, { deliveryDate: '2027-03-18' });
    await page.getByRole('article').filter({ hasText: '18 Mar' }).waitFor();
    await page.goBack();
    await card('Thursday 18 March').waitFor();

    await page.getByRole('button', { name: 'Pickup' }).click();
    await card('Monday 1 March').waitFor();
    await page.getByRole('button', { name: 'Week' }).click();
    await page.getByRole('heading', { name: /^15\W+21 Mar 2027$/ }).waitFor();
    await page.getByRole('button', { name: 'Previous week' }).click();
    await page.getByRole('button', { name: 'Previous week' }).click();
    await card('Monday 1 March').getByText('Springfield, IL → Norfolk, VA').waitFor();
  });
});
