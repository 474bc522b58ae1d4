import type { WaybillClient } from '@waybill/client';
import type { BrowserContext, Page } from 'playwright-core';
import { describeInBrowser } from '../../support/repository/browser.js';
import { fillBoard } from './fill-board.js';
import { accessibilityFaults, Stage, useWorld } from './harness.js';

describeInBrowser('the screens of the console', () => {
  const stage = useWorld(new Stage());
  let ben: WaybillClient;
  let carla: WaybillClient;
  let id: string;
  let context: BrowserContext;

  beforeAll(async () => {
    [ben, carla] = await Promise.all([stage.world.colleague('Ben Okafor'), stage.world.colleague('Carla Diaz')]);
    id = await fillBoard(ben, carla);
  });

  const show = async (view: string): Promise<Page> => {
    const page = await stage.world.open(context, view, await stage.world.token('Ann Porter'));
    await page.getByText('Live', { exact: true }).waitFor();
    return page;
  };

  describe.each([
    [1440, 'front'],
    [390, 'garden'],
  ])('light and dark, %i pixels wide', (width, door) => {
    beforeEach(async () => {
      const isPhone = width < 600;
      context = await stage.world.context({ viewport: { width, height: isPhone ? 844 : 900 }, hasTouch: isPhone });
    });

    test('have no accessibility fault that axe-core finds', async () => {
      const signIn = await stage.world.tab(context);
      await signIn.goto(`${stage.world.service.url}/console`);
      await signIn.getByLabel('Token', { exact: true }).waitFor();
      expect(await accessibilityFaults(signIn, 'sign-in')).toEqual([]);

      const board = await show('/board');
      await board.getByRole('article').first().waitFor();
      expect(await accessibilityFaults(board, 'board')).toEqual([]);
      await board
        .getByRole('button', { name: /^Change status of / })
        .first()
        .click();
      expect(await accessibilityFaults(board, 'status')).toEqual([]);
      await board.keyboard.press('Escape');
      await board.getByRole('button', { name: 'Keyboard shortcuts' }).click();
      expect(await accessibilityFaults(board)).toEqual([]);

      const list = await show('/list');
      await list.getByRole('row').nth(3).waitFor();
      expect(await accessibilityFaults(list, 'list')).toEqual([]);
      for (const row of [1, 3]) await list.getByRole('row').nth(row).getByRole('checkbox').check();
      await list.getByRole('button', { name: 'Change status…' }).click();
      await list.getByRole('dialog').getByRole('radio').first().waitFor();
      expect(await accessibilityFaults(list, 'many')).toEqual([]);

      const shipment = await show(`/shipments/${id}`);
      await shipment.getByText('Created the shipment').waitFor();
      await shipment.getByRole('button', { name: 'Remove PACK' }).waitFor();
      expect(await accessibilityFaults(shipment, 'shipment')).toEqual([]);
      await shipment.getByRole('button', { name: 'Remove PACK' }).click();
      expect(await accessibilityFaults(shipment)).toEqual([]);
      await shipment.keyboard.press('Escape');
      await shipment.getByRole('link', { name: 'Edit Mia Lopez' }).click();
      await shipment.getByLabel('First name', { exact: true }).waitFor();
      expect(await accessibilityFaults(shipment, 'agent')).toEqual([]);

      const { moveID } = await ben.shipments.get(id);
      const move = await show(`/moves/${moveID}`);
      await move.getByText('Created the move').waitFor();
      expect(await accessibilityFaults(move, 'move')).toEqual([]);
    });

    test('have none on Today, in the calendar and on a waybill', async () => {
      const today = await show('');
      await today.getByText('Show as a table').waitFor();
      expect(await accessibilityFaults(today, 'today')).toEqual([]);
      await today.getByText('Show as a table').click();
      expect(await accessibilityFaults(today)).toEqual([]);

      for (const span of ['week', 'month']) {
        const calendar = await show(`/calendar?by=delivery&span=${span}`);
        await calendar.getByRole('article').first().waitFor();
        expect(await accessibilityFaults(calendar, `calendar-${span}`)).toEqual([]);
        await calendar
          .getByRole('button', { name: /^Change date of / })
          .first()
          .click();
        await calendar.getByRole('dialog').waitFor();
        expect(await accessibilityFaults(calendar)).toEqual([]);
      }

      const waybill = await show(`/shipments/${id}/print`);
      await waybill.getByRole('article').waitFor();
      expect(await accessibilityFaults(waybill, 'waybill')).toEqual([]);
    });

    test('have none with the form and the conflict dialog open', async () => {
      const page = await show(`/shipments/${id}/edit`);
      const [theirs, mine] = [`2027-04-0${1 + Math.floor(Math.random() * 8)}`, '2027-04-11'];
      await page.getByLabel('Delivery date', { exact: true }).fill(mine);
      await page.getByLabel('Actual weight lb', { exact: true }).fill('4800');
      await page
        .getByLabel('Customer remarks', { exact: true })
        .fill('The piano stays upright. Please ring three times at the side door.');
      await ben.shipments.update(id, {
        deliveryDate: theirs === (await ben.shipments.get(id)).deliveryDate ? '2027-04-10' : theirs,
        customerRemarks: `The piano stays upright. Please ring twice at the ${door} door.`,
        estimatedWeight: 4700 + width,
      });
      await page
        .getByText(/You can choose when you save/)
        .first()
        .waitFor();
      expect(await accessibilityFaults(page, 'edit')).toEqual([]);
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('0 of 2 decided').waitFor();
      await page.getByRole('group', { name: 'Delivery date' }).getByRole('radio', { name: /^You/ }).check();
      expect(await accessibilityFaults(page, 'conflict')).toEqual([]);
    });

    test('have none where a file is imported', async () => {
      const page = await show('/imports');
      await page.getByRole('heading', { name: 'Import shipments' }).waitFor();
      expect(await accessibilityFaults(page, 'import')).toEqual([]);
      const [one, other] = (await ben.shipments.list({ limit: 2 }).page()).items;
      if (!one || !other) throw new Error('There are too few shipments');
      await carla.shipments.update(one.id, { estimatedWeight: 3000 + width });
      await carla.shipments.update(other.id, { actualWeight: 3000 + width });
      const lines = [
        ...[one, other].map(({ id: shipmentID, eTag }) => `${shipmentID},${eTag},Household goods,5000,2027-05-01`),
        ...[',,Boat,7000,2027-05-02', ',,Car,a lot,2027-02-30', ',,Storage,2500,2027-05-04'],
      ];
      const text = ['id,eTag,shipmentType,estimatedWeight,deliveryDate', ...lines].join('\n');
      await page
        .getByLabel('Choose a file')
        .setInputFiles({ name: 'lunch.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
      await page.getByText('To merge', { exact: true }).waitFor();
      expect(await accessibilityFaults(page, 'dry-run')).toEqual([]);
      await page.getByRole('button', { name: 'Apply 3 rows' }).click();
      await page.getByText('Merged', { exact: true }).waitFor();
      expect(await accessibilityFaults(page, 'result')).toEqual([]);
    });

    test('have none with the report of many changes open', async () => {
      const page = await show('/list');
      for (const row of [1, 2, 3]) await page.getByRole('row').nth(row).getByRole('checkbox').check();
      await page.getByRole('button', { name: 'Change a field…' }).click();
      await page.getByLabel('Field', { exact: true }).selectOption('Actual weight');
      await page.getByLabel('New value for all', { exact: true }).fill('4321');
      expect(await accessibilityFaults(page, 'field')).toEqual([]);
      const { items } = await ben.shipments.list({ limit: 2 }).page();
      const [changed, deleted] = items;
      if (!changed || !deleted) throw new Error('There are too few shipments');
      await ben.shipments.update(changed.id, { actualWeight: 1000 + width });
      await ben.shipments.delete(deleted.id);
      await page.getByRole('button', { name: 'Set actual weight to 4,321 lb' }).click();
      await page.getByText('1 changed, 2 not changed.').waitFor();
      expect(await accessibilityFaults(page, 'report')).toEqual([]);
    });
  });
});
