import { describeInBrowser } from '../../support/repository/browser.js';
import { day } from './fill-board.js';
import { Stage, useWorld } from './harness.js';

describeInBrowser('the first day with the console', () => {
  const stage = useWorld(new Stage());

  test('a move of two shipments is created, edited against a colleague, printed and found, with a finger, on a phone', async () => {
    const { world, ben } = stage;
    const context = await world.context({ viewport: { width: 390, height: 844 }, hasTouch: true });
    const page = await world.open(context, '', await world.token('Ann'));
    const field = (name: string) => page.getByRole('form').getByLabel(name, { exact: true });
    const weight = () => page.getByRole('form').getByLabel('Estimated weight');
    const follow = (name: string) => page.getByRole('link', { name, exact: true }).tap();
    const create = () => page.getByRole('form').getByRole('button', { name: 'Create shipment' }).tap();

    await page.getByRole('heading', { name: 'Welcome to Waybill' }).waitFor();
    await follow('Create a shipment');
    await field('Type').fill('Piano');
    await field('Pickup date').fill(day(0));
    await weight().fill('500');
    await create();
    await page.getByRole('heading', { name: /Piano$/ }).waitFor();
    const [piano] = (await ben.shipments.list({ shipmentType: 'Piano', expand: ['move'] }).page()).items;
    if (piano?.move === undefined) throw new Error('Nothing was created');

    await follow(piano.move.moveCode);
    await follow('Add shipment');
    await field('Type').fill('Boat');
    await create();
    await page.getByRole('heading', { name: /-02 Boat$/ }).waitFor();

    await follow(piano.move.moveCode);
    const shipments = page.getByRole('table', { name: 'Shipments' });
    await shipments.getByRole('row').filter({ hasText: 'Boat' }).getByRole('link').waitFor();
    await shipments.getByRole('row').filter({ hasText: 'Piano' }).getByRole('link').tap();
    await follow('Edit');
    await weight().fill('600');
    await ben.shipments.update(piano.id, { estimatedWeight: 550 });
    await page.getByRole('form').getByRole('button', { name: 'Save', exact: true }).tap();
    const dialog = page.getByRole('dialog', { name: 'Ben changed the same field' });
    await dialog.getByRole('group', { name: 'Estimated weight' }).getByRole('radio', { name: 'You' }).check();
    await dialog.getByRole('button', { name: 'Save', exact: true }).tap();
    await page.getByText(/^Saved[.,]/).waitFor();
    const { estimatedWeight, shipmentCode } = await ben.shipments.get(piano.id);
    expect(estimatedWeight).toBe(600);

    await follow('Print waybill');
    await page.getByRole('article', { name: `Waybill ${shipmentCode}` }).waitFor();
    await follow('Today');
    const due = page.locator('section', { has: page.getByRole('heading', { name: 'Due today', exact: true }) });
    await due.getByRole('link', { name: '1 to pick up' }).tap();
    await page.getByRole('row').nth(1).waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
    await page.getByRole('row').getByRole('link', { name: shipmentCode }).tap();
    await page.getByRole('heading', { name: `${shipmentCode} Piano` }).waitFor();
  });
});
