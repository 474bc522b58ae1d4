import type { NewShipment, OverviewCount } from '@waybill/client';
import type { Page } from 'playwright-core';
import { eventually } from '../../support/races/eventually.js';
import { allNumbered } from '../../support/records/events.js';
import { describeInBrowser } from '../../support/repository/browser.js';
import { day } from './fill-board.js';
import { KeptTab, SHIPMENT, useWorld } from './harness.js';

describeInBrowser('Today', () => {
  const stage = useWorld(new KeptTab(true));

  const open = async (view = ''): Promise<Page> => {
    await stage.open(view);
    await stage.page.getByText('Live', { exact: true }).waitFor();
    return stage.page;
  };
  const create = (changes: Partial<NewShipment>) => stage.ben.shipments.create({ ...SHIPMENT, ...changes });
  const number = (page: Page, title: string, label: string) =>
    page
      .locator('section', { has: page.getByRole('heading', { name: title, exact: true }) })
      .getByRole('link', { name: label });
  /** Today where the browser is, as the page sees it. */
  const overview = () => stage.ben.overview({ today: day(0) });

  describe('with shipments', () => {
    beforeAll(async () => {
      const dates = [
        ...[
          [-9, -2],
          [-8, 3],
          [-3, 0],
          [0, 0],
          [0, 5],
          [0, 6],
        ],
        ...[
          [4, 6],
          [4, 8],
          [13, 20],
          [-30, -20],
        ],
      ] as const;
      for (const [pickup, delivery] of dates) await create({ pickupDate: day(pickup), deliveryDate: day(delivery) });
      const canceled = await create({ pickupDate: day(-5), deliveryDate: day(-4) });
      await stage.ben.shipments.updateStatus(canceled, { status: 'CANCELED' });
      const approved = await create({ pickupDate: day(-5), deliveryDate: day(1) });
      for (const status of ['APPROVED', 'IN_TRANSIT'] as const) {
        await stage.ben.shipments.updateStatus(approved.id, { status });
      }
    });

    test('shows the numbers of the overview, and each leads to a list of as many shipments', async () => {
      const page = await open();
      const { overdue, dueToday, waitingForApproval } = await overview();
      const numbers: [string, string, OverviewCount][] = [
        ['Overdue', 'to pick up', overdue.pickups],
        ['Overdue', 'to deliver', overdue.deliveries],
        ['Due today', 'to pick up', dueToday.pickups],
        ['Due today', 'to deliver', dueToday.deliveries],
        ['Waiting for approval', 'submitted', waitingForApproval],
      ];
      expect(numbers.map(([, , { count }]) => count)).toEqual([4, 2, 3, 2, 10]);
      for (const [title, label, { count }] of numbers) {
        await number(page, title, label).click();
        await page.waitForURL(/\/console\/list\?/);
        await page.getByRole('row').nth(count).waitFor();
        expect([title, label, await page.getByRole('row').count()]).toEqual([title, label, count + 1]);
        await page.goBack();
        expect(await number(page, title, label).textContent()).toBe(`${count} ${label}`);
      }
    });

    test('has the next 14 days as bars and as a table, each number with its list', async () => {
      const page = await open();
      const { days } = await overview();
      await page.getByText('Show as a table').click();
      const rows = page.getByRole('table').getByRole('row');
      expect(await rows.count()).toBe(15);
      for (const [index, { pickups, deliveries }] of days.entries()) {
        const cells = await rows
          .nth(index + 1)
          .getByRole('cell')
          .allInnerTexts();
        expect(cells).toEqual([String(pickups.count), String(deliveries.count)]);
      }
      const bars = page.locator('svg text').filter({ hasText: /^3$/ });
      await bars.first().click();
      await page.getByRole('row').nth(3).waitFor();
      expect(await page.getByRole('row').count()).toBe(4);
    });

    test('the list shows overdue shipments at a click, and knows them when Today leads there', async () => {
      const page = await open('/list');
      const filter = (name: string) => page.getByRole('checkbox', { name });
      await page.getByText('Delivery overdue').click();
      await page.getByRole('row').nth(2).waitFor();
      await eventually(async () => (await page.getByRole('row').count()) === 3, 90_000, '2 overdue deliveries');
      await page.getByText('Pickup overdue').click();
      await eventually(async () => (await page.getByRole('row').count()) === 5, 90_000, '4 overdue pickups');
      expect(await filter('Delivery overdue').isChecked()).toBe(false);
      await page.getByText('Pickup overdue').click();
      await page.waitForURL(`${stage.world.service.url}/console/list`);
      await page.getByRole('link', { name: 'Today' }).click();
      await number(page, 'Overdue', 'to deliver').click();
      await filter('Delivery overdue').waitFor();
      expect(await filter('Delivery overdue').isChecked()).toBe(true);
    });

    test('follows what happens', async () => {
      const page = await open();
      await number(page, 'Waiting for approval', '10 submitted').waitFor();
      const late = await create({ pickupDate: day(-1), deliveryDate: day(-1) });
      await number(page, 'Waiting for approval', '11 submitted').waitFor();
      await number(page, 'Overdue', '3 to deliver').waitFor();
      await stage.ben.shipments.delete(late.id);
      await number(page, 'Overdue', '2 to deliver').waitFor();
    });
  });

  test('shows what others changed since the last visit, and nothing of her own', async () => {
    const [one, other] = [await create({ shipmentType: 'Piano' }), await create({ shipmentType: 'Boat' })];
    // Otherwise their events could come after the visit.
    await allNumbered(stage.world.service.sql);
    const context = await stage.world.context();
    const ann = await stage.world.token('Ann');
    const first = await stage.world.open(context, '', ann);
    await first.getByText('Live', { exact: true }).waitFor();
    await first.getByText('On your next visit').waitFor();
    await first.close();
    const annElsewhere = await stage.world.colleague('Ann');
    await annElsewhere.shipments.update(other.id, { actualWeight: 700 });
    await stage.ben.shipments.update(one.id, { deliveryDate: '2027-03-21', estimatedWeight: 4400 });
    const page = await stage.world.open(context, '', ann);
    await page.getByText('Live', { exact: true }).waitFor();
    const changed = page.getByRole('region', { name: 'Changed by others since your last visit' });
    await changed.getByText(/^Ben changed delivery date, estimated weight, /).waitFor();
    await changed.getByRole('link', { name: `${one.shipmentCode} Piano` }).waitFor();
    expect(await changed.getByRole('listitem').count()).toBe(1);
    await stage.ben.shipments.updateStatus(other.id, { status: 'APPROVED' });
    await changed.getByRole('link', { name: '2 shipments' }).waitFor();
    await changed.getByRole('listitem').first().getByText('Approved').waitFor();
    await changed.getByRole('link', { name: '2 shipments' }).click();
    await page.getByRole('row').nth(2).waitFor();
    expect(await page.getByRole('row').count()).toBe(3);
  });
});
