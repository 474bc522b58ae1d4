import type { WaybillClient } from '@waybill/client';
import type { Page } from 'playwright-core';
import { describeWith } from '../../support/tools.js';
import { ConsoleWorld, HOME, SHIPMENT } from './harness.js';

describeWith(['chromium'], 'the conflict dialog', () => {
  let world: ConsoleWorld;
  let ben: WaybillClient;
  let id: string;
  let page: Page;

  beforeAll(async () => {
    world = await ConsoleWorld.start();
    ben = await world.colleague('Ben');
  });
  afterAll(() => world.stop());

  /** Ann has the form open, and does not hear of what Ben does until she saves. */
  beforeEach(async () => {
    ({ id } = await ben.shipments.create(SHIPMENT));
    const context = await world.context();
    await context.route(/\/v1\/events\/stream/, (route) => route.abort());
    await context.route(/\/v1\/events\?.*wait=/, (route) => route.abort());
    page = await world.open(context, `/shipments/${id}/edit`, await world.token('Ann'));
    await page.getByLabel('Customer remarks').waitFor();
  });
  afterEach(async () => {
    expect(await world.leave()).toEqual([]);
  });

  const field = (name: string) => page.getByRole('form').getByLabel(name, { exact: true });
  const dialog = () => page.getByRole('dialog');
  const save = () => page.getByRole('form').getByRole('button', { name: 'Save', exact: true }).click();
  const saveDecided = () => dialog().getByRole('button', { name: 'Save', exact: true }).click();
  const collision = (name: string) => dialog().getByRole('group', { name, exact: true });
  const isSaved = () => page.getByText(/^Saved/).waitFor();
  const stored = () => ben.shipments.get(id);

  test('does not open when the changes are disjoint: both are stored, and she is told', async () => {
    await field('Estimated weight lb').fill('5000');
    await ben.shipments.update(id, { customerRemarks: 'No piano.' });
    await save();
    await page.getByText('Saved, together with what Ben changed meanwhile: customer remarks.').waitFor();
    expect(await stored()).toMatchObject({ estimatedWeight: 5000, customerRemarks: 'No piano.' });
  });

  test('asks for one field that both changed, with nothing chosen beforehand', async () => {
    await field('Delivery date').fill('2027-03-28');
    await ben.shipments.update(id, { deliveryDate: '2027-03-24' });
    await save();
    await dialog().getByRole('heading', { name: 'Ben changed the same field' }).waitFor();
    const asked = collision('Delivery date');
    expect(await asked.innerText()).toMatch(
      /When you began\s+Mar 20, 2027\s+Ben .+\s+Mar 24, 2027\s+You\s+Mar 28, 2027/,
    );
    expect(await asked.getByRole('radio', { checked: true }).count()).toBe(0);
    expect(await dialog().getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
    expect((await stored()).deliveryDate).toBe('2027-03-24');
    await asked.getByRole('radio', { name: /^You/ }).check();
    await dialog().getByText('1 of 1 decided').waitFor();
    await saveDecided();
    await isSaved();
    expect((await stored()).deliveryDate).toBe('2027-03-28');
  });

  test('does not open when both wrote the same value', async () => {
    await field('Actual weight lb').fill('4711');
    await ben.shipments.update(id, { actualWeight: 4711 });
    await save();
    await isSaved();
    const entries = [];
    for await (const entry of ben.shipments.history(id)) entries.push(entry);
    expect(entries.map(({ changedBy }) => changedBy)).toEqual(['Ben', 'Ben']);
  });

  test('asks for one part of an address, and merges the others', async () => {
    await field('City').nth(1).fill('Hampton');
    await field('Postal code').nth(1).fill('23666');
    await ben.shipments.update(id, { destinationAddress: { city: 'Newport News', streetAddress2: 'Pier 2' } });
    await save();
    await collision('Destination city').getByRole('radio', { name: /^Ben/ }).check();
    await dialog().getByText('2 changes that do not collide').click();
    await dialog().getByText('Ben: Destination street, line 2 none → Pier 2').waitFor();
    await dialog().getByText('You: Destination postal code 23503 → 23666').waitFor();
    await saveDecided();
    await isSaved();
    const { destinationAddress } = await stored();
    expect(destinationAddress).toMatchObject({ city: 'Newport News', postalCode: '23666', streetAddress2: 'Pier 2' });
  });

  test('asks for an address as a whole when one side removed it', async () => {
    await field('Street').nth(1).fill('10 Harbor Road');
    await ben.shipments.update(id, { destinationAddress: null });
    await save();
    await collision('Destination address').getByRole('radio', { name: /^You/ }).check();
    await saveDecided();
    await isSaved();
    expect((await stored()).destinationAddress).toMatchObject({ streetAddress1: '10 Harbor Road', city: 'Norfolk' });
  });

  test('counts three decisions, of which one is written by hand', async () => {
    await field('Delivery date').fill('2027-03-28');
    await field('Estimated weight lb').fill('5000');
    await field('Type').fill('NTS');
    await ben.shipments.update(id, { deliveryDate: '2027-03-24', estimatedWeight: 4800, shipmentType: 'UB' });
    await save();
    await dialog().getByText('0 of 3 decided').waitFor();
    await collision('Type').getByRole('radio', { name: /^Ben/ }).check();
    await collision('Delivery date').getByRole('radio', { name: /^You/ }).check();
    await dialog().getByText('2 of 3 decided').waitFor();
    await collision('Estimated weight').getByLabel('Result').fill('4900');
    await dialog().getByText('3 of 3 decided').waitFor();
    await saveDecided();
    await isSaved();
    expect(await stored()).toMatchObject({ shipmentType: 'UB', deliveryDate: '2027-03-28', estimatedWeight: 4900 });
  });

  test.each([
    ['All theirs', { deliveryDate: '2027-03-24', estimatedWeight: 4800 }],
    ['All mine', { deliveryDate: '2027-03-28', estimatedWeight: 5000 }],
  ])('decides everything by "%s"', async (button, expected) => {
    await field('Delivery date').fill('2027-03-28');
    await field('Estimated weight lb').fill('5000');
    await ben.shipments.update(id, { deliveryDate: '2027-03-24', estimatedWeight: 4800 });
    await save();
    await dialog().getByRole('button', { name: button }).click();
    await dialog().getByText('2 of 2 decided').waitFor();
    await saveDecided();
    await isSaved();
    expect(await stored()).toMatchObject(expected);
  });

  test('shows long texts word by word, and lets the result be edited', async () => {
    await field('Customer remarks').fill('The piano stays upright. Please ring three times at the side door.');
    await ben.shipments.update(id, {
      customerRemarks: 'The piano stays upright. Please ring twice at the front door.',
    });
    await save();
    const remarks = collision('Customer remarks');
    await remarks.waitFor();
    expect(await remarks.locator('del').allInnerTexts()).toEqual(['side', 'twice']);
    expect(await remarks.locator('ins').allInnerTexts()).toEqual(['front', 'three times']);
    await remarks.getByRole('radio', { name: /^You/ }).check();
    await remarks.getByLabel('Result').fill('Ring three times at the front door.');
    await saveDecided();
    await isSaved();
    expect((await stored()).customerRemarks).toBe('Ring three times at the front door.');
  });

  test('a second 412 keeps what was decided and asks only for the new', async () => {
    await field('Delivery date').fill('2027-03-28');
    await field('Estimated weight lb').fill('5000');
    await ben.shipments.update(id, { deliveryDate: '2027-03-24', estimatedWeight: 4800 });
    await save();
    await dialog().getByRole('button', { name: 'All mine' }).click();
    await ben.shipments.update(id, { estimatedWeight: 4850 });
    await saveDecided();
    await dialog().getByText('0 of 1 decided').waitFor();
    await dialog()
      .getByText(/changed once more while you decided/)
      .waitFor();
    expect(await collision('Estimated weight').innerText()).toMatch(/4,800 lb\s+Ben .+\s+4,850 lb\s+You\s+5,000 lb/);
    await collision('Estimated weight').getByRole('radio', { name: /^Ben/ }).check();
    await saveDecided();
    await isSaved();
    expect(await stored()).toMatchObject({ deliveryDate: '2027-03-28', estimatedWeight: 4850 });
  });

  test('tells that the record was deleted, by whom, and keeps what she typed', async () => {
    await field('Customer remarks').fill('Twenty boxes more.');
    await ben.shipments.delete(id);
    await save();
    await dialog().getByRole('heading', { name: 'This shipment was deleted' }).waitFor();
    await dialog()
      .getByText(/^Ben deleted it/)
      .waitFor();
    await dialog().getByText('Twenty boxes more.').waitFor();
    await dialog().getByRole('button', { name: 'Keep the draft' }).click();
    expect(await field('Customer remarks').inputValue()).toBe('Twenty boxes more.');
  });

  test('asks again when the status has moved on, though nothing collides', async () => {
    await field('Customer remarks').fill('Twenty boxes more.');
    await ben.shipments.updateStatus(id, { status: 'CANCELED' });
    await save();
    await dialog().getByRole('heading', { name: 'The shipment has moved on' }).waitFor();
    await dialog()
      .getByText(/Ben moved it from Submitted to Canceled/)
      .waitFor();
    expect((await stored()).customerRemarks).toBe(SHIPMENT.customerRemarks);
    await dialog().getByRole('button', { name: 'Save my changes all the same' }).click();
    await isSaved();
    expect((await stored()).customerRemarks).toBe('Twenty boxes more.');
  });

  test('says so when she may no longer write, and keeps what she typed', async () => {
    await field('Customer remarks').fill('Twenty boxes more.');
    const reader = await world.token('Ann', { scope: 'shipments:read' });
    await page.route('**/v1/shipments/*', (route, request) =>
      route.continue({ headers: { ...request.headers(), authorization: `Bearer ${reader}` } }),
    );
    await save();
    await dialog().getByRole('heading', { name: 'You are not allowed to save this' }).waitFor();
    await dialog().getByRole('button', { name: 'Keep the draft' }).click();
    expect(await field('Customer remarks').inputValue()).toBe('Twenty boxes more.');
  });

  test('goes on after the connection was lost and came back', async () => {
    await field('Delivery date').fill('2027-03-28');
    await page.context().setOffline(true);
    await page.getByText(/^Offline since/).waitFor();
    await save();
    await page.getByText(/^Not saved\. The service does not answer/).waitFor();
    await ben.shipments.update(id, { deliveryDate: '2027-03-24' });
    await page.context().setOffline(false);
    await save();
    await collision('Delivery date').getByRole('radio', { name: /^You/ }).check();
    await saveDecided();
    await isSaved();
    expect((await stored()).deliveryDate).toBe('2027-03-28');
  });

  test('waits for her to sign in again when the token has expired, and goes on', async () => {
    await field('Delivery date').fill('2027-03-28');
    await ben.shipments.update(id, { deliveryDate: '2027-03-24' });
    const expired = await world.token('Ann', { expires: -60 });
    let isExpired = true;
    await page.route('**/v1/shipments/*', (route, request) =>
      isExpired && request.method() === 'PATCH'
        ? route.continue({ headers: { ...request.headers(), authorization: `Bearer ${expired}` } })
        : route.continue(),
    );
    await save();
    await page.getByRole('heading', { name: 'Sign in again' }).waitFor();
    isExpired = false;
    await world.signIn(page, await world.token('Ann', { expires: 7200 }));
    await collision('Delivery date').getByRole('radio', { name: /^You/ }).check();
    await saveDecided();
    await isSaved();
    expect((await stored()).deliveryDate).toBe('2027-03-28');
  });

  test('names her own other tab', async () => {
    await field('Delivery date').fill('2027-03-28');
    const other = await world.open(page.context(), `/shipments/${id}/edit`, await world.token('Ann'));
    await other.getByRole('form').getByLabel('Delivery date').fill('2027-03-22');
    await other.getByRole('form').getByRole('button', { name: 'Save', exact: true }).click();
    await other.getByText(/^Saved/).waitFor();
    await save();
    await dialog().getByRole('heading', { name: 'You, in another tab, changed the same field' }).waitFor();
    await collision('Delivery date')
      .getByRole('radio', { name: /^You, here/ })
      .check();
    await saveDecided();
    await isSaved();
    expect((await stored()).deliveryDate).toBe('2027-03-28');
  });

  test('is left with Esc without losing anything, and never sends If-Match: *', async () => {
    const matches: (string | undefined)[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PATCH') matches.push(request.headers()['if-match']);
    });
    await field('Street').nth(0).fill('2 Main Street');
    await ben.shipments.update(id, { pickupAddress: { ...HOME, streetAddress1: '3 Main Street' } });
    await save();
    await collision('Pickup street').getByRole('radio', { name: /^You/ }).check();
    await page.keyboard.press('Escape');
    expect(await field('Street').nth(0).inputValue()).toBe('2 Main Street');
    await save();
    await dialog().getByText('1 of 1 decided').waitFor();
    await saveDecided();
    await isSaved();
    expect((await stored()).pickupAddress?.streetAddress1).toBe('2 Main Street');
    expect(matches).toHaveLength(3);
    expect(matches.every((match) => /^[0-9a-f]{64}$/.test(match ?? ''))).toBe(true);
  });
});
