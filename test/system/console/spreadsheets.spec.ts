import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { csvOf } from '../../support/records/imports.js';
import { describeInBrowser } from '../../support/repository/browser.js';
import { accessibilityFaults, KeptTab, SHIPMENT, useWorld } from './harness.js';
import { Keyboard } from './keyboard.js';

/** A file that a spreadsheet has saved, with dates and numbers that can be read in two ways. */
const FILE = csvOf(
  [
    'shipmentType',
    'pickupDate',
    'estimatedWeight',
    ...['streetAddress1', 'city', 'state', 'postalCode'].map((name) => `pickupAddress.${name}`),
  ],
  [
    ['Ambiguous', '3/4/2027', '4,500', '1 Main Street', 'Boston', 'MA', '2134'],
    ['Ambiguous', '2027-12-24', '4600', '', '', '', ''],
  ],
);

describeInBrowser('a file that went through a spreadsheet', () => {
  const stage = useWorld(new KeptTab(true));

  const choose = (page: Page, label: string) =>
    page
      .getByLabel(label, { exact: true })
      .setInputFiles({ name: 'shipments.csv', mimeType: '', buffer: Buffer.from(FILE) });
  const written = async () => {
    const { items } = await stage.ben.shipments.list({ shipmentType: 'Ambiguous', limit: 2 }).page();
    return items.map(({ pickupDate, estimatedWeight }) => [pickupDate, estimatedWeight]).sort();
  };

  test('is read as its reader says, who is asked once and by keyboard, and warnings are listed', async () => {
    await stage.open('/imports');
    const { page } = stage;
    await choose(page, 'Choose a file');
    await page.getByRole('heading', { name: 'How is this file meant?' }).waitFor();
    const dates = page.getByRole('group', { name: 'How are dates written in this file?' });
    const numbers = page.getByRole('group', { name: 'Which sign stands before decimals in this file?' });
    expect((await dates.innerText()).split('\n')).toEqual([
      'How are dates written in this file?',
      'Month, day, year',
      '3/4/2027 is Thursday, March 4, 2027 (line 2, Pickup date)',
      'Day, month, year',
      '3/4/2027 is Saturday, April 3, 2027 (line 2, Pickup date)',
    ]);
    expect((await numbers.innerText()).split('\n')).toEqual([
      'Which sign stands before decimals in this file?',
      'The point; commas separate thousands',
      '4,500 is 4,500 lb (line 2, Estimated weight)',
      'The comma; points separate thousands',
      '4,500 is 4.5 lb (line 2, Estimated weight)',
    ]);
    expect(await accessibilityFaults(page, 'ask-reading', 'main')).toEqual([]);
    const read = page.getByRole('button', { name: 'Read the file like this' });
    expect(await read.isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: /^Apply/ }).count()).toBe(0);
    const keys = new Keyboard(page);
    await keys.chooseRadio(dates, /^Day, month, year/);
    expect(await read.isDisabled()).toBe(true);
    await keys.chooseRadio(numbers, /^The point/);
    await keys.choose(read);
    await page.getByRole('heading', { name: 'Review import' }).waitFor();
    await page.getByRole('group', { name: 'Show' }).getByText('Warnings').click();
    const rows = page.getByRole('row').filter({ hasText: 'To create' });
    await rows.filter({ hasText: 'Fewer digits than postal codes' }).waitFor();
    await rows.filter({ hasNotText: 'Fewer digits than postal codes' }).waitFor({ state: 'detached' });
    expect(await rows.innerText()).toMatch(/Pickup postal code: Fewer digits/);
    await page.getByRole('button', { name: 'Apply 2 rows' }).click();
    await page.getByText('Everything was imported.').waitFor();
    expect(await written()).toEqual([
      ['2027-04-03', 4500],
      ['2027-12-24', 4600],
    ]);
    // The question is answered: Back leads to where the file was chosen.
    await page.goBack();
    await page.getByRole('heading', { name: 'Import shipments' }).waitFor();
  });

  test('in German, and again after a reload, which loses the file but not the question', async () => {
    const page = await stage.world.tab(await stage.world.context({ locale: 'de-DE' }));
    await page.goto(`${stage.world.service.url}/console/imports`);
    const signIn = async () => {
      await page.getByLabel('Token', { exact: true }).fill(await stage.world.token('Ann'));
      await page.getByRole('button', { name: 'Dieses Token verwenden' }).click();
    };
    await signIn();
    await choose(page, 'Datei auswählen');
    await page.getByRole('heading', { name: 'Wie ist diese Datei gemeint?' }).waitFor();
    await page.reload();
    await signIn();
    const dates = page.getByRole('group', { name: 'Wie sind Datumsangaben in dieser Datei geschrieben?' });
    await dates.getByText('3/4/2027 ist Samstag, 3. April 2027 (Zeile 2, Abholdatum)').waitFor();
    expect(await page.getByLabel('Datei noch einmal auswählen').count()).toBe(0);
    await dates.getByRole('radio', { name: /^Monat, Tag, Jahr/ }).check();
    await page.getByRole('radio', { name: /^Der Punkt.* ist 4\.500 lb/ }).check();
    await choose(page, 'Datei noch einmal auswählen');
    await page.getByRole('heading', { name: 'Import prüfen' }).waitFor();
    await page
      .getByRole('row')
      .filter({ hasText: /4\. März.*4\.500 lb/s })
      .waitFor();
    await page.getByText(/Weniger Ziffern, als Postleitzahlen/).waitFor();
  });

  test('a list is exported for a spreadsheet, or for programs, by keyboard', async () => {
    await stage.ben.shipments.create({ ...SHIPMENT, shipmentType: '007' });
    await stage.open('/list?shipmentType=007');
    const { page } = stage;
    await page.getByRole('row').nth(1).waitFor();
    const keys = new Keyboard(page);
    const button = page.getByRole('button', { name: 'Export list' });
    const exported = async (name: string, ...steps: string[]) => {
      await keys.choose(button);
      await page.getByRole('menuitem').first().waitFor();
      await keys.press(...steps);
      expect(await page.evaluate('document.activeElement.textContent')).toBe(name);
      const [file] = await Promise.all([page.waitForEvent('download'), keys.press('Enter')]);
      await page.getByRole('button', { name: 'Export list', disabled: false }).waitFor();
      return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') };
    };
    const { text } = await exported('For a spreadsheet');
    expect(text).toMatch(/^\uFEFFid,[^]*,"=""007""",SUBMITTED,,"=""2027-03-01""",/);
    const plain = await exported('CSV, for programs', 'ArrowDown');
    expect(plain.text).toMatch(/^id,[^]*,007,SUBMITTED,,2027-03-01,/);
    const lines = await exported('JSON Lines, for programs', 'ArrowUp');
    expect(lines.name).toMatch(/^shipments-.*\.jsonl$/);
    expect(JSON.parse(lines.text)).toMatchObject({ shipmentType: '007' });
    await keys.choose(button);
    await page.getByRole('menu').waitFor();
    expect(await accessibilityFaults(page, 'export-menu', '[role="menu"]')).toEqual([]);
    await keys.press('Escape');
    expect(await page.getByRole('menu').count()).toBe(0);
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Export list (1)');
  });
});
