import type { Shipment } from '@waybill/client';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../../support/repository/browser.js';
import { KeptTab, SHIPMENT, useWorld } from './harness.js';

/** Ann does not hear of what Ben does. */
describeInBrowser('undoing a date about which there was a conflict', () => {
  const stage = useWorld(new KeptTab(false));
  const { dialog } = stage;
  let page: Page;
  let shipment: Shipment;
  let round = 0;

  const stored = async () => (await stage.ben.shipments.get(shipment.id)).deliveryDate;
  const said = (text: string) => page.getByRole('status').getByText(text, { exact: false }).last().waitFor();
  const undo = () => page.getByRole('status').getByRole('button', { name: 'Undo', exact: true });
  const decide = async (side: RegExp) => {
    await dialog().getByRole('radio', { name: side }).check();
    await dialog().getByRole('button', { name: 'Save', exact: true }).click();
  };

  /** Ann drags the shipment to March 17 after Ben has changed its date to March 19. */
  beforeEach(async () => {
    shipment = await stage.ben.shipments.create({ ...SHIPMENT, shipmentType: `Disputed ${(round += 1)}.` });
    await stage.open('/calendar?by=delivery&span=week&day=2027-03-20');
    ({ page } = stage);
    const day = (name: string) => page.getByRole('group', { name, exact: true });
    const card = day('Saturday, March 20').getByRole('article').filter({ hasText: shipment.shipmentType });
    await card.waitFor();
    await stage.ben.shipments.update(shipment.id, { deliveryDate: '2027-03-19' });
    await card.dragTo(day('Wednesday, March 17'));
    await dialog().getByRole('heading', { name: 'Ben changed the same field' }).waitFor();
  });

  test('brings back the date that was replaced, not the one that she saw', async () => {
    await decide(/^You/);
    await said('Delivery date changed to Mar 17, 2027. Saved.');
    await undo().click();
    await said(`${shipment.shipmentCode}: the change was undone.`);
    expect(await stored()).toBe('2027-03-19');
  });

  test('is not offered if she left the date to the other, and nothing is said to have changed', async () => {
    await decide(/^Ben/);
    await said('Nothing was changed.');
    expect(await undo().count()).toBe(0);
    expect(await page.getByText('Delivery date changed', { exact: false }).count()).toBe(0);
    expect(await stored()).toBe('2027-03-19');
  });

  test('says that nothing was undone if she leaves it to the other then', async () => {
    await decide(/^You/);
    await undo().waitFor();
    await stage.ben.shipments.update(shipment.id, { deliveryDate: '2027-03-25' });
    await undo().click();
    await dialog().getByRole('heading', { name: 'Ben changed the same field' }).waitFor();
    await decide(/^Ben/);
    await said('Nothing was changed.');
    expect(await stored()).toBe('2027-03-25');
  });
});
