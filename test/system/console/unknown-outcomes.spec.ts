import type { Page } from 'playwright-core';
import { describeInBrowser } from '../../support/repository/browser.js';
import { disturbWrites, OUTCOME_UNKNOWN, UNAVAILABLE } from './faults-on-the-way.js';
import { KeptTab, SHIPMENT, useWorld } from './harness.js';

describeInBrowser('a write of which nobody knows whether it was done', () => {
  const stage = useWorld(new KeptTab(false));
  const { field, save, dialog } = stage;
  let id: string;
  let page: Page;

  beforeEach(async () => {
    ({ id } = await stage.ben.shipments.create(SHIPMENT));
  });

  /** Ann does not hear of her own write by the stream either. */
  const open = async (view: string) => {
    await stage.open(view);
    ({ page } = stage);
  };
  const isUnknown = () => page.getByText(/^This may not have been saved\./).waitFor();
  const services = async () => (await stage.ben.shipments.get(id, { expand: ['services'] })).services;
  const statusChanges = async () => {
    const { items } = await stage.ben.shipments.history(id).page();
    return items.filter(
      ({ changes, type }) => type !== 'created' && changes.some(({ field: name }) => name === 'status'),
    );
  };

  test('a service that met 503 UNAVAILABLE after a lost answer is added once, and the screen says what is known', async () => {
    await open(`/shipments/${id}/services/new`);
    await field('Code').fill('PACK');
    await disturbWrites(page, '**/services', 'answer lost', UNAVAILABLE);
    await save();
    await isUnknown();
    await page.unrouteAll();
    await save();
    await page.getByText(/^Saved\./).waitFor();
    expect(await services()).toMatchObject([{ code: 'PACK' }]);
  });

  test('a service that was corrected meanwhile is still added once, with the correction', async () => {
    await open(`/shipments/${id}/services/new`);
    await field('Code').fill('PACK');
    await disturbWrites(page, '**/services', OUTCOME_UNKNOWN);
    await save();
    await isUnknown();
    await page.unrouteAll();
    await field('Description').fill('The whole house');
    await save();
    await page.getByText(/^Saved\./).waitFor();
    expect(await services()).toMatchObject([{ code: 'PACK', description: 'The whole house' }]);
  });

  test('503 UNAVAILABLE alone is said to have saved nothing', async () => {
    await open(`/shipments/${id}/edit`);
    await field('Customer remarks').fill('Twenty boxes more.');
    await disturbWrites(page, '**/v1/shipments/*', UNAVAILABLE);
    await save();
    await page.getByText(/^Not saved\./).waitFor();
  });

  test('a move whose answer was lost is made once, and then said to be made', async () => {
    await open(`/shipments/${id}`);
    await page.getByRole('button', { name: 'Change status…' }).click();
    await dialog().getByRole('radio', { name: 'Approved' }).check();
    await disturbWrites(page, '**/updateStatus', OUTCOME_UNKNOWN);
    await dialog().getByRole('button', { name: 'Change to Approved' }).click();
    await dialog()
      .getByText(/^This may not have been changed\./)
      .waitFor();
    await page.unrouteAll();
    await dialog().getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Status changed to Approved.').waitFor();
    expect(await statusChanges()).toHaveLength(1);
  });

  test('a card that was dragged is moved once, too', async () => {
    await stage.ben.shipments.update(id, { shipmentType: 'Dragged' });
    await stage.ben.shipments.updateStatus(id, { status: 'APPROVED' });
    await open('/board');
    const column = (name: string) => page.getByRole('region', { name, exact: true });
    await disturbWrites(page, '**/updateStatus', 'answer lost');
    await column('Approved').getByRole('article').filter({ hasText: 'Dragged' }).dragTo(column('Diversion requested'));
    await dialog()
      .getByText(/^This may not have been changed\./)
      .waitFor();
    await page.unrouteAll();
    await dialog().getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Status changed to Diversion requested.').waitFor();
    expect(await statusChanges()).toHaveLength(2);
  });

  test('a removal whose answer was lost is said to be hers', async () => {
    await stage.ben.services.create(id, { code: 'PACK' });
    await open(`/shipments/${id}`);
    await page.getByRole('button', { name: 'Remove PACK' }).click();
    await disturbWrites(page, '**/v1/services/*', 'answer lost', UNAVAILABLE);
    await dialog().getByRole('button', { name: 'Remove', exact: true }).click();
    await dialog()
      .getByText(/^This may not have been removed\./)
      .waitFor();
    await page.unrouteAll();
    await dialog().getByRole('button', { name: 'Try again' }).click();
    await page.getByText('PACK was removed.').waitFor();
    expect(await services()).toEqual([]);
  });

  test('many moves whose answer was lost are made once, and then said to be made', async () => {
    const type = `Lost ${id}`;
    for (let count = 0; count < 2; count += 1) await stage.ben.shipments.create({ ...SHIPMENT, shipmentType: type });
    await open(`/list?${String(new URLSearchParams({ shipmentType: type }))}`);
    await page.getByRole('row').nth(2).waitFor();
    await page.getByRole('checkbox', { name: 'Select all matching shipments' }).click();
    await page.getByRole('button', { name: 'Change status…' }).click();
    await dialog()
      .getByRole('radio', { name: /^Approved/ })
      .check();
    await disturbWrites(page, '**/v1/shipments/bulk', 'answer lost');
    await dialog().getByRole('button', { name: 'Change 2 to Approved' }).click();
    await dialog().getByText('0 changed, 2 unknown.').waitFor();
    await page.unrouteAll();
    await dialog().getByRole('button', { name: 'Try again', exact: true }).click();
    await dialog().getByText('2 changed.').waitFor();
  });

  test('a file whose answer was lost is one import', async () => {
    await open('/imports');
    await disturbWrites(page, '**/v1/imports*', 'answer lost', UNAVAILABLE);
    const buffer = Buffer.from('shipmentType\nUploaded once\n');
    await page.getByLabel('Choose a file', { exact: true }).setInputFiles({ name: 'one.csv', mimeType: '', buffer });
    await page.getByText(/^This may not have been uploaded\./).waitFor();
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Review import' }).waitFor();
    const { rows } = await stage.world.service.sql.query('SELECT count(*)::int AS imports FROM imports');
    expect(rows).toEqual([{ imports: 1 }]);
  });
});
