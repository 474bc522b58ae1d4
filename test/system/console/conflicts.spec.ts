import type { Locator } from 'playwright-core';
import { describeInBrowser } from '../../support/repository/browser.js';
import { accessibilityFaults, HOME, KeptTab, SHIPMENT, useWorld } from './harness.js';

/** Ann has the form of a shipment open, and does not hear of what Ben does until she saves. */
const stage = new KeptTab(false);
let id: string;

const collision = (name: string): Locator => stage.dialog().getByRole('group', { name, exact: true });
const saveDecided = () => stage.dialog().getByRole('button', { name: 'Save', exact: true }).click();
const stored = () => stage.ben.shipments.get(id);

describeInBrowser('conflicts in the console', () => {
  useWorld(stage);

  beforeEach(async () => {
    ({ id } = await stage.ben.shipments.create(SHIPMENT));
    await stage.open(`/shipments/${id}/edit`);
    await stage.page.getByLabel('Customer remarks').waitFor();
  });

  describe('the dialog', () => {
    test('does not open when the changes are disjoint: both are stored, and she is told', async () => {
      await stage.field('Estimated weight lb').fill('5000');
      await stage.ben.shipments.update(id, { customerRemarks: 'No piano.' });
      await stage.save();
      await stage.page.getByText('Saved. Ben also changed customer remarks.').waitFor();
      expect(await stored()).toMatchObject({ estimatedWeight: 5000, customerRemarks: 'No piano.' });
    });

    test('asks for one field that both changed, with nothing chosen beforehand', async () => {
      await stage.field('Delivery date').fill('2027-03-28');
      await stage.ben.shipments.update(id, { deliveryDate: '2027-03-24' });
      await stage.save();
      await stage.dialog().getByRole('heading', { name: 'Ben changed the same field' }).waitFor();
      const asked = collision('Delivery date');
      expect(await asked.innerText()).toMatch(
        /When you started\s+Mar 20, 2027\s+Ben .+\s+Mar 24, 2027\s+You\s+Mar 28, 2027/,
      );
      expect(await asked.getByRole('radio', { checked: true }).count()).toBe(0);
      expect(await stage.dialog().getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
      expect((await stored()).deliveryDate).toBe('2027-03-24');
      await asked.getByRole('radio', { name: /^You/ }).check();
      await stage.dialog().getByText('1 of 1 decided').waitFor();
      await saveDecided();
      await stage.isSaved();
      expect((await stored()).deliveryDate).toBe('2027-03-28');
    });

    test('asks for an address as a whole when one side removed it', async () => {
      await stage.field('Street').nth(1).fill('10 Harbor Road');
      await stage.ben.shipments.update(id, { destinationAddress: null });
      await stage.save();
      await collision('Destination address').getByRole('radio', { name: /^You/ }).check();
      await saveDecided();
      await stage.isSaved();
      expect((await stored()).destinationAddress).toMatchObject({
        streetAddress1: '10 Harbor Road',
        city: 'Norfolk',
      });
    });

    test('counts three decisions, of which one is written by hand', async () => {
      await stage.field('Delivery date').fill('2027-03-28');
      await stage.field('Estimated weight lb').fill('5000');
      await stage.field('Type').fill('NTS');
      await stage.ben.shipments.update(id, {
        deliveryDate: '2027-03-24',
        estimatedWeight: 4800,
        shipmentType: 'UB',
      });
      await stage.save();
      await stage.dialog().getByText('0 of 3 decided').waitFor();
      await collision('Type').getByRole('radio', { name: /^Ben/ }).check();
      await collision('Delivery date').getByRole('radio', { name: /^You/ }).check();
      await stage.dialog().getByText('2 of 3 decided').waitFor();
      await collision('Estimated weight').getByLabel('Result').fill('4900');
      await stage.dialog().getByText('3 of 3 decided').waitFor();
      await saveDecided();
      await stage.isSaved();
      expect(await stored()).toMatchObject({
        shipmentType: 'UB',
        deliveryDate: '2027-03-28',
        estimatedWeight: 4900,
      });
    });

    test('decides everything for one side, until the other is chosen', async () => {
      await stage.field('Delivery date').fill('2027-03-28');
      await stage.field('Estimated weight lb').fill('5000');
      await stage.ben.shipments.update(id, { deliveryDate: '2027-03-24', estimatedWeight: 4800 });
      await stage.save();
      await stage.dialog().getByRole('button', { name: 'Use all mine' }).click();
      await stage.dialog().getByText('2 of 2 decided').waitFor();
      expect(await stage.dialog().getByRole('radio', { name: /^You/, checked: true }).count()).toBe(2);
      await stage.dialog().getByRole('button', { name: 'Use all theirs' }).click();
      await saveDecided();
      await stage.isSaved();
      expect(await stored()).toMatchObject({ deliveryDate: '2027-03-24', estimatedWeight: 4800 });
    });

    test('shows long texts word by word, and lets the result be edited', async () => {
      await stage.field('Customer remarks').fill('The piano stays upright. Please ring three times at the side door.');
      await stage.ben.shipments.update(id, {
        customerRemarks: 'The piano stays upright. Please ring twice at the front door.',
      });
      await stage.save();
      const remarks = collision('Customer remarks');
      await remarks.waitFor();
      expect(await remarks.locator('del').allInnerTexts()).toEqual(['side', 'twice']);
      expect(await remarks.locator('ins').allInnerTexts()).toEqual(['front', 'three times']);
      await remarks.getByRole('radio', { name: /^You/ }).check();
      await remarks.getByLabel('Result').fill('Ring three times at the front door.');
      await saveDecided();
      await stage.isSaved();
      expect((await stored()).customerRemarks).toBe('Ring three times at the front door.');
    });

    test('a second 412 keeps what was decided and asks only for the new', async () => {
      await stage.field('Delivery date').fill('2027-03-28');
      await stage.field('Estimated weight lb').fill('5000');
      await stage.ben.shipments.update(id, { deliveryDate: '2027-03-24', estimatedWeight: 4800 });
      await stage.save();
      await stage.dialog().getByRole('button', { name: 'Use all mine' }).click();
      await stage.ben.shipments.update(id, { estimatedWeight: 4850 });
      await saveDecided();
      await stage.dialog().getByText('0 of 1 decided').waitFor();
      await stage
        .dialog()
        .getByText(/changed again while you were deciding/)
        .waitFor();
      expect(await collision('Estimated weight').innerText()).toMatch(/4,800 lb\s+Ben .+\s+4,850 lb\s+You\s+5,000 lb/);
      await collision('Estimated weight').getByRole('radio', { name: /^Ben/ }).check();
      await saveDecided();
      await stage.isSaved();
      expect(await stored()).toMatchObject({ deliveryDate: '2027-03-28', estimatedWeight: 4850 });
    });
  });

  describe('a save that meets more than another value', () => {
    test('shows that the record was deleted and by whom, and keeps her edits', async () => {
      await stage.field('Customer remarks').fill('Twenty boxes more.');
      await stage.ben.shipments.delete(id);
      await stage.save();
      await stage.dialog().getByRole('heading', { name: 'This shipment was deleted' }).waitFor();
      expect(await accessibilityFaults(stage.page, 'deleted')).toEqual([]);
      await stage
        .dialog()
        .getByText(/^Ben deleted it/)
        .waitFor();
      await stage.dialog().getByText('Twenty boxes more.').waitFor();
      await stage.dialog().getByRole('button', { name: 'Keep draft' }).click();
      expect(await stage.field('Customer remarks').inputValue()).toBe('Twenty boxes more.');
    });

    test('says so when she may no longer write, and keeps what she typed', async () => {
      await stage.field('Customer remarks').fill('Twenty boxes more.');
      const reader = await stage.world.token('Ann', { scope: 'shipments:read' });
      await stage.page.route('**/v1/shipments/*', (route, request) =>
        route.continue({ headers: { ...request.headers(), authorization: `Bearer ${reader}` } }),
      );
      await stage.save();
      await stage.dialog().getByRole('heading', { name: 'You are not allowed to save this' }).waitFor();
      expect(await accessibilityFaults(stage.page, 'forbidden')).toEqual([]);
      await stage.dialog().getByRole('button', { name: 'Keep draft' }).click();
      expect(await stage.field('Customer remarks').inputValue()).toBe('Twenty boxes more.');
    });

    test('continues after the connection was lost and restored', async () => {
      await stage.field('Delivery date').fill('2027-03-28');
      await stage.page.context().setOffline(true);
      await stage.page.getByText(/^Offline since/).waitFor();
      await stage.save();
      await stage.page.getByText(/^This may not have been saved\./).waitFor();
      await stage.ben.shipments.update(id, { deliveryDate: '2027-03-24' });
      await stage.page.context().setOffline(false);
      await stage.save();
      await collision('Delivery date').getByRole('radio', { name: /^You/ }).check();
      await saveDecided();
      await stage.isSaved();
      expect((await stored()).deliveryDate).toBe('2027-03-28');
    });

    test('waits for her to sign in again when the token has expired, and continues', async () => {
      await stage.field('Delivery date').fill('2027-03-28');
      await stage.ben.shipments.update(id, { deliveryDate: '2027-03-24' });
      const expired = await stage.world.token('Ann', { expires: -60 });
      let isExpired = true;
      await stage.page.route('**/v1/shipments/*', (route, request) =>
        isExpired && request.method() === 'PATCH'
          ? route.continue({ headers: { ...request.headers(), authorization: `Bearer ${expired}` } })
          : route.continue(),
      );
      await stage.save();
      await stage.page.getByRole('heading', { name: 'Sign in again' }).waitFor();
      expect(await accessibilityFaults(stage.page, 'sign-in-again')).toEqual([]);
      isExpired = false;
      await stage.world.signIn(stage.page, await stage.world.token('Ann', { expires: 7200 }));
      await collision('Delivery date').getByRole('radio', { name: /^You/ }).check();
      await saveDecided();
      await stage.isSaved();
      expect((await stored()).deliveryDate).toBe('2027-03-28');
    });

    test('names her own other tab', async () => {
      await stage.field('Delivery date').fill('2027-03-28');
      const other = await stage.world.open(
        stage.page.context(),
        `/shipments/${id}/edit`,
        await stage.world.token('Ann'),
      );
      await other.getByRole('form').getByLabel('Delivery date', { exact: true }).fill('2027-03-22');
      await other.getByRole('form').getByRole('button', { name: 'Save', exact: true }).click();
      await other.getByText(/^Saved\./).waitFor();
      await stage.save();
      await stage.dialog().getByRole('heading', { name: 'You, in another tab, changed the same field' }).waitFor();
      await collision('Delivery date')
        .getByRole('radio', { name: /^You, here/ })
        .check();
      await saveDecided();
      await stage.isSaved();
      expect((await stored()).deliveryDate).toBe('2027-03-28');
    });

    test('a move that meets a 412 says who changed what, and offers what is left', async () => {
      const raced = await stage.ben.shipments.create({ ...SHIPMENT, shipmentType: 'Raced' });
      const overtaken = await stage.ben.shipments.create({ ...SHIPMENT, shipmentType: 'Overtaken' });
      await stage.open('/board');
      const { page } = stage;
      const dialog = stage.dialog();
      const column = (name: string) => page.getByRole('region', { name, exact: true });
      const card = (name: string, type: string) => column(name).getByRole('article').filter({ hasText: type });
      await card('Submitted', 'Raced').waitFor();
      await stage.ben.shipments.update(raced, { deliveryDate: '2027-03-24' });
      await stage.ben.shipments.updateStatus(overtaken, { status: 'APPROVED' });
      await card('Submitted', 'Overtaken')
        .getByRole('button', { name: /^Change status of / })
        .click();
      await dialog.getByRole('radio', { name: 'Canceled' }).check();
      await dialog.getByRole('button', { name: 'Change to Canceled' }).click();
      await dialog.getByText('Its status can no longer change from Approved to Canceled.').waitFor();
      await dialog.getByRole('radio', { name: 'Cancellation requested' }).check();
      await dialog.getByRole('button', { name: 'Change to Cancellation requested' }).click();
      await page.getByText('Status changed to Cancellation requested.').waitFor();
      expect((await stage.ben.shipments.get(overtaken.id)).status).toBe('CANCELLATION_REQUESTED');

      await card('Submitted', 'Raced').dragTo(column('Approved'));
      await dialog.getByRole('button', { name: 'Change to Approved' }).click();
      await dialog.getByText(/Ben, .+: Delivery date Mar 20, 2027 → Mar 24, 2027/).waitFor();
      expect((await stage.ben.shipments.get(raced.id)).status).toBe('SUBMITTED');
      await dialog.getByRole('button', { name: 'Change to Approved' }).click();
      await card('Approved', 'Raced').waitFor();
      expect((await stage.ben.shipments.get(raced.id)).status).toBe('APPROVED');
    });

    test('is left with Esc without losing anything, and never sends If-Match: *', async () => {
      const matches: (string | undefined)[] = [];
      stage.page.on('request', (request) => {
        if (request.method() === 'PATCH') matches.push(request.headers()['if-match']);
      });
      await stage.field('Street').nth(0).fill('2 Main Street');
      await stage.ben.shipments.update(id, { pickupAddress: { ...HOME, streetAddress1: '3 Main Street' } });
      await stage.save();
      await collision('Pickup address').getByRole('radio', { name: /^You/ }).check();
      await stage.page.keyboard.press('Escape');
      expect(await stage.field('Street').nth(0).inputValue()).toBe('2 Main Street');
      await stage.save();
      await stage.dialog().getByText('1 of 1 decided').waitFor();
      await saveDecided();
      await stage.isSaved();
      expect((await stored()).pickupAddress?.streetAddress1).toBe('2 Main Street');
      expect(matches).toHaveLength(3);
      expect(matches.every((match) => /^[0-9a-f]{64}$/.test(match ?? ''))).toBe(true);
    });
  });
});
