import type { Shipment } from '@waybill/client';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../../support/repository/browser.js';
import { accessibilityFaults, KeptTab, SHIPMENT, useWorld } from './harness.js';
import { leaveWritesUnanswered } from './faults-on-the-way.js';

/** Ann does not hear of what Ben does. */
describeInBrowser('undoing a change about which there was a conflict', () => {
  const stage = useWorld(new KeptTab(false));
  const { dialog } = stage;
  let page: Page;
  let shipment: Shipment;
  let round = 0;

  const said = (text: string) => page.getByRole('status').getByText(text, { exact: false }).last().waitFor();
  const undo = () => page.getByRole('status').getByRole('button', { name: 'Undo', exact: true });
  const open = async (view: string) => {
    await stage.open(view);
    ({ page } = stage);
  };
  beforeEach(async () => {
    shipment = await stage.ben.shipments.create({ ...SHIPMENT, shipmentType: `Disputed ${(round += 1)}.` });
  });

  describe('of a date', () => {
    const stored = async () => (await stage.ben.shipments.get(shipment.id)).deliveryDate;
    const decide = async (side: RegExp) => {
      await dialog().getByRole('radio', { name: side }).check();
      await dialog().getByRole('button', { name: 'Save', exact: true }).click();
    };

    /** Ann drags the shipment to March 17 after Ben has changed its date to March 19. */
    beforeEach(async () => {
      await open('/calendar?by=delivery&span=week&day=2027-03-20');
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

  describe('of many shipments', () => {
    let others: Shipment[];
    const weights = async () => {
      const { items } = await stage.ben.shipments
        .list({ shipmentType: shipment.shipmentType, sort: 'createdAt' })
        .page();
      return items.map(({ estimatedWeight }) => estimatedWeight);
    };
    const button = (name: string) => dialog().getByRole('button', { name, exact: true });

    const change = async () => {
      others = [];
      for (const estimatedWeight of [4600, 4700]) {
        const values = { ...SHIPMENT, shipmentType: shipment.shipmentType, estimatedWeight };
        others.push(await stage.ben.shipments.create(values));
      }
      await open(`/list?${String(new URLSearchParams({ shipmentType: shipment.shipmentType }))}`);
      await page.getByRole('row').nth(3).waitFor();
      await page.getByRole('checkbox', { name: 'Select all matching shipments' }).click();
      await page.getByRole('button', { name: 'Change a field…' }).click();
      await dialog().getByLabel('Field', { exact: true }).selectOption('Estimated weight');
      await dialog().getByLabel('New value for all', { exact: true }).fill('7000');
      await button('Set estimated weight to 7,000 lb').click();
      await dialog().getByText('3 changed.').waitFor();
    };

    test('gives each its own value back, in one request', async () => {
      await change();
      await button('Close').click();
      const sent: unknown[] = [];
      page.on('request', (request) => {
        if (request.url().endsWith('/bulk')) sent.push(request.postDataJSON());
      });
      await undo().click();
      await said('The change of 3 shipments was undone.');
      expect(await weights()).toEqual([4500, 4600, 4700]);
      expect(sent).toMatchObject([{ atomic: false, items: [{ op: 'update' }, { op: 'update' }, { op: 'update' }] }]);
    });

    test('reports those that somebody changed meanwhile, and writes over none of them', async () => {
      await change();
      const [first, second] = others;
      await stage.ben.shipments.update(first?.id ?? '', { estimatedWeight: 7100 });
      await stage.ben.shipments.update(second?.id ?? '', { customerRemarks: 'Loaded.' });
      await button('Undo').click();
      await dialog().getByText('1 changed, 2 not changed.').waitFor();
      expect(await accessibilityFaults(page, 'undo-many')).toEqual([]);
      expect(await weights()).toEqual([4500, 7100, 7000]);
      await dialog()
        .getByRole('group')
        .filter({ hasText: '7,100 lb' })
        .getByRole('radio', { name: /^Theirs/ })
        .check();
      await dialog().getByRole('group').filter({ hasText: 'Loaded.' }).getByRole('radio', { name: /^Mine/ }).check();
      await button('Save').click();
      await said('The change of 2 shipments was undone.');
      expect(await weights()).toEqual([4500, 7100, 4700]);
    });

    test('is found out after a reload that came before the answer', async () => {
      await change();
      await button('Close').click();
      const { done } = await leaveWritesUnanswered(page, '**/v1/shipments/bulk');
      await undo().click();
      await done;
      await page.reload();
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await stage.world.signIn(page, await stage.world.token('Ann'));
      await page.getByText('A change of 3 shipments was interrupted: 0 changed, 3 unknown.').waitFor();
      await page.getByRole('button', { name: 'Show report' }).click();
      await button('Try again').click();
      await said('The change of 3 shipments was undone.');
      expect(await weights()).toEqual([4500, 4600, 4700]);
    });
  });
});
