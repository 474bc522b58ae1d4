import type { WaybillClient } from '@waybill/client';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../../support/repository/browser.js';
import { fillBoard } from './fill-board.js';
import { accessibilityFaults, goTo, Stage, useWorld } from './harness.js';

/** The page behind a modal dialog is checked before the dialog opens. */
const DIALOG = 'dialog[open]';

describeInBrowser('the screens of the console', () => {
  const stage = useWorld(new Stage());
  let ben: WaybillClient;
  let carla: WaybillClient;
  let id: string;
  let page: Page;
  const faults: string[] = [];

  beforeAll(async () => {
    [ben, carla] = await Promise.all([stage.world.colleague('Ben Okafor'), stage.world.colleague('Carla Diaz')]);
    id = await fillBoard(ben, carla);
  });

  const link = (name: string) => page.getByRole('link', { name, exact: true });
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const field = (name: string) => page.getByLabel(name, { exact: true });
  /** A screen also on a phone: only style sheets depend on the width. */
  const judge = async (name: string, part?: string) => {
    if (part !== undefined) await page.locator(part).waitFor();
    for (const width of part === undefined ? [390, 1440] : [1440]) {
      await page.setViewportSize({ width, height: 900 });
      faults.push(...(await accessibilityFaults(page, name, part)).map((fault) => `${name}, ${width}: ${fault}`));
    }
  };
  const select = async (...rows: number[]) => {
    for (const row of rows) await page.getByRole('row').nth(row).getByRole('checkbox').check();
  };

  async function judgeBoardAndList(): Promise<void> {
    await page.getByRole('article').first().waitFor();
    await judge('board');
    await button(/^Change status of /)
      .first()
      .click();
    await judge('status', DIALOG);
    await page.keyboard.press('Escape');
    await button('Keyboard shortcuts').click();
    await judge('shortcuts', DIALOG);
    await page.keyboard.press('Escape');

    await link('List').click();
    await page.getByRole('row').nth(3).waitFor();
    await judge('list');
    await select(1, 3);
    await button('Change status…').click();
    await page.getByRole('dialog').getByRole('radio').first().waitFor();
    await judge('many');
    await page.keyboard.press('Escape');
  }

  async function judgeReport(): Promise<void> {
    await select(1, 2, 3);
    await button('Change a field…').click();
    await field('Field').selectOption('Actual weight');
    await field('New value for all').fill('4321');
    await judge('field', DIALOG);
    const [changed, deleted] = (await ben.shipments.list({ limit: 2 }).page()).items;
    if (!changed || !deleted) throw new Error('There are too few shipments');
    await ben.shipments.update(changed.id, { actualWeight: 1000 });
    await ben.shipments.delete(deleted.id);
    await button('Set actual weight to 4,321 lb').click();
    await page.getByText('1 changed, 2 not changed.').waitFor();
    await judge('report', DIALOG);
    await page.keyboard.press('Escape');
  }

  async function judgeDays(): Promise<void> {
    await link('Today').click();
    await page.getByText('Show as a table').waitFor();
    await judge('today');
    await page.getByText('Show as a table').click();
    await judge('table', 'details[open]');

    await link('Calendar').click();
    await button('Delivery').click();
    for (const [span, days] of [
      ['Week', 7],
      ['Month', 28],
    ] as const) {
      await button(span).click();
      await page
        .locator('[data-day]')
        .nth(days - 1)
        .waitFor();
      await page.getByRole('article').first().waitFor();
      await judge(`calendar-${span.toLowerCase()}`);
    }
    await button(/^Change date of /)
      .first()
      .click();
    await judge('change-date', DIALOG);
    await page.keyboard.press('Escape');
  }

  async function judgeRecords(): Promise<void> {
    await goTo(page, `/shipments/${id}`);
    await page.getByText('Created the shipment').waitFor();
    await button('Remove PACK').waitFor();
    await judge('shipment');
    await button('Remove PACK').click();
    await judge('remove', DIALOG);
    await page.keyboard.press('Escape');
    await link('Edit Mia Lopez').click();
    await field('First name').waitFor();
    await judge('agent');
    await page.goBack();

    const { move } = await ben.shipments.get(id, { expand: ['move'] });
    await link(move.moveCode).click();
    await page.getByText('Created the move').waitFor();
    await judge('move');
    await goTo(page, `/shipments/${id}/print`);
    await page.getByRole('article').waitFor();
    await judge('waybill');
  }

  async function judgeConflict(): Promise<void> {
    await goTo(page, `/shipments/${id}/edit`);
    await field('Delivery date').fill('2027-04-11');
    await field('Actual weight lb').fill('4800');
    await field('Customer remarks').fill('The piano stays upright. Please ring three times at the side door.');
    await ben.shipments.update(id, {
      deliveryDate: '2027-04-02',
      customerRemarks: 'The piano stays upright. Please ring twice at the front door.',
      estimatedWeight: 4750,
    });
    await page
      .getByText(/You can choose when you save/)
      .first()
      .waitFor();
    await judge('edit');
    await button('Save').click();
    await page.getByText('0 of 2 decided').waitFor();
    await page.getByRole('group', { name: 'Delivery date' }).getByRole('radio', { name: /^You/ }).check();
    await judge('conflict', DIALOG);
    await page.keyboard.press('Escape');
  }

  async function judgeImport(): Promise<void> {
    await goTo(page, '/imports');
    await page.getByRole('heading', { name: 'Import shipments' }).waitFor();
    await judge('import');
    const [one, other] = (await ben.shipments.list({ limit: 2 }).page()).items;
    if (!one || !other) throw new Error('There are too few shipments');
    await carla.shipments.update(one.id, { estimatedWeight: 3000 });
    await carla.shipments.update(other.id, { actualWeight: 3000 });
    const lines = [
      ...[one, other].map(({ id: shipmentID, eTag }) => `${shipmentID},${eTag},Household goods,5000,2027-05-01`),
      ...[',,Boat,7000,2027-05-02', ',,Car,a lot,2027-02-30', ',,Storage,2500,2027-05-04'],
    ];
    const text = ['id,eTag,shipmentType,estimatedWeight,deliveryDate', ...lines].join('\n');
    await page
      .getByLabel('Choose a file')
      .setInputFiles({ name: 'lunch.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    await page.getByText('To merge', { exact: true }).waitFor();
    await judge('dry-run');
    await button('Apply 3 rows').click();
    await page.getByText('Merged', { exact: true }).waitFor();
    await judge('result');
  }

  test('have no accessibility fault that axe-core finds, on a phone and on a wide screen', async () => {
    page = await stage.world.tab(await stage.world.context());
    await page.goto(`${stage.world.service.url}/console/board`);
    await field('Token').waitFor();
    await judge('sign-in');
    await stage.world.signIn(page, await stage.world.token('Ann Porter'));
    await page.getByText('Live', { exact: true }).waitFor();
    await judgeBoardAndList();
    await judgeReport();
    await judgeDays();
    await judgeRecords();
    await judgeConflict();
    await judgeImport();
    expect(faults).toEqual([]);
  });
});
