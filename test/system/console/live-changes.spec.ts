import type { Shipment } from '@waybill/client';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../../support/repository/browser.js';
import { accessibilityFaults, KeptTab, SHIPMENT, useWorld } from './harness.js';

describeInBrowser('what others do while the stream is live', () => {
  const stage = useWorld(new KeptTab(true));
  const { field, save, dialog } = stage;
  let page: Page;
  let round = 0;

  const open = async (view: string) => {
    await stage.open(view);
    ({ page } = stage);
    await page.getByText('Live', { exact: true }).waitFor();
  };
  const button = (name: string) => dialog().getByRole('button', { name, exact: true });

  test('a change of the status is shown in the form, and asked about when she saves', async () => {
    const { id } = await stage.ben.shipments.create(SHIPMENT);
    await open(`/shipments/${id}/edit`);
    await field('Customer remarks').fill('Twenty boxes more.');
    await stage.ben.shipments.updateStatus(id, { status: 'CANCELED' });
    await page.locator('main header').getByText('Canceled').waitFor();
    await save();
    await dialog().getByRole('heading', { name: 'The status has changed' }).waitFor();
    expect((await stage.ben.shipments.get(id)).customerRemarks).toBe(SHIPMENT.customerRemarks);
    await button('Back to the form').click();
    await page
      .getByText(
        /^Ben changed the status from Submitted to Canceled, .+\. You will be asked to confirm when you save\.$/,
      )
      .waitFor();
    await save();
    await button('Save my changes anyway').click();
    await page.getByText(/^Saved/).waitFor();
    expect((await stage.ben.shipments.get(id)).customerRemarks).toBe('Twenty boxes more.');
  });

  test('a change of another field stays, and is named when she has saved', async () => {
    const { id } = await stage.ben.shipments.create(SHIPMENT);
    await open(`/shipments/${id}/edit`);
    await field('Customer remarks').fill('Twenty boxes more.');
    await stage.ben.shipments.update(id, { estimatedWeight: 5000 });
    await page.getByText(/^Ben changed this from 4,500 lb, /).waitFor();
    await save();
    await page.getByText('Saved. Ben also changed estimated weight.').waitFor();
    expect(await stage.ben.shipments.get(id)).toMatchObject({
      estimatedWeight: 5000,
      customerRemarks: 'Twenty boxes more.',
    });
  });

  /** Holds the requests for single shipments until the returned function is called. */
  const holdWrites = async () => {
    let answer = () => undefined as unknown;
    const held = new Promise((resolve) => {
      answer = () => resolve(undefined);
    });
    await page.route('**/v1/shipments/*', async (route, request) => {
      if (request.method() === 'PATCH') await held;
      await route.continue();
    });
    return answer;
  };

  test('what she types into a form that she opened again while a save is under way is not lost with it', async () => {
    const { id } = await stage.ben.shipments.create(SHIPMENT);
    await open(`/shipments/${id}/edit`);
    await field('Customer remarks').fill('Twenty boxes more.');
    const answer = await holdWrites();
    await save();
    await page.getByRole('button', { name: 'Saving…' }).waitFor();
    await page.getByRole('form').getByRole('button', { name: 'Back', exact: true }).click();
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    await field('Actual weight lb').fill('4711');
    answer();
    await page.getByText('Saved, except for what you typed in the meantime. Save again.').waitFor();
    expect(await page.evaluate('JSON.stringify({ ...localStorage })')).toContain('4711');
    await save();
    await page.getByText(/^Saved\./).waitFor();
    expect(await stage.ben.shipments.get(id)).toMatchObject({
      ...{ customerRemarks: 'Twenty boxes more.', actualWeight: 4711 },
    });
  });

  test('what she types while a save is under way is not lost with it', async () => {
    const { id } = await stage.ben.shipments.create(SHIPMENT);
    await open(`/shipments/${id}/edit`);
    await field('Customer remarks').fill('Twenty boxes more.');
    const answer = await holdWrites();
    await save();
    await page.getByRole('button', { name: 'Saving…' }).waitFor();
    await field('Actual weight lb').fill('4711');
    answer();
    await page.getByText('Saved, except for what you typed in the meantime. Save again.').waitFor();
    expect(await field('Actual weight lb').inputValue()).toBe('4711');
    await save();
    await page.getByText(/^Saved\./).waitFor();
    expect(await stage.ben.shipments.get(id)).toMatchObject({
      customerRemarks: 'Twenty boxes more.',
      actualWeight: 4711,
    });
  });

  describe('to selected shipments', () => {
    let type: string;
    let shipments: Shipment[];

    beforeEach(async () => {
      type = `Live ${(round += 1)}`;
      shipments = [];
      for (const deliveryDate of ['2027-04-01', '2027-04-02', '2027-04-03']) {
        shipments.push(await stage.ben.shipments.create({ ...SHIPMENT, shipmentType: type, deliveryDate }));
      }
      await open(`/list?${String(new URLSearchParams({ shipmentType: type, sort: 'deliveryDate' }))}`);
      await page.getByRole('row').nth(3).waitFor();
      await page.getByRole('checkbox', { name: 'Select all matching shipments' }).click();
      await page.getByText('3 selected').waitFor();
    });

    const rowShows = (index: number, text: string) =>
      page
        .getByRole('row')
        .nth(index + 1)
        .getByText(text)
        .waitFor();
    const askForWeight = () => page.getByRole('button', { name: 'Change a field…' }).click();
    const setWeight = async () => {
      await dialog().getByLabel('Field', { exact: true }).selectOption('Estimated weight');
      await dialog().getByLabel('New value for all', { exact: true }).fill('7000');
      await button('Set estimated weight to 7,000 lb').click();
    };
    const weights = async () => {
      const { items } = await stage.ben.shipments.list({ shipmentType: type, sort: 'createdAt' }).page();
      return items.map(({ estimatedWeight }) => estimatedWeight);
    };

    test('is listed before anything is sent, and such shipments can be left out', async () => {
      const [first, second] = shipments as [Shipment, Shipment];
      await stage.ben.shipments.updateStatus(first, { status: 'CANCELED' });
      await stage.ben.shipments.update(second, { estimatedWeight: 5200, pickupDate: '2027-03-02' });
      await rowShows(0, 'Canceled');
      await rowShows(1, 'Mar 2, 2027');
      await askForWeight();
      await dialog().getByRole('heading', { name: '2 of 3 changed after you selected them' }).waitFor();
      expect(await accessibilityFaults(page, 'changed-since')).toEqual([]);
      await dialog().getByText('Status Submitted → Canceled').waitFor();
      await dialog().getByText('Estimated weight 4,500 lb → 5,200 lb').waitFor();
      await button('Continue with the other 1').click();
      await setWeight();
      await dialog().getByText('1 changed.').waitFor();
      expect(await weights()).toEqual([4500, 5200, 7000]);
    });

    test('is shown when she continues with all in their current versions', async () => {
      await stage.ben.shipments.updateStatus(shipments[0]?.id ?? '', { status: 'CANCELED' });
      await stage.ben.shipments.delete(shipments[1]?.id ?? '');
      await rowShows(0, 'Canceled');
      await rowShows(1, 'Deleted');
      await askForWeight();
      await dialog().getByText('Deleted.').waitFor();
      await button('Continue with all as they are now').click();
      await setWeight();
      await dialog().getByText('2 changed.').waitFor();
      expect(await weights()).toEqual([7000, 7000]);
    });

    test('is asked about when the status changes while she chooses the value', async () => {
      await askForWeight();
      await dialog().getByLabel('Field', { exact: true }).waitFor();
      await stage.ben.shipments.updateStatus(shipments[0]?.id ?? '', { status: 'CANCELED' });
      await rowShows(0, 'Canceled');
      await setWeight();
      await dialog().getByText('2 changed, 1 not changed.').waitFor();
      await dialog()
        .getByText(/^Ben, .+: Status Submitted → Canceled$/)
        .waitFor();
      expect(await weights()).toEqual([4500, 7000, 7000]);
      await dialog().getByRole('radio', { name: /^Mine/ }).check();
      await button('Save').click();
      await dialog().getByText('3 changed.').waitFor();
    });
  });
});
