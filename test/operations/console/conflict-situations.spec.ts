import { describeInBrowser } from '../../support/repository/browser.js';
import { useConflictStage } from './conflict-stage.js';
import { accessibilityFaults, HOME, SHIPMENT } from './harness.js';

describeInBrowser('a save that meets more than another value', () => {
  const stage = useConflictStage();

  test('shows that the record was deleted and by whom, and keeps her edits', async () => {
    await stage.field('Customer remarks').fill('Twenty boxes more.');
    await stage.ben.shipments.delete(stage.id);
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

  test('asks again when the status has changed, even without conflicts', async () => {
    await stage.field('Customer remarks').fill('Twenty boxes more.');
    await stage.ben.shipments.updateStatus(stage.id, { status: 'CANCELED' });
    await stage.save();
    await stage.dialog().getByRole('heading', { name: 'The status has changed' }).waitFor();
    await stage
      .dialog()
      .getByText(/Ben changed the status from Submitted to Canceled/)
      .waitFor();
    expect((await stage.stored()).customerRemarks).toBe(SHIPMENT.customerRemarks);
    await stage.dialog().getByRole('button', { name: 'Save my changes anyway' }).click();
    await stage.isSaved();
    expect((await stage.stored()).customerRemarks).toBe('Twenty boxes more.');
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
    await stage.ben.shipments.update(stage.id, { deliveryDate: '2027-03-24' });
    await stage.page.context().setOffline(false);
    await stage.save();
    await stage.collision('Delivery date').getByRole('radio', { name: /^You/ }).check();
    await stage.saveDecided();
    await stage.isSaved();
    expect((await stage.stored()).deliveryDate).toBe('2027-03-28');
  });

  test('waits for her to sign in again when the token has expired, and continues', async () => {
    await stage.field('Delivery date').fill('2027-03-28');
    await stage.ben.shipments.update(stage.id, { deliveryDate: '2027-03-24' });
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
    await stage.collision('Delivery date').getByRole('radio', { name: /^You/ }).check();
    await stage.saveDecided();
    await stage.isSaved();
    expect((await stage.stored()).deliveryDate).toBe('2027-03-28');
  });

  test('names her own other tab', async () => {
    await stage.field('Delivery date').fill('2027-03-28');
    const other = await stage.world.open(
      stage.page.context(),
      `/shipments/${stage.id}/edit`,
      await stage.world.token('Ann'),
    );
    await other.getByRole('form').getByLabel('Delivery date', { exact: true }).fill('2027-03-22');
    await other.getByRole('form').getByRole('button', { name: 'Save', exact: true }).click();
    await other.getByText(/^Saved\./).waitFor();
    await stage.save();
    await stage.dialog().getByRole('heading', { name: 'You, in another tab, changed the same field' }).waitFor();
    await stage
      .collision('Delivery date')
      .getByRole('radio', { name: /^You, here/ })
      .check();
    await stage.saveDecided();
    await stage.isSaved();
    expect((await stage.stored()).deliveryDate).toBe('2027-03-28');
  });

  test('is left with Esc without losing anything, and never sends If-Match: *', async () => {
    const matches: (string | undefined)[] = [];
    stage.page.on('request', (request) => {
      if (request.method() === 'PATCH') matches.push(request.headers()['if-match']);
    });
    await stage.field('Street').nth(0).fill('2 Main Street');
    await stage.ben.shipments.update(stage.id, { pickupAddress: { ...HOME, streetAddress1: '3 Main Street' } });
    await stage.save();
    await stage.collision('Pickup street').getByRole('radio', { name: /^You/ }).check();
    await stage.page.keyboard.press('Escape');
    expect(await stage.field('Street').nth(0).inputValue()).toBe('2 Main Street');
    await stage.save();
    await stage.dialog().getByText('1 of 1 decided').waitFor();
    await stage.saveDecided();
    await stage.isSaved();
    expect((await stage.stored()).pickupAddress?.streetAddress1).toBe('2 Main Street');
    expect(matches).toHaveLength(3);
    expect(matches.every((match) => /^[0-9a-f]{64}$/.test(match ?? ''))).toBe(true);
  });
});
