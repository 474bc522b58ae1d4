import type { Page } from 'playwright-core';
import { eventually } from '../../support/races/eventually.js';
import { describeInBrowser } from '../../support/repository/browser.js';
import { accessibilityFaults, SHIPMENT, Stage, useWorld } from './harness.js';

describeInBrowser('two tabs of one person', () => {
  const stage = useWorld(new Stage());
  let tabs: [Page, Page];

  const token = () => stage.world.token('Ann');
  const form = (page: Page) => page.getByRole('form');
  const field = (page: Page, name: string) => form(page).getByLabel(name, { exact: true });
  const open = async (view: string) => {
    const context = await stage.world.context();
    tabs = [await stage.world.open(context, view, await token()), await stage.world.open(context, view, await token())];
    for (const tab of tabs) await form(tab).waitFor();
    return tabs;
  };
  const reload = async (page: Page) => {
    await page.reload();
    await stage.world.signIn(page, await token());
    await form(page).waitFor();
  };

  test('edit the same shipment without destroying what the other one typed', async () => {
    const { id } = await stage.ben.shipments.create(SHIPMENT);
    const [one, other] = await open(`/shipments/${id}/edit`);
    await field(one, 'Customer remarks').fill('Typed in one tab.');
    await field(other, 'Estimated weight lb').fill('7000');
    await other.getByText('You are editing this in another tab, too.').waitFor();
    expect(await accessibilityFaults(other, 'edited-in-two-tabs')).toEqual([]);
    await form(other).getByRole('button', { name: 'Save', exact: true }).click();
    await other.getByText(/^Saved\./).waitFor();
    await reload(one);
    expect(await field(one, 'Customer remarks').inputValue()).toBe('Typed in one tab.');
    await form(one).getByRole('button', { name: 'Save', exact: true }).click();
    await one.getByText(/^Saved/).waitFor();
    expect(await stage.ben.shipments.get(id)).toMatchObject({
      ...{ customerRemarks: 'Typed in one tab.', estimatedWeight: 7000 },
    });
  });

  test('create two shipments at the same time', async () => {
    const [one, other] = await open('/shipments/new');
    await field(one, 'Type').fill('First tab');
    await field(other, 'Type').fill('Second tab');
    await form(one).getByRole('button', { name: 'Add service' }).click();
    await form(one).getByRole('group', { name: 'Service 1' }).getByLabel('Code').fill('PACK');
    await form(other).getByRole('button', { name: 'Create shipment' }).click();
    await other.getByText(/^Created [0-9A-Z]{6}-/).waitFor();
    await reload(one);
    expect(await field(one, 'Type').inputValue()).toBe('First tab');
    expect(await form(one).getByRole('group', { name: 'Service 1' }).getByLabel('Code').inputValue()).toBe('PACK');
    await form(one).getByRole('button', { name: 'Create shipment' }).click();
    await one.getByText(/^Created [0-9A-Z]{6}-/).waitFor();
    const { items } = await stage.ben.shipments.list({ limit: 2, expand: ['services'] }).page();
    expect(items).toMatchObject([
      { shipmentType: 'First tab', services: [{ code: 'PACK' }] },
      { shipmentType: 'Second tab', services: [] },
    ]);
  });

  test('hand over a draft when one of them is closed', async () => {
    const { id } = await stage.ben.shipments.create(SHIPMENT);
    const [one, other] = await open(`/shipments/${id}/edit`);
    await field(one, 'Customer remarks').fill('Typed in a tab that was closed.');
    await one.close();
    // The browser needs a moment to notice that the tab is gone.
    const isHandedOver = async () => {
      await reload(other);
      return (await field(other, 'Customer remarks').inputValue()) === 'Typed in a tab that was closed.';
    };
    await eventually(isHandedOver, 30_000, 'the draft is handed over');
  });
});
