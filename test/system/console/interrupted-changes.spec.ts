import type { Page } from 'playwright-core';
import { describeInBrowser } from '../../support/repository/browser.js';
import { disturbWrites, leaveWritesUnanswered } from './faults-on-the-way.js';
import { accessibilityFaults, goTo, KeptTab, SHIPMENT, useWorld } from './harness.js';

describeInBrowser('a change that was interrupted', () => {
  const stage = useWorld(new KeptTab(true));
  const { dialog } = stage;
  let page: Page;
  let type: string;
  let round = 0;

  const updates = async () => {
    const { items } = await stage.ben.shipments.list({ shipmentType: type }).page();
    return items.map(({ status }) => status);
  };

  /** Starts to approve two shipments. The service does it, and is never heard of. */
  async function approveTwo(): Promise<void> {
    type = `Interrupted ${(round += 1)}`;
    for (let count = 0; count < 2; count += 1) await stage.ben.shipments.create({ ...SHIPMENT, shipmentType: type });
    await stage.open('/board');
    ({ page } = stage);
    await page.getByRole('region', { name: 'Submitted', exact: true }).waitFor();
    await goTo(page, `/list?${String(new URLSearchParams({ shipmentType: type }))}`);
    await page.getByRole('row').nth(2).waitFor();
    await page.getByRole('checkbox', { name: 'Select all matching shipments' }).click();
    await page.getByRole('button', { name: 'Change status…' }).click();
    await dialog()
      .getByRole('radio', { name: /^Approved/ })
      .check();
    const { done } = await leaveWritesUnanswered(page, '**/v1/shipments/bulk');
    await dialog().getByRole('button', { name: 'Change 2 to Approved' }).click();
    await done;
  }

  async function findOut(): Promise<void> {
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.getByText('A change of 2 shipments was interrupted: 0 changed, 2 unknown.').waitFor();
    await page.getByRole('heading', { level: 1 }).waitFor();
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await accessibilityFaults(page, 'interrupted-change')).toEqual([]);
    }
    await page.getByRole('button', { name: 'Show report' }).click();
    await dialog().getByRole('button', { name: 'Try again', exact: true }).click();
    await dialog().getByText('2 changed.').waitFor();
    await dialog().getByRole('button', { name: 'Close', exact: true }).click();
    await page.getByText('A change of 2 shipments was interrupted', { exact: false }).waitFor({ state: 'detached' });
    expect(await updates()).toEqual(['APPROVED', 'APPROVED']);
  }

  test('many that one leaves by Back are reported, and done once', async () => {
    await approveTwo();
    await page.goBack();
    await findOut();
  });

  test('many that one leaves by a reload are reported, and done once', async () => {
    await approveTwo();
    await page.reload();
    await stage.world.signIn(page, await stage.world.token('Ann'));
    await findOut();
  });

  test('many that were done are not reported as refused once the service has forgotten their key', async () => {
    await approveTwo();
    await page.goBack();
    await stage.world.service.sql.query('DELETE FROM idempotency_keys');
    await findOut();
  });

  test('an undo can be tried again when the line is back', async () => {
    const { id } = await stage.ben.shipments.create({ ...SHIPMENT, shipmentType: 'Undone' });
    await stage.ben.shipments.updateStatus(id, { status: 'APPROVED' });
    await stage.open(`/shipments/${id}`);
    ({ page } = stage);
    await page.getByRole('button', { name: 'Change status…' }).click();
    await dialog().getByRole('radio', { name: 'Diversion requested' }).check();
    await dialog().getByRole('button', { name: 'Change to Diversion requested' }).click();
    await disturbWrites(page, '**/updateStatus', 'request lost');
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
    const again = page.getByRole('status').getByRole('button', { name: 'Try again' });
    await again.waitFor();
    await page.context().setOffline(true);
    await page.getByText(/^Offline since/).waitFor();
    await page.context().setOffline(false);
    await page.getByText('Live', { exact: true }).waitFor();
    await page.unrouteAll();
    await goTo(page, `/shipments/${id}/edit`);
    await again.click();
    await page.getByText('Status changed to Approved.').waitFor();
  });
});
