import { readFileSync } from 'node:fs';
import type { Shipment } from '@waybill/client';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../../support/repository/browser.js';
import { KeptTab, SHIPMENT, useWorld } from './harness.js';

describeInBrowser('many shipments at once', () => {
  const stage = useWorld(new KeptTab(false));
  const { dialog } = stage;
  let page: Page;
  let round = 0;
  let type: string;
  let shipments: Shipment[];

  /** Ann sees so many shipments of a type of their own, and does not hear of what Ben does. */
  async function openWith(count: number): Promise<void> {
    type = `Many ${(round += 1)}`;
    shipments = [];
    for (let index = 0; index < count; index += 1) {
      const deliveryDate = `2027-04-0${index + 1}`;
      shipments.push(await stage.ben.shipments.create({ ...SHIPMENT, shipmentType: type, deliveryDate }));
    }
    await openList();
  }

  async function openList(): Promise<void> {
    await stage.open(`/list?${String(new URLSearchParams({ shipmentType: type, sort: 'deliveryDate' }))}`);
    ({ page } = stage);
    await page.getByRole('row').filter({ hasText: type }).first().waitFor();
  }

  const box = (index: number) =>
    page
      .getByRole('row')
      .nth(index + 1)
      .getByRole('checkbox');
  const button = (name: string) => dialog().getByRole('button', { name, exact: true });
  const stored = async () =>
    (await stage.ben.shipments.list({ shipmentType: type, sort: 'deliveryDate' }).page()).items;
  const setWeight = async (pounds: string) => {
    await page.getByRole('button', { name: 'Change a field…' }).click();
    await dialog().getByLabel('Field', { exact: true }).selectOption('Estimated weight');
    await dialog().getByLabel('New value for all', { exact: true }).fill(pounds);
    await button(`Set estimated weight to ${Number(pounds).toLocaleString('en-US')} lb`).click();
  };

  test('are selected one by one and with Shift, and moved where each of them can go', async () => {
    await openWith(5);
    await stage.ben.shipments.updateStatus(shipments[4]?.id ?? '', { status: 'CANCELED' });
    await page.reload();
    await stage.world.signIn(page, await stage.world.token('Ann'));
    await box(0).check();
    await box(2).click({ modifiers: ['Shift'] });
    await page.getByText(/^3 of \d+ selected$/).waitFor();
    await box(1).uncheck();
    await box(4).check();
    await page.getByRole('button', { name: 'Change status…' }).click();
    await dialog()
      .getByRole('radio', { name: /^Approved 2 of 3/ })
      .check();
    await button('Change 2 to Approved').click();
    await dialog().getByText('2 changed.').waitFor();
    await button('Close').click();
    expect((await stored()).map(({ status }) => status)).toEqual([
      'APPROVED',
      'SUBMITTED',
      'APPROVED',
      'SUBMITTED',
      'CANCELED',
    ]);
    await page.getByRole('row').nth(1).getByText('Approved').waitFor();
  });

  test('all that match are selected or exported, also those that were not loaded yet, and nothing else', async () => {
    type = 'More than a page';
    const lines = Array.from({ length: 130 }, (_, index) => `${type},${index + 1}`);
    const { id: importID } = await stage.ben.imports.upload(['shipmentType,estimatedWeight', ...lines].join('\n'));
    await stage.ben.imports.apply(importID);
    await stage.ben.imports.wait(importID);
    await openList();
    await page.getByRole('button', { name: 'Export list' }).click();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'For a spreadsheet' }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/^shipments-\d{4}-\d\d-\d\d\.csv$/);
    const [head, ...exported] = readFileSync(await file.path(), 'utf8')
      .trimEnd()
      .split('\r\n');
    expect(head).toMatch(/^\uFEFFid,shipmentCode,moveID,.*,eTag/);
    await page.getByRole('checkbox', { name: 'Select all matching shipments' }).click();
    await page.getByText('130 of 130 selected').waitFor();
    await setWeight('7000');
    await dialog().getByText('130 changed.').waitFor();
    await button('Close').click();
    const all: Shipment[] = [];
    for await (const each of stage.ben.shipments.list({ shipmentType: type })) all.push(each);
    expect(all.filter(({ estimatedWeight }) => estimatedWeight !== 7000)).toEqual([]);
    expect(exported.map((line) => line.split(',')[0]).sort()).toEqual(all.map(({ id }) => id).sort());
  });

  test('changes to other fields are merged; conflicts are shown with their authors and resolved', async () => {
    await openWith(4);
    await page.getByRole('checkbox', { name: 'Select all matching shipments' }).click();
    const [first, second, third] = shipments;
    if (!first || !second || !third) throw new Error('There are too few shipments');
    await stage.ben.shipments.update(first, { customerRemarks: 'No piano.' });
    await stage.ben.shipments.update(second, { estimatedWeight: 5200 });
    await stage.ben.shipments.update(third, { estimatedWeight: 5300 });
    await setWeight('7000');
    await dialog().getByRole('heading', { name: 'Partly done' }).waitFor();
    await dialog().getByText('2 changed, 2 not changed.').waitFor();
    const asked = dialog().getByRole('group').filter({ hasText: '5,200 lb' });
    expect(await asked.innerText()).toMatch(/Ben, .+: Estimated weight 4,500 lb → 5,200 lb/);
    expect(await dialog().getByRole('radio', { checked: true }).count()).toBe(0);
    expect(await button('Save').isDisabled()).toBe(true);
    await asked.getByRole('radio', { name: /^Theirs/ }).check();
    await dialog().getByRole('group').filter({ hasText: '5,300 lb' }).getByRole('radio', { name: /^Mine/ }).check();
    await button('Save').click();
    await dialog().getByText('3 changed.').waitFor();
    const now = await stored();
    expect(now.map(({ estimatedWeight }) => estimatedWeight)).toEqual([7000, 5200, 7000, 7000]);
    expect(now[0]?.customerRemarks).toBe('No piano.');
  });

  test('a third change while she decides is shown before it is written over', async () => {
    await openWith(1);
    const [shipment] = shipments;
    if (!shipment) throw new Error('There is no shipment');
    await box(0).check();
    await stage.ben.shipments.update(shipment, { estimatedWeight: 5200 });
    await setWeight('7000');
    await dialog().getByRole('radio', { name: /^Mine/ }).check();
    await stage.ben.shipments.update(shipment.id, { estimatedWeight: 5900 });
    await button('Save').click();
    await dialog()
      .getByText(/^Ben, .+: Estimated weight 5,200 lb → 5,900 lb$/)
      .waitFor();
    expect((await stage.ben.shipments.get(shipment.id)).estimatedWeight).toBe(5900);
  });

  test('one that was deleted and one that cannot go there any more are named', async () => {
    await openWith(3);
    await page.getByRole('checkbox', { name: 'Select all matching shipments' }).click();
    const [first, second] = shipments;
    if (!first || !second) throw new Error('There are too few shipments');
    await stage.ben.shipments.delete(first.id);
    await stage.ben.shipments.updateStatus(second, { status: 'CANCELED' });
    await page.getByRole('button', { name: 'Change status…' }).click();
    await dialog()
      .getByRole('radio', { name: /^Approved/ })
      .check();
    await button('Change 3 to Approved').click();
    await dialog().getByText('1 changed, 2 not changed.').waitFor();
    await dialog().getByText('It has been deleted.').waitFor();
    await dialog().getByText('Its status can no longer change from Canceled to Approved.').waitFor();
    await dialog()
      .getByText(/^Ben, .+: Status Submitted → Canceled$/)
      .waitFor();
  });

  test('nothing is lost when the service does not answer: it can be tried again', async () => {
    await openWith(2);
    await page.getByRole('checkbox', { name: 'Select all matching shipments' }).click();
    await page.route('**/v1/shipments/bulk', (route) => route.abort());
    await setWeight('7000');
    await dialog().getByRole('heading', { name: 'Not finished' }).waitFor();
    expect((await stored()).map(({ estimatedWeight }) => estimatedWeight)).toEqual([4500, 4500]);
    await page.unrouteAll();
    await button('Try again').click();
    await dialog().getByText('2 changed.').waitFor();
    expect((await stored()).map(({ estimatedWeight }) => estimatedWeight)).toEqual([7000, 7000]);
  });
});
