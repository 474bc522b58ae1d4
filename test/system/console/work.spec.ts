import type { Shipment } from '@waybill/client';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../../support/repository/browser.js';
import { accessibilityFaults, goTo, KeptTab, SHIPMENT, useWorld } from './harness.js';

describeInBrowser('a day with the console', () => {
  const stage = useWorld(new KeptTab(true));
  let dragged: Shipment;
  let typed: Shipment;
  let watched: Shipment;

  // The board collects what is created after it was read.
  beforeAll(async () => {
    const create = (shipmentType: string) => stage.ben.shipments.create({ ...SHIPMENT, shipmentType });
    [dragged, typed, watched] = [await create('Dragged'), await create('Typed'), await create('Watched')];
  });
  const column = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
  const card = (page: Page, name: string, type: string) =>
    column(page, name).getByRole('article').filter({ hasText: type });
  const openInTab = async (view: string) => {
    await stage.open(view);
    return stage.page;
  };
  const isLive = (page: Page) => page.getByText('Live', { exact: true }).waitFor();

  test('a card is dragged to a column that the status table allows, and to no other, and a step without a way back asks first', async () => {
    const page = await openInTab('/board');
    const sent: (string | null)[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PATCH') sent.push(request.postData());
    });
    await card(page, 'Submitted', 'Dragged').dragTo(column(page, 'In transit'));
    await card(page, 'Submitted', 'Dragged').dragTo(column(page, 'Approved'));
    await page.getByText('This cannot be undone: there is no way back to Submitted.').waitFor();
    expect(sent).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Change to Approved' }).click();
    await card(page, 'Approved', 'Dragged').waitFor();
    await page.getByText('Status changed to Approved.').waitFor();
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
    await card(page, 'Approved', 'Dragged').dragTo(column(page, 'Diversion requested'));
    await page.getByRole('button', { name: 'Undo' }).click();
    await card(page, 'Approved', 'Dragged').waitFor();
    expect(sent).toEqual(['APPROVED', 'DIVERSION_REQUESTED', 'APPROVED'].map((status) => JSON.stringify({ status })));
    expect((await stage.ben.shipments.get(dragged.id)).status).toBe('APPROVED');
  });

  test('a card is rejected by keyboard alone, with the reason that the service demands', async () => {
    const page = await openInTab('/board');
    await card(page, 'Submitted', 'Typed').getByRole('link').focus();
    await page.keyboard.press('m');
    await page.getByRole('dialog').getByRole('radio', { name: 'Rejected' }).focus();
    await page.keyboard.press('Space');
    expect(await page.getByRole('button', { name: 'Change to Rejected' }).isDisabled()).toBe(true);
    await page.keyboard.press('Tab');
    await page.keyboard.type('No room on the boat.');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Status changed to Rejected.').waitFor();
    expect(await stage.ben.shipments.get(typed.id)).toMatchObject({
      status: 'REJECTED',
      rejectionReason: 'No room on the boat.',
    });
  });

  test('what others do is collected on the board, and what somebody reads stays where it is', async () => {
    const page = await openInTab('/board');
    await isLive(page);
    await card(page, 'Submitted', 'Watched').waitFor();
    await stage.ben.shipments.updateStatus(watched, { status: 'APPROVED' });
    await stage.ben.shipments.create({ ...SHIPMENT, shipmentType: 'Brand new' });
    await card(page, 'Submitted', 'Watched').getByText('is now Approved').waitFor();
    await column(page, 'Approved').getByRole('button', { name: '1 new' }).click();
    await card(page, 'Approved', 'Watched').waitFor();
    await column(page, 'Submitted').getByRole('button', { name: '1 new, 1 gone' }).click();
    await card(page, 'Submitted', 'Brand new').waitFor();
    expect(await card(page, 'Submitted', 'Watched').count()).toBe(0);
  });

  test('a link shows the same filtered list, whose rows follow what happens', async () => {
    const shipment = await stage.ben.shipments.create({ ...SHIPMENT, shipmentType: 'Listed' });
    const page = await openInTab('/list');
    await page.getByLabel('Type', { exact: true }).fill('Listed');
    await page.getByRole('group', { name: 'Status' }).getByText('Submitted').click();
    await page.getByRole('combobox', { name: 'Sort' }).selectOption('deliveryDate');
    const row = page.getByRole('row').filter({ hasText: 'Listed' });
    await row.waitFor();
    const link = `${stage.world.service.url}/console/list?shipmentType=Listed&status=SUBMITTED&sort=deliveryDate`;
    await page.waitForURL(link);
    const other = await page.context().newPage();
    await other.goto(link);
    await stage.world.signIn(other, await stage.world.token('Ann'));
    await isLive(other);
    const same = other.getByRole('row').filter({ hasText: 'Listed' });
    await same.getByText('Mar 20, 2027').waitFor();
    await stage.ben.shipments.update(shipment, { deliveryDate: '2027-03-29' });
    await same.getByText('Mar 29, 2027').waitFor();
    await row.getByText('Mar 29, 2027').waitFor();
    await other.getByLabel('Search shipments and moves', { exact: true }).fill(shipment.id);
    await other.keyboard.press('Enter');
    await other.getByRole('heading', { name: /Listed$/ }).waitFor();
  });

  test('the timeline shows who changed what, opens an earlier version, and restores a value as an ordinary edit', async () => {
    const { id } = await stage.ben.shipments.create(SHIPMENT);
    const carla = await stage.world.colleague('Carla');
    await carla.shipments.update(id, { deliveryDate: '2027-03-28', estimatedWeight: 5000 });
    await stage.ben.shipments.update(id, { estimatedWeight: 5100 });
    const page = await openInTab(`/shipments/${id}`);
    const entry = page.getByRole('listitem').filter({ hasText: 'Carla' }).first();
    expect(await entry.innerText()).toMatch(/Carla\s.*\sDelivery date Mar 20, 2027 → Mar 28, 2027/s);
    await entry.getByRole('link', { name: /as it was then/ }).click();
    await page.getByText(/^Version of/).waitFor();
    await page.getByRole('definition').getByText('5,000 lb').waitFor();
    expect(await accessibilityFaults(page, 'former-version')).toEqual([]);
    await page.getByRole('link', { name: 'Back to current version' }).click();
    await entry.getByRole('button', { name: 'Restore Delivery date Mar 20, 2027' }).click();
    expect(await page.getByLabel('Delivery date', { exact: true }).inputValue()).toBe('2027-03-20');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText(/^Saved\./).waitFor();
    expect(await stage.ben.shipments.get(id)).toMatchObject({ deliveryDate: '2027-03-20', estimatedWeight: 5100 });
  });

  test('while she edits, untouched fields follow with a mark and touched ones do not', async () => {
    const { id } = await stage.ben.shipments.create(SHIPMENT);
    const page = await openInTab(`/shipments/${id}/edit`);
    await isLive(page);
    await page.getByLabel('Delivery date', { exact: true }).fill('2027-03-28');
    await stage.ben.shipments.update(id, { deliveryDate: '2027-03-24', estimatedWeight: 5000 });
    await page.getByText(/^Ben changed this from 4,500 lb, /).waitFor();
    await page.getByText(/^Ben changed this to Mar 24, 2027, .+ You can choose when you save\.$/).waitFor();
    expect(await page.getByLabel('Estimated weight lb', { exact: true }).inputValue()).toBe('5000');
    expect(await page.getByLabel('Delivery date', { exact: true }).inputValue()).toBe('2027-03-28');
  });

  test('the faults of a 422 stand at their fields', async () => {
    const { id } = await stage.ben.shipments.create(SHIPMENT);
    const page = await openInTab(`/shipments/${id}/edit`);
    await page.getByLabel('Estimated weight lb', { exact: true }).fill('999999999999');
    await page.getByLabel('City', { exact: true }).nth(1).fill('');
    await page.keyboard.press('Control+Enter');
    await page.getByText(/^Not saved/).waitFor();
    expect(
      await page.locator('[aria-invalid="true"]').evaluateAll((all) => all.map((each) => each.getAttribute('name'))),
    ).toEqual(['estimatedWeight', 'destinationAddress/city']);
  });

  test('a draft survives Esc and reload, and is discarded only when she says so', async () => {
    const { id } = await stage.ben.shipments.create(SHIPMENT);
    const page = await openInTab(`/shipments/${id}/edit`);
    await page.getByLabel('Customer remarks', { exact: true }).fill('Half a sentence');
    await page.keyboard.press('Escape');
    await page.getByText('You have an unsaved change').waitFor();
    await page.reload();
    await stage.world.signIn(page, await stage.world.token('Ann'));
    await page.getByRole('link', { name: 'Continue editing' }).click();
    expect(await page.getByLabel('Customer remarks', { exact: true }).inputValue()).toBe('Half a sentence');
    await page.getByRole('button', { name: 'Discard' }).click();
    expect(await page.getByLabel('Customer remarks', { exact: true }).inputValue()).toBe(SHIPMENT.customerRemarks);
  });

  test('what her scopes do not allow is not offered', async () => {
    const { id } = await stage.ben.shipments.create(SHIPMENT);
    const reader = await stage.world.token('Rita', { scope: 'shipments:read' });
    const page = await stage.world.open(await stage.world.context(), `/shipments/${id}`, reader);
    await page.getByRole('heading', { name: 'HHG' }).waitFor();
    await page.getByRole('heading', { name: 'Timeline' }).waitFor();
    expect(await page.getByRole('link', { name: 'Edit' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Change status…' }).count()).toBe(0);
    for (const name of ['Import', 'Webhooks']) expect(await page.getByRole('link', { name }).count()).toBe(0);
    const { id: importID } = await stage.ben.imports.upload('shipmentType\nHHG\n');
    await goTo(page, `/imports/${importID}`);
    await page.getByText('1 to create').waitFor();
    expect(await page.getByRole('button', { name: /^Apply/ }).count()).toBe(0);
    expect(await page.getByRole('table').count()).toBe(0);
    await goTo(page, '/imports');
    await page.getByText('You are not allowed to change shipments.').waitFor();
    await page.getByRole('link', { name: 'Board' }).click();
    await card(page, 'Submitted', 'HHG').first().waitFor();
    expect(await page.getByRole('button', { name: /^Change status of HHG/ }).count()).toBe(0);
  });
});
