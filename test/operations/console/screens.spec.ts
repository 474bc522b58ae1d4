import type { WaybillClient } from '@waybill/client';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../../support/repository/browser.js';
import { fillBoard } from './fill-board.js';
import { accessibilityFaults, Stage, useWorld } from './harness.js';

describeInBrowser('the screens of the console', () => {
  const stage = useWorld(new Stage());
  let ben: WaybillClient;
  let carla: WaybillClient;
  let id: string;
  let page: Page;

  beforeAll(async () => {
    [ben, carla] = await Promise.all([stage.world.colleague('Ben Okafor'), stage.world.colleague('Carla Diaz')]);
    id = await fillBoard(ben, carla);
  });

  const show = async (view: string): Promise<void> => {
    await page.goto(`${stage.world.service.url}/console${view}`);
    await stage.world.signIn(page, await stage.world.token('Ann Porter'));
    await page.getByText('Live', { exact: true }).waitFor();
  };
  const link = (name: string) => page.getByRole('link', { name, exact: true });
  const isAccessible = async (name?: string) => expect(await accessibilityFaults(page, name)).toEqual([]);
  /** What is behind a modal dialog has been judged before it opened. */
  const isAccessibleInDialog = async (name?: string) => {
    await page.getByRole('dialog').waitFor();
    expect(await accessibilityFaults(page, name, 'dialog[open]')).toEqual([]);
  };

  describe.each([
    [1440, 'front'],
    [390, 'garden'],
  ])('light and dark, %i pixels wide', (width, door) => {
    beforeEach(async () => {
      const isPhone = width < 600;
      const viewport = { width, height: isPhone ? 844 : 900 };
      page = await stage.world.tab(await stage.world.context({ viewport, hasTouch: isPhone }));
    });

    test('have no accessibility fault that axe-core finds', async () => {
      await page.goto(`${stage.world.service.url}/console/board`);
      await page.getByLabel('Token', { exact: true }).waitFor();
      await isAccessible('sign-in');

      await stage.world.signIn(page, await stage.world.token('Ann Porter'));
      await page.getByText('Live', { exact: true }).waitFor();
      await page.getByRole('article').first().waitFor();
      await isAccessible('board');
      await page
        .getByRole('button', { name: /^Change status of / })
        .first()
        .click();
      await isAccessibleInDialog('status');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
      await isAccessibleInDialog();
      await page.keyboard.press('Escape');

      await link('List').click();
      await page.getByRole('row').nth(3).waitFor();
      await isAccessible('list');
      for (const row of [1, 3]) await page.getByRole('row').nth(row).getByRole('checkbox').check();
      await page.getByRole('button', { name: 'Change status…' }).click();
      await page.getByRole('dialog').getByRole('radio').first().waitFor();
      await isAccessible('many');

      await show(`/shipments/${id}`);
      await page.getByText('Created the shipment').waitFor();
      await page.getByRole('button', { name: 'Remove PACK' }).waitFor();
      await isAccessible('shipment');
      await page.getByRole('button', { name: 'Remove PACK' }).click();
      await isAccessibleInDialog();
      await page.keyboard.press('Escape');
      await page.getByRole('link', { name: 'Edit Mia Lopez' }).click();
      await page.getByLabel('First name', { exact: true }).waitFor();
      await isAccessible('agent');
      await page.goBack();

      const { move } = await ben.shipments.get(id, { expand: ['move'] });
      await link(move.moveCode).click();
      await page.getByText('Created the move').waitFor();
      await isAccessible('move');
    });

    test('have none on Today, in the calendar and on a waybill', async () => {
      await show('');
      await page.getByText('Show as a table').waitFor();
      await isAccessible('today');
      await page.getByText('Show as a table').click();
      await isAccessible();

      await link('Calendar').click();
      await page.getByRole('button', { name: 'Delivery', exact: true }).click();
      for (const [span, days] of [
        ['Week', 7],
        ['Month', 28],
      ] as const) {
        await page.getByRole('button', { name: span, exact: true }).click();
        await page
          .locator('[data-day]')
          .nth(days - 1)
          .waitFor();
        await page.getByRole('article').first().waitFor();
        await isAccessible(`calendar-${span.toLowerCase()}`);
        await page
          .getByRole('button', { name: /^Change date of / })
          .first()
          .click();
        await isAccessibleInDialog();
        await page.keyboard.press('Escape');
      }

      await show(`/shipments/${id}/print`);
      await page.getByRole('article').waitFor();
      await isAccessible('waybill');
    });

    test('have none with the form and the conflict dialog open', async () => {
      await show(`/shipments/${id}/edit`);
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
      await isAccessible('edit');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('0 of 2 decided').waitFor();
      await page.getByRole('group', { name: 'Delivery date' }).getByRole('radio', { name: /^You/ }).check();
      await isAccessibleInDialog('conflict');
    });

    test('have none where a file is imported', async () => {
      await show('/imports');
      await page.getByRole('heading', { name: 'Import shipments' }).waitFor();
      await isAccessible('import');
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
      await isAccessible('dry-run');
      await page.getByRole('button', { name: 'Apply 3 rows' }).click();
      await page.getByText('Merged', { exact: true }).waitFor();
      await isAccessible('result');
    });

    test('have none with the report of many changes open', async () => {
      await show('/list');
      for (const row of [1, 2, 3]) await page.getByRole('row').nth(row).getByRole('checkbox').check();
      await page.getByRole('button', { name: 'Change a field…' }).click();
      await page.getByLabel('Field', { exact: true }).selectOption('Actual weight');
      await page.getByLabel('New value for all', { exact: true }).fill('4321');
      await isAccessibleInDialog('field');
      const { items } = await ben.shipments.list({ limit: 2 }).page();
      const [changed, deleted] = items;
      if (!changed || !deleted) throw new Error('There are too few shipments');
      await ben.shipments.update(changed.id, { actualWeight: 1000 + width });
      await ben.shipments.delete(deleted.id);
      await page.getByRole('button', { name: 'Set actual weight to 4,321 lb' }).click();
      await page.getByText('1 changed, 2 not changed.').waitFor();
      await isAccessibleInDialog('report');
    });
  });
});
