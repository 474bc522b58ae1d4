import { describeInBrowser } from '../../support/repository/browser.js';
import { useConflictStage } from './conflict-stage.js';

describeInBrowser('the conflict dialog', () => {
  const stage = useConflictStage();

  test('does not open when the changes are disjoint: both are stored, and she is told', async () => {
    await stage.field('Estimated weight lb').fill('5000');
    await stage.ben.shipments.update(stage.id, { customerRemarks: 'No piano.' });
    await stage.save();
    await stage.page.getByText('Saved. Ben also changed customer remarks.').waitFor();
    expect(await stage.stored()).toMatchObject({ estimatedWeight: 5000, customerRemarks: 'No piano.' });
  });

  test('asks for one field that both changed, with nothing chosen beforehand', async () => {
    await stage.field('Delivery date').fill('2027-03-28');
    await stage.ben.shipments.update(stage.id, { deliveryDate: '2027-03-24' });
    await stage.save();
    await stage.dialog().getByRole('heading', { name: 'Ben changed the same field' }).waitFor();
    const asked = stage.collision('Delivery date');
    expect(await asked.innerText()).toMatch(
      /When you started\s+Mar 20, 2027\s+Ben .+\s+Mar 24, 2027\s+You\s+Mar 28, 2027/,
    );
    expect(await asked.getByRole('radio', { checked: true }).count()).toBe(0);
    expect(await stage.dialog().getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
    expect((await stage.stored()).deliveryDate).toBe('2027-03-24');
    await asked.getByRole('radio', { name: /^You/ }).check();
    await stage.dialog().getByText('1 of 1 decided').waitFor();
    await stage.saveDecided();
    await stage.isSaved();
    expect((await stage.stored()).deliveryDate).toBe('2027-03-28');
  });

  test('does not open when both wrote the same value', async () => {
    await stage.field('Actual weight lb').fill('4711');
    await stage.ben.shipments.update(stage.id, { actualWeight: 4711 });
    await stage.save();
    await stage.isSaved();
    const entries = [];
    for await (const entry of stage.ben.shipments.history(stage.id)) entries.push(entry);
    expect(entries.map(({ changedBy }) => changedBy)).toEqual(['Ben', 'Ben']);
  });

  test('asks for one part of an address, and merges the others', async () => {
    await stage.field('City').nth(1).fill('Hampton');
    await stage.field('Postal code').nth(1).fill('23666');
    await stage.ben.shipments.update(stage.id, {
      destinationAddress: { city: 'Newport News', streetAddress2: 'Pier 2' },
    });
    await stage.save();
    await stage.collision('Destination city').getByRole('radio', { name: /^Ben/ }).check();
    await stage.dialog().getByText('2 changes without a conflict').click();
    await stage.dialog().getByText('Ben: Destination street, line 2 none → Pier 2').waitFor();
    await stage.dialog().getByText('You: Destination postal code 23503 → 23666').waitFor();
    await stage.saveDecided();
    await stage.isSaved();
    const { destinationAddress } = await stage.stored();
    expect(destinationAddress).toMatchObject({ city: 'Newport News', postalCode: '23666', streetAddress2: 'Pier 2' });
  });

  test('asks for an address as a whole when one side removed it', async () => {
    await stage.field('Street').nth(1).fill('10 Harbor Road');
    await stage.ben.shipments.update(stage.id, { destinationAddress: null });
    await stage.save();
    await stage.collision('Destination address').getByRole('radio', { name: /^You/ }).check();
    await stage.saveDecided();
    await stage.isSaved();
    expect((await stage.stored()).destinationAddress).toMatchObject({
      streetAddress1: '10 Harbor Road',
      city: 'Norfolk',
    });
  });

  test('counts three decisions, of which one is written by hand', async () => {
    await stage.field('Delivery date').fill('2027-03-28');
    await stage.field('Estimated weight lb').fill('5000');
    await stage.field('Type').fill('NTS');
    await stage.ben.shipments.update(stage.id, {
      deliveryDate: '2027-03-24',
      estimatedWeight: 4800,
      shipmentType: 'UB',
    });
    await stage.save();
    await stage.dialog().getByText('0 of 3 decided').waitFor();
    await stage.collision('Type').getByRole('radio', { name: /^Ben/ }).check();
    await stage.collision('Delivery date').getByRole('radio', { name: /^You/ }).check();
    await stage.dialog().getByText('2 of 3 decided').waitFor();
    await stage.collision('Estimated weight').getByLabel('Result').fill('4900');
    await stage.dialog().getByText('3 of 3 decided').waitFor();
    await stage.saveDecided();
    await stage.isSaved();
    expect(await stage.stored()).toMatchObject({
      shipmentType: 'UB',
      deliveryDate: '2027-03-28',
      estimatedWeight: 4900,
    });
  });

  test.each([
    ['Use all theirs', { deliveryDate: '2027-03-24', estimatedWeight: 4800 }],
    ['Use all mine', { deliveryDate: '2027-03-28', estimatedWeight: 5000 }],
  ])('decides everything by "%s"', async (button, expected) => {
    await stage.field('Delivery date').fill('2027-03-28');
    await stage.field('Estimated weight lb').fill('5000');
    await stage.ben.shipments.update(stage.id, { deliveryDate: '2027-03-24', estimatedWeight: 4800 });
    await stage.save();
    await stage.dialog().getByRole('button', { name: button }).click();
    await stage.dialog().getByText('2 of 2 decided').waitFor();
    await stage.saveDecided();
    await stage.isSaved();
    expect(await stage.stored()).toMatchObject(expected);
  });

  test('shows long texts word by word, and lets the result be edited', async () => {
    await stage.field('Customer remarks').fill('The piano stays upright. Please ring three times at the side door.');
    await stage.ben.shipments.update(stage.id, {
      customerRemarks: 'The piano stays upright. Please ring twice at the front door.',
    });
    await stage.save();
    const remarks = stage.collision('Customer remarks');
    await remarks.waitFor();
    expect(await remarks.locator('del').allInnerTexts()).toEqual(['side', 'twice']);
    expect(await remarks.locator('ins').allInnerTexts()).toEqual(['front', 'three times']);
    await remarks.getByRole('radio', { name: /^You/ }).check();
    await remarks.getByLabel('Result').fill('Ring three times at the front door.');
    await stage.saveDecided();
    await stage.isSaved();
    expect((await stage.stored()).customerRemarks).toBe('Ring three times at the front door.');
  });

  test('a second 412 keeps what was decided and asks only for the new', async () => {
    await stage.field('Delivery date').fill('2027-03-28');
    await stage.field('Estimated weight lb').fill('5000');
    await stage.ben.shipments.update(stage.id, { deliveryDate: '2027-03-24', estimatedWeight: 4800 });
    await stage.save();
    await stage.dialog().getByRole('button', { name: 'Use all mine' }).click();
    await stage.ben.shipments.update(stage.id, { estimatedWeight: 4850 });
    await stage.saveDecided();
    await stage.dialog().getByText('0 of 1 decided').waitFor();
    await stage
      .dialog()
      .getByText(/changed again while you were deciding/)
      .waitFor();
    expect(await stage.collision('Estimated weight').innerText()).toMatch(
      /4,800 lb\s+Ben .+\s+4,850 lb\s+You\s+5,000 lb/,
    );
    await stage.collision('Estimated weight').getByRole('radio', { name: /^Ben/ }).check();
    await stage.saveDecided();
    await stage.isSaved();
    expect(await stage.stored()).toMatchObject({ deliveryDate: '2027-03-28', estimatedWeight: 4850 });
  });
});
