import type { Locator, Page } from 'playwright-core';
import { eventually } from '../../support/races/eventually.js';
import { describeInBrowser } from '../../support/repository/browser.js';
import { KeptTab, SHIPMENT, useWorld } from './harness.js';
import { hasFocus, Keyboard } from './keyboard.js';

describeInBrowser('by keyboard alone', () => {
  const stage = useWorld(new KeptTab(true));
  const { field, dialog } = stage;
  let page: Page;
  let keys: Keyboard;

  async function openAt(view: string): Promise<void> {
    await stage.open(view);
    ({ page } = stage);
    keys = new Keyboard(page);
    await page.getByText('Live', { exact: true }).waitFor();
  }

  const column = (name: string) => page.getByRole('region', { name, exact: true });
  const card = (name: string, type: string) => column(name).getByRole('article').filter({ hasText: type });
  const isFocused = (target: Locator) => eventually(() => hasFocus(target), 90_000, `the focus on ${String(target)}`);

  test('the list of shortcuts opens with ?, and Esc gives the focus back', async () => {
    await openAt('/list');
    const type = page.getByRole('checkbox', { name: 'Submitted' });
    await keys.tabTo(type);
    await keys.press('?');
    await dialog().getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor();
    await keys.press('Escape');
    await isFocused(type);
  });

  test('a card is moved, and keeps the focus in its new column', async () => {
    const { id } = await stage.ben.shipments.create({ ...SHIPMENT, shipmentType: 'First', deliveryDate: '2027-03-02' });
    await stage.ben.shipments.create({ ...SHIPMENT, shipmentType: 'Second', deliveryDate: '2027-03-03' });
    await openAt('/board');
    await keys.tabTo(card('Submitted', 'First').getByRole('link'));
    await keys.press('ArrowDown');
    await isFocused(card('Submitted', 'Second').getByRole('link'));
    await keys.press('ArrowUp', 'm');
    await keys.chooseRadio(dialog(), 'Approved');
    await keys.choose(dialog().getByRole('button', { name: 'Change to Approved' }));
    await isFocused(card('Approved', 'First').getByRole('link'));
    expect((await stage.ben.shipments.get(id)).status).toBe('APPROVED');
  });

  test('the list is filtered, sorted, walked through and opened', async () => {
    for (const deliveryDate of ['2027-05-02', '2027-05-01']) {
      await stage.ben.shipments.create({ ...SHIPMENT, shipmentType: 'Walked', deliveryDate });
    }
    await openAt('/board');
    await keys.press('l');
    await keys.tabTo(page.getByRole('checkbox', { name: 'Submitted' }));
    await keys.press('Space');
    await keys.tabTo(page.getByLabel('Type', { exact: true }));
    await keys.write('Walked');
    await keys.tabTo(page.getByRole('combobox', { name: 'Sort' }));
    await page.keyboard.type('Delivery, e');
    const search = '?status=SUBMITTED&shipmentType=Walked&sort=deliveryDate';
    await eventually(() => new URL(page.url()).search === search, 90_000, search);
    const rows = page.getByRole('row').filter({ hasText: 'Walked' });
    await rows.nth(1).waitFor();
    await keys.tabTo(rows.nth(0).getByRole('link'));
    await keys.press('ArrowDown', 'Enter');
    await page.getByRole('heading', { name: /Walked$/ }).waitFor();
    await page.getByText('May 2, 2027').first().waitFor();
  });

  test('a former version is opened and restored', async () => {
    const { id } = await stage.ben.shipments.create(SHIPMENT);
    await stage.ben.shipments.update(id, { estimatedWeight: 9000 });
    await openAt(`/shipments/${id}`);
    await keys.choose(page.getByRole('link', { name: /as it was then/ }).nth(1));
    await keys.tabTo(page.getByRole('button', { name: 'Restore these values…' }), 'Shift+Tab');
    await keys.press('Enter');
    await isFocused(field('Type'));
    expect(await field('Estimated weight lb').inputValue()).toBe('4500');
    await keys.press('Control+Enter');
    await page.getByText(/^Saved\./).waitFor();
    expect((await stage.ben.shipments.get(id)).estimatedWeight).toBe(4500);
  });

  test('a form is filled in, left with Esc, taken up again and saved', async () => {
    const { id } = await stage.ben.shipments.create(SHIPMENT);
    await openAt(`/shipments/${id}`);
    await page.getByRole('link', { name: 'Edit', exact: true }).waitFor();
    await keys.press('e');
    await keys.tabTo(field('Customer remarks'));
    await keys.write('Two flights of stairs.');
    await keys.press('Escape');
    await keys.choose(page.getByRole('link', { name: 'Continue editing' }));
    await keys.choose(page.getByRole('button', { name: 'Save', exact: true }));
    await page.getByText(/^Saved\./).waitFor();
    expect((await stage.ben.shipments.get(id)).customerRemarks).toBe('Two flights of stairs.');
  });

  test('a conflict is settled to the end', async () => {
    const { id } = await stage.ben.shipments.create(SHIPMENT);
    await openAt(`/shipments/${id}/edit`);
    await keys.tabTo(field('Delivery date'));
    await keys.writeDate('03282027');
    await keys.tabTo(field('Estimated weight lb'));
    await keys.write('5000');
    await stage.ben.shipments.update(id, { deliveryDate: '2027-03-24', estimatedWeight: 4800 });
    await page
      .getByText(/You can choose when you save/)
      .nth(1)
      .waitFor();
    await keys.press('Control+Enter');
    await dialog().getByText('0 of 2 decided').waitFor();
    await keys.chooseRadio(dialog().getByRole('group', { name: 'Delivery date', exact: true }), /^You/);
    await keys.tabTo(dialog().getByRole('group', { name: 'Estimated weight', exact: true }).getByLabel('Result'));
    await keys.write('4900');
    await dialog().getByText('2 of 2 decided').waitFor();
    await keys.choose(dialog().getByRole('button', { name: 'Save', exact: true }));
    await page.getByText(/^Saved\./).waitFor();
    expect(await stage.ben.shipments.get(id)).toMatchObject({ deliveryDate: '2027-03-28', estimatedWeight: 4900 });
  });

  test('an agent is added, edited and removed', async () => {
    const { id } = await stage.ben.shipments.create(SHIPMENT);
    await openAt(`/shipments/${id}`);
    await keys.choose(page.getByRole('link', { name: 'Add agent' }));
    await isFocused(field('Role'));
    await page.keyboard.type('Rec');
    await keys.tabTo(field('First name'));
    await keys.write('Mia');
    await keys.tabTo(field('Phone'));
    await keys.write('555-0100');
    await keys.press('Control+Enter');
    await keys.choose(page.getByRole('link', { name: 'Edit Mia' }));
    await keys.tabTo(field('Phone'));
    await keys.write('555-0199');
    await keys.press('Control+Enter');
    await page.getByText('555-0199').first().waitFor();
    const read = async () => (await stage.ben.shipments.get(id, { expand: ['agents'] })).agents;
    expect(await read()).toMatchObject([{ agentType: 'RECEIVING_AGENT', firstName: 'Mia', phone: '555-0199' }]);
    await keys.choose(page.getByRole('button', { name: 'Remove Mia' }));
    await keys.choose(dialog().getByRole('button', { name: 'Remove', exact: true }));
    await page.getByText('Mia was removed.').waitFor();
    expect(await read()).toEqual([]);
  });

  test('rows are selected and moved together', async () => {
    for (const deliveryDate of ['2027-06-01', '2027-06-02', '2027-06-03']) {
      await stage.ben.shipments.create({ ...SHIPMENT, shipmentType: 'Together', deliveryDate });
    }
    await openAt('/list?shipmentType=Together&sort=deliveryDate');
    const rows = page.getByRole('row').filter({ hasText: 'Together' });
    await rows.nth(2).waitFor();
    await keys.tabTo(rows.nth(0).getByRole('link'));
    await keys.press('x', 'Shift+ArrowDown');
    await page.getByText(/^2 of \d+ selected$/).waitFor();
    await keys.tabTo(page.getByRole('button', { name: 'Change status…' }), 'Shift+Tab');
    await keys.press('Enter');
    await keys.chooseRadio(dialog(), /^Approved/);
    await keys.choose(dialog().getByRole('button', { name: 'Change 2 to Approved' }));
    await dialog().getByText('2 changed.').waitFor();
    await keys.choose(dialog().getByRole('button', { name: 'Close' }));
    const { items } = await stage.ben.shipments.list({ shipmentType: 'Together', sort: 'deliveryDate' }).page();
    expect(items.map(({ status }) => status)).toEqual(['APPROVED', 'APPROVED', 'SUBMITTED']);
  });
});
