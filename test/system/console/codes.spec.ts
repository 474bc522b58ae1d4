import type { Shipment } from '@waybill/client';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../../support/repository/browser.js';
import { KeptTab, SHIPMENT, useWorld } from './harness.js';

describeInBrowser('records by their codes', () => {
  const stage = useWorld(new KeptTab(true));
  let page: Page;
  let shipment: Shipment;

  const open = async (view: string) => {
    await stage.open(view);
    ({ page } = stage);
  };
  const move = () => shipment.shipmentCode.slice(0, 6);
  beforeEach(async () => {
    shipment = await stage.ben.shipments.create(SHIPMENT);
    shipment = await stage.ben.shipments.update(shipment.id, { estimatedWeight: 4600 });
  });

  const IN_ANY_CASE = [
    ['in capitals', (code: string) => code],
    ['in lower case', (code: string) => code.toLowerCase()],
  ] as const;

  test.each(IN_ANY_CASE)(
    'a shipment opened by its code %s follows changes, and its history can be restored',
    async (_, spelled) => {
      const path = `/shipments/${spelled(shipment.shipmentCode)}`;
      await open(path);
      await page.getByText('4,600 lb').first().waitFor();
      await stage.ben.shipments.update(shipment.id, { estimatedWeight: 4700, customerRemarks: 'Ring once.' });
      await page.getByRole('definition').getByText('4,700 lb').waitFor();
      await stage.ben.services.create(shipment.id, { code: 'CRATE' });
      await page.getByRole('region', { name: 'Services' }).getByText('CRATE').waitFor();
      await page.getByRole('button', { name: 'Restore Estimated weight 4,500 lb' }).click();
      expect(await stage.field('Estimated weight lb').inputValue()).toBe('4500');
      // The draft is that of the shipment, whatever it was opened by.
      await open(`${path}/edit`);
      await page.getByText(/^Restored your draft/).waitFor();
      await page.getByRole('button', { name: 'Discard' }).click();
    },
  );

  test.each(IN_ANY_CASE)(
    'a move opened by its code %s follows changes, and its history can be restored',
    async (_, spelled) => {
      const path = `/moves/${spelled(move())}`;
      await stage.ben.moves.update(move(), { orderID: 'ORD-1' });
      await open(path);
      await stage.ben.moves.update(move(), { orderID: 'ORD-2' });
      await page.getByRole('definition').getByText('ORD-2').waitFor();
      await stage.ben.shipments.create({ shipmentType: 'Boat', moveID: shipment.moveID });
      await page.getByRole('row').filter({ hasText: 'Boat' }).waitFor();
      await page.getByRole('button', { name: 'Restore Order ORD-1' }).click();
      expect(await stage.field('Order').inputValue()).toBe('ORD-1');
      await page.getByRole('button', { name: 'Discard' }).click();
    },
  );

  test('everywhere in the URL: on paper, in a copy, in a new shipment of a move, and in a filter', async () => {
    const code = shipment.shipmentCode.toLowerCase();
    await open(`/shipments/${code}/print`);
    const sheet = page.getByRole('article', { name: `Waybill ${shipment.shipmentCode}` });
    await sheet.getByText('4,600 lb').waitFor();
    await stage.ben.shipments.update(shipment.id, { estimatedWeight: 4800 });
    await sheet.getByText('4,800 lb').waitFor();
    await open(`/shipments/new?copy=${code}`);
    await page.getByRole('heading', { name: `Copy of ${shipment.shipmentCode}` }).waitFor();
    await open(`/shipments/new?moveID=${move().toLowerCase()}`);
    await page.getByRole('group', { name: 'Move' }).getByText(move(), { exact: true }).waitFor();
    await open(`/list?moveID=${move().toLowerCase()}`);
    await page.getByRole('row').filter({ hasText: shipment.shipmentCode }).waitFor();
    await open(`/shipments/${code}/services/new`);
    await stage.field('Code').fill('PACK');
    await stage.save();
    await page.getByRole('link', { name: 'Edit PACK' }).waitFor();
  });

  test('an earlier version, and the draft of a copy that was begun by id', async () => {
    const [, created] = (await stage.ben.shipments.history(shipment.id).page()).items;
    await open(`/shipments/${shipment.shipmentCode}?version=${created?.eTag}`);
    await page.getByText(/^Version of/).waitFor();
    await page.getByRole('definition').getByText('4,500 lb').waitFor();
    await open(`/shipments/new?copy=${shipment.id}`);
    await page.getByLabel('Customer remarks', { exact: true }).fill('Copied by id');
    await open(`/shipments/new?copy=${shipment.shipmentCode}`);
    await page.getByText('Restored your draft.').waitFor();
    expect(await page.getByLabel('Customer remarks', { exact: true }).inputValue()).toBe('Copied by id');
    await page.getByRole('button', { name: 'Discard' }).click();
  });

  test('the code is the link to the shipment, in lists, on cards, in the rows of a move and of an import', async () => {
    // A month shows only some shipments of a day.
    shipment = await stage.ben.shipments.update(shipment.id, { deliveryDate: '2027-03-27' });
    const { id, shipmentCode, moveID } = shipment;
    const file = `id,eTag,estimatedWeight\n${id},${shipment.eTag},4900`;
    const { id: importID } = await stage.ben.imports.upload(file);
    for (const view of [
      '/board',
      `/list?moveID=${moveID}`,
      `/moves/${moveID}`,
      `/imports/${importID}`,
      '/calendar?day=2027-03-20',
    ]) {
      await open(view);
      const link = page.getByRole('link', { name: shipmentCode });
      await link.waitFor();
      expect([view, await link.getAttribute('href')]).toEqual([view, `/console/shipments/${id}`]);
    }
    await open(`/shipments/${id}`);
    await page.getByRole('heading', { name: `${shipmentCode} HHG` }).waitFor();
    await page.getByRole('button', { name: 'Change status…' }).click();
    await page
      .getByRole('dialog', { name: `Change status of ${shipmentCode} HHG` })
      .getByRole('radio', { name: 'Approved' })
      .check();
    await page.getByRole('dialog').getByRole('button', { name: 'Change to Approved' }).click();
    await page.getByText(`${shipmentCode}: status changed to Approved.`).waitFor();
  });

  test('a code that no shipment has is said to be unknown', async () => {
    await open('/shipments/aaaaaa-99');
    await page.getByText(/^This shipment does not exist/).waitFor();
  });
});
