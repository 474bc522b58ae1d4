import type { Shipment } from '@waybill/client';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../../support/repository/browser.js';
import { disturbWrites, leaveWritesUnanswered, UNAVAILABLE } from './faults-on-the-way.js';
import { accessibilityFaults, goTo, KeptTab, SHIPMENT, useWorld } from './harness.js';

const WEEK = '/calendar?by=delivery&span=week&day=2027-03-20';

describeInBrowser('undoing a change in the console', () => {
  const stage = useWorld(new KeptTab(true));
  const { dialog } = stage;
  let page: Page;
  let shipment: Shipment;
  let round = 0;

  beforeEach(async () => {
    shipment = await stage.ben.shipments.create({ ...SHIPMENT, shipmentType: `Undone ${(round += 1)}.` });
  });

  const open = async (view: string) => {
    await stage.open(view);
    ({ page } = stage);
  };
  const stored = () => stage.ben.shipments.get(shipment.id);
  const said = (text: string) => page.getByRole('status').getByText(text, { exact: false }).first().waitFor();
  const undo = (tab = page) => tab.getByRole('status').getByRole('button', { name: 'Undo', exact: true });
  const undoInTimeline = (fields: string, tab = page) =>
    tab.getByRole('button', { name: `Undo the change of ${fields}`, exact: true });
  const isUndone = () => said(`${shipment.shipmentCode}: the change was undone.`);
  const sentBy = (tab: Page) => {
    const sent: unknown[] = [];
    tab.on('request', (request) => {
      if (request.method() === 'PATCH') sent.push([request.headers()['if-match'], request.postData()]);
    });
    return sent;
  };

  /** Ann drags the shipment to another day. */
  const changeDate = async () => {
    await open(WEEK);
    const day = (name: string) => page.getByRole('group', { name, exact: true });
    const card = day('Saturday, March 20').getByRole('article').filter({ hasText: shipment.shipmentType });
    await card.dragTo(day('Wednesday, March 17'));
    await said('Delivery date changed to Mar 17, 2027. Saved.');
  };

  test('of a date sends back the date alone, with the version that the change produced', async () => {
    await changeDate();
    const { eTag } = await stored();
    const sent = sentBy(page);
    expect(await accessibilityFaults(page, 'undo-date', '[role="status"]')).toEqual([]);
    await undo().click();
    await isUndone();
    expect(sent).toEqual([[expect.stringContaining(eTag), '{"deliveryDate":"2027-03-20"}']]);
    expect((await stored()).deliveryDate).toBe('2027-03-20');
  });

  test('of a shipment that was deleted meanwhile offers to restore it', async () => {
    await changeDate();
    await stage.ben.shipments.delete(shipment.id);
    await undo().click();
    await dialog().getByRole('heading', { name: 'This shipment was deleted' }).waitFor();
    await dialog().getByText('Nothing was changed.').waitFor();
    await dialog().getByRole('button', { name: 'Restore…' }).click();
    await dialog().getByRole('button', { name: 'Restore', exact: true }).click();
    await said(`${shipment.shipmentCode} was restored.`);
    expect(await stored()).toMatchObject({ deliveryDate: '2027-03-17' });
  });

  test('keeps what somebody changed in another field, and asks about the same one', async () => {
    await changeDate();
    await stage.ben.shipments.update(shipment.id, { estimatedWeight: 5000 });
    await undo().click();
    await isUndone();
    await said('Ben also changed estimated weight.');
    expect(await stored()).toMatchObject({ deliveryDate: '2027-03-20', estimatedWeight: 5000 });

    await changeDate();
    const { eTag } = await stage.ben.shipments.update(shipment.id, { deliveryDate: '2027-03-19' });
    await undo().click();
    await dialog().getByRole('heading', { name: 'Ben changed the same field' }).waitFor();
    expect((await stored()).eTag).toBe(eTag);
    await page.keyboard.press('Escape');
    await said('Nothing was changed.');
    expect((await stored()).eTag).toBe(eTag);
  });

  test('of a status asks in the usual dialog if somebody changed the shipment meanwhile', async () => {
    await stage.ben.shipments.updateStatus(shipment.id, { status: 'APPROVED' });
    await open(`/shipments/${shipment.id}`);
    await page.getByRole('button', { name: 'Change status…' }).click();
    await dialog().getByRole('radio', { name: 'Diversion requested' }).check();
    await dialog().getByRole('button', { name: 'Change to Diversion requested' }).click();
    await undo().waitFor();
    await stage.ben.shipments.update(shipment.id, { estimatedWeight: 5000 });
    await undo().click();
    await dialog()
      .getByText(/^Ben, .+: Estimated weight 4,500 lb → 5,000 lb$/)
      .waitFor();
    expect((await stored()).status).toBe('DIVERSION_REQUESTED');
    await dialog().getByRole('button', { name: 'Change to Approved' }).click();
    await said('Status changed to Approved.');
    expect(await stored()).toMatchObject({ status: 'APPROVED', estimatedWeight: 5000 });
  });

  test('is offered in the timeline of every tab, and done once', async () => {
    await changeDate();
    await goTo(page, `/shipments/${shipment.id}`);
    const other = await stage.world.open(page.context(), `/shipments/${shipment.id}`, await stage.world.token('Ann'));
    await undoInTimeline('delivery date', other).click();
    await other.getByText(`${shipment.shipmentCode}: the change was undone.`).waitFor();
    const { eTag } = await stored();
    await undo().click();
    await isUndone();
    expect(await stored()).toMatchObject({ eTag, deliveryDate: '2027-03-20' });
    // The undo can be undone, but not the change once more.
    await undoInTimeline('delivery date').waitFor();
    expect(await undoInTimeline('delivery date').count()).toBe(1);
    await stage.ben.shipments.update(shipment.id, { deliveryDate: '2027-03-25' });
    await undoInTimeline('delivery date').waitFor({ state: 'detached' });
  });

  test('of a status is in the timeline, too, where the table has a way back', async () => {
    const ann = await stage.world.colleague('Ann');
    await ann.shipments.updateStatus(shipment.id, { status: 'APPROVED' });
    await ann.shipments.updateStatus(shipment.id, { status: 'CANCELLATION_REQUESTED' });
    await open(`/shipments/${shipment.id}`);
    await undoInTimeline('status').click();
    await said('Status changed to Approved.');
    expect((await stored()).status).toBe('APPROVED');
  });

  test('that the service refuses says that nothing was done', async () => {
    await changeDate();
    await disturbWrites(page, '**/v1/shipments/*', UNAVAILABLE);
    await undo().click();
    await said(`${shipment.shipmentCode}: not undone. UNAVAILABLE`);
    await page.unrouteAll();
    expect((await stored()).deliveryDate).toBe('2027-03-17');
    await goTo(page, `/shipments/${shipment.id}`);
    await undoInTimeline('delivery date').click();
    await isUndone();
  });

  test('of a tab that is closed meanwhile leaves nothing behind but its write', async () => {
    await changeDate();
    const tab = await stage.world.open(page.context(), `/shipments/${shipment.id}`, await stage.world.token('Ann'));
    const { done } = await leaveWritesUnanswered(tab, '**/v1/shipments/*');
    await undoInTimeline('delivery date', tab).click();
    await done;
    await tab.unrouteAll({ behavior: 'ignoreErrors' });
    await tab.close();
    await goTo(page, `/shipments/${shipment.id}`);
    await page.getByRole('definition').getByText('Mar 20, 2027').waitFor();
    expect(await page.getByRole('link', { name: 'Continue editing' }).count()).toBe(0);
  });
});
