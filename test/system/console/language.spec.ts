import type { Page } from 'playwright-core';
import { de } from '../../../console/src/texts/de.js';
import { en } from '../../../console/src/texts/en.js';
import { describeInBrowser } from '../../support/repository/browser.js';
import { day } from './fill-board.js';
import { SHIPMENT, Stage, useWorld } from './harness.js';

/** The whole sentences and words of a catalogue, without those that depend on values. */
function textsOf(catalogue: object): string[] {
  return Object.values(catalogue).flatMap((text: unknown) => {
    if (typeof text === 'string') return [text.trim()];
    return typeof text === 'object' && text !== null ? textsOf(text) : [];
  });
}

/** Words that are the same in German are not English there. A waybill is also the name of the product. */
const GERMAN = new Set([...textsOf(de), 'Waybill']);
const ENGLISH = textsOf(en).filter((text) => !GERMAN.has(text));

/** Every text that the page shows or speaks, as it stands there. */
const TEXTS = `(() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts = [document.title];
  while (walker.nextNode()) texts.push(walker.currentNode.data);
  for (const element of document.querySelectorAll('*')) {
    for (const name of ['aria-label', 'placeholder', 'title']) texts.push(element.getAttribute(name) ?? '');
  }
  return texts.map((text) => text.trim());
})()`;

describeInBrowser('another language', () => {
  const stage = useWorld(new Stage());
  let page: Page;

  const open = async (view: string, locale = 'en-US') => {
    page = await stage.world.open(await stage.world.context({ locale }), view, await stage.world.token('Ann'));
  };
  /** Ann signs in to a console that speaks German already. */
  const openInGerman = async (view: string) => {
    page = await stage.world.tab(await stage.world.context({ locale: 'de-DE' }));
    await page.goto(`${stage.world.service.url}/console${view}`);
    await page.getByLabel('Token', { exact: true }).fill(await stage.world.token('Ann'));
    await page.getByRole('button', { name: 'Dieses Token verwenden' }).click();
  };
  const language = () => page.evaluate<string>('document.documentElement.lang');
  const englishOn = async () => {
    const shown = new Set(await page.evaluate<string[]>(TEXTS));
    return ENGLISH.filter((text) => shown.has(text));
  };
  const isGerman = async (name: string) => expect([name, await englishOn()]).toEqual([name, []]);
  const link = (name: string) => page.getByRole('link', { name, exact: true });

  test('is chosen by the user and kept, without signing in again', async () => {
    await stage.ben.shipments.create({ ...SHIPMENT, pickupDate: day(0), deliveryDate: day(3) });
    await open('');
    await page.getByRole('heading', { name: 'Due today' }).waitFor();
    expect(await language()).toBe('en');
    await page.getByRole('button', { name: 'Ann' }).click();
    await page.getByLabel('Language').selectOption('Deutsch');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Heute fällig' }).waitFor();
    expect(await language()).toBe('de');
    await page.reload();
    await page.getByRole('button', { name: 'Dieses Token verwenden' }).waitFor();
    expect(await language()).toBe('de');
    await isGerman('sign-in');
  });

  test('leaves no English on Today, on the board, in the list and in a conflict', async () => {
    const { id } = await stage.ben.shipments.create({
      ...SHIPMENT,
      shipmentType: 'Klavier',
      pickupDate: day(0),
      deliveryDate: day(3),
    });
    await openInGerman('');
    await page.getByRole('heading', { name: 'Heute fällig' }).waitFor();
    await isGerman('today');
    await link('Tafel').click();
    await page.getByRole('region', { name: 'Eingereicht' }).getByRole('link', { name: 'Klavier' }).waitFor();
    await isGerman('board');
    await link('Liste').click();
    await page.getByRole('row').filter({ hasText: 'Klavier' }).getByRole('link').click();
    await page.getByRole('heading', { name: /Klavier$/ }).waitFor();
    await isGerman('shipment');
    await link('Bearbeiten').click();
    await page.getByLabel('Bemerkungen des Kunden').fill('Bitte klingeln.');
    await page.getByLabel('Geschätztes Gewicht').fill('4600');
    await isGerman('form');
    await stage.ben.shipments.update(id, { customerRemarks: 'Bitte klopfen.' });
    await page.getByRole('form').getByRole('button', { name: 'Speichern', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Dasselbe Feld geändert von Ben' });
    await dialog.waitFor();
    await isGerman('conflict');
    await dialog.getByRole('radio', { name: 'Sie' }).check();
    await dialog.getByRole('button', { name: 'Speichern', exact: true }).click();
    await page.getByText(/^Gespeichert\./).waitFor();
    expect(await stage.ben.shipments.get(id)).toMatchObject({
      customerRemarks: 'Bitte klingeln.',
      estimatedWeight: 4600,
    });
    await link('Liste').click();
    await page.getByRole('row').filter({ hasText: 'Klavier' }).getByRole('link').waitFor();
    await isGerman('list');
  });

  test('leaves no English where a deleted shipment and its move are restored', async () => {
    const { id, moveID, shipmentCode } = await stage.ben.shipments.create({ ...SHIPMENT, shipmentType: 'Klavier' });
    const phone = '555-0100';
    await stage.ben.agents.create(id, { agentType: 'RELEASING_AGENT', firstName: 'Mia', phone });
    await openInGerman(`/shipments/${id}`);
    await page.getByRole('button', { name: 'Löschen …' }).click();
    await isGerman('delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Löschen', exact: true }).click();
    await page.getByRole('button', { name: 'Rückgängig', exact: true }).waitFor();
    await isGerman('undo');
    await stage.ben.moves.delete(moveID);
    await link('Gelöscht').click();
    await page.getByRole('button', { name: `Vorschau von ${shipmentCode}` }).click();
    await page.getByText('Mit zurück kommen:').waitFor();
    await isGerman('deleted');
    await page.getByRole('link', { name: shipmentCode }).click();
    await page.getByRole('button', { name: 'Wiederherstellen …' }).click();
    await page.getByText(/^Zuerst wird der Umzug /).waitFor();
    await isGerman('restore');
    await page.getByRole('button', { name: '2 Datensätze wiederherstellen' }).click();
    await page.getByText('2 Datensätze wurden wiederhergestellt.').waitFor();
    await page.getByText('Sendung wiederhergestellt').waitFor();
    await isGerman('restored');
  });

  test('kilograms are entered and shown, and what is not touched is not written', async () => {
    const { id } = await stage.ben.shipments.create({ ...SHIPMENT, estimatedWeight: 4501, actualWeight: 4499 });
    await open(`/shipments/${id}`);
    await page.getByText('4,501 lb').waitFor();
    await page.getByRole('button', { name: 'Ann' }).click();
    await page.getByLabel('Weights').selectOption('kg');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('2,041.6 kg').waitFor();
    await link('Edit').click();
    const field = (name: string) => page.getByRole('form').getByLabel(name);
    expect(await field('Estimated weight').inputValue()).toBe('2041.6');
    await field('Estimated weight').fill('2042');
    expect(await field('Estimated weight').inputValue()).toBe('2042');
    await field('Estimated weight').fill('2041.6');
    await page.getByText('No changes yet').waitFor();
    await field('Actual weight').fill('2000');
    const written = page.waitForRequest((request) => request.method() === 'PATCH');
    await page.getByRole('form').getByRole('button', { name: 'Save', exact: true }).click();
    expect((await written).postDataJSON()).toEqual({ actualWeight: 4409 });
    await page.getByText('1,999.9 kg').waitFor();
    expect(await stage.ben.shipments.get(id)).toMatchObject({ estimatedWeight: 4501, actualWeight: 4409 });
  });
});
