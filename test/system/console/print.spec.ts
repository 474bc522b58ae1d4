import type { Shipment } from '@waybill/client';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../../support/repository/browser.js';
import { KeptTab, SHIPMENT, useWorld } from './harness.js';
import { pagesOf, scan } from './paper.js';

describeInBrowser('printed waybills', () => {
  const stage = useWorld(new KeptTab(true));
  let page: Page;
  let first: Shipment;
  let shipments: Shipment[];

  beforeEach(async () => {
    const { id: moveID } = await stage.ben.moves.create({ orderID: 'ORD-2026-0042' });
    const create = (shipmentType: string) => stage.ben.shipments.create({ ...SHIPMENT, moveID, shipmentType });
    first = await create('Household goods');
    shipments = [first, await create('Boat'), await create('Car')];
  });

  const open = async (view: string) => {
    await stage.open(view);
    ({ page } = stage);
  };
  const sheet = ({ shipmentCode }: Shipment) => page.getByRole('article', { name: `Waybill ${shipmentCode}` });
  const withoutSpaces = (...texts: string[]) => texts.map((text) => text.replace(/\s/g, ''));

  test('a shipment is one page with all that a driver needs, and with its version', async () => {
    const { id, shipmentCode } = first;
    await stage.ben.agents.create(id, {
      agentType: 'RELEASING_AGENT',
      firstName: 'Mia',
      lastName: 'Lopez',
      phone: '555-0100',
    });
    await stage.ben.services.create(id, { code: 'PACK', description: 'Packing of the whole house' });
    const carla = await stage.world.colleague('Carla');
    const { eTag } = await carla.shipments.update(id, { actualWeight: 4650 });
    await stage.ben.services.create(id, { code: 'CRATE' });
    await open(`/shipments/${id}`);
    await page.getByRole('link', { name: 'Print waybill' }).click();
    await page.waitForURL(`${stage.world.service.url}/console/shipments/${shipmentCode}/print`);
    await sheet(first).waitFor();
    for (const format of ['A4', 'Letter']) {
      const [text = '', ...others] = await pagesOf(await page.pdf({ format }));
      expect(others).toEqual([]);
      const texts = [
        ...[shipmentCode, 'Household goods', 'Submitted', 'ORD-2026-0042', '1 Main Street', 'Springfield, IL 62701'],
        ...['9 Harbor Road', 'Norfolk, VA 23503', 'Mar 1, 2027', 'Mar 20, 2027', '4,500 lb', '4,650 lb', 'Mia Lopez'],
        ...['555-0100', 'PACK', 'Packing of the whole house', 'CRATE', SHIPMENT.customerRemarks ?? ''],
        ...[`Version ${eTag.slice(0, 8)}`, 'by Carla'],
      ];
      expect(withoutSpaces(...texts).filter((each) => !text.includes(each))).toEqual([]);
      expect(withoutSpaces('Keyboard shortcuts', 'Calendar', 'Back').filter((each) => text.includes(each))).toEqual([]);
    }
    await page.getByRole('link', { name: 'Back' }).click();
    await page.getByRole('definition').getByText(eTag.slice(0, 8)).waitFor();
  });

  test('all shipments of a move are printed, each on its own page, when she says so', async () => {
    await open(`/moves/${first.moveID}`);
    await page.getByRole('link', { name: 'Print all' }).click();
    await sheet(first).waitFor();
    const pages = await pagesOf(await page.pdf({ format: 'A4' }));
    expect(pages.length).toBe(3);
    for (const [index, { shipmentCode, shipmentType, eTag }] of shipments.entries()) {
      const missing = withoutSpaces(shipmentCode, shipmentType, eTag.slice(0, 8)).filter(
        (text) => pages[index]?.includes(text) !== true,
      );
      expect(missing).toEqual([]);
    }
    await page.evaluate('window.print = () => { window.printed = (window.printed ?? 0) + 1; }');
    await page.getByRole('button', { name: 'Print' }).click();
    expect(await page.evaluate('window.printed')).toBe(1);
  });

  test('has a code that a scanner reads, and shows the newest version until it is printed', async () => {
    await open(`/shipments/${first.shipmentCode}/print`);
    await page.emulateMedia({ colorScheme: 'dark' });
    const code = sheet(first).getByRole('img', { name: `QR code of ${first.shipmentCode}` });
    expect(await scan(page, code)).toBe(first.shipmentCode);
    await page.getByText('Live', { exact: true }).waitFor();
    const { eTag } = await stage.ben.shipments.update(first.id, { actualWeight: 4800 });
    await sheet(first).getByText(eTag.slice(0, 8)).waitFor();
    await sheet(first).getByText('4,800 lb').waitFor();
  });
});
