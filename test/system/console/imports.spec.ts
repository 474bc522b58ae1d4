import { readFileSync } from 'node:fs';
import type { Shipment } from '@waybill/client';
import { parse } from 'csv-parse/sync';
import type { Download, Locator, Page } from 'playwright-core';
import { csvLines } from '../../../src/files/csv.js';
import { untilBlocked } from '../../support/database/activity.js';
import { eventually } from '../../support/races/eventually.js';
import { describeInBrowser } from '../../support/repository/browser.js';
import { disturbWrites, OUTCOME_UNKNOWN } from './faults-on-the-way.js';
import { accessibilityFaults, KeptTab, SHIPMENT, useWorld } from './harness.js';
import { Keyboard } from './keyboard.js';

/** The rows of a file, by column. */
type Rows = Record<string, string>[];

const textOf = (rows: Rows) => csvLines([Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))]);
const fileOf = (text: string, name = 'shipments.csv') => ({ name, mimeType: '', buffer: Buffer.from(text) });

describeInBrowser('files of shipments in the console', () => {
  const stage = useWorld(new KeptTab(true));

  const openAsAnn = async (view: string): Promise<Page> => {
    await stage.open(view);
    return stage.page;
  };
  const choose = (page: Page, label: string, text: string, name?: string) =>
    page.getByLabel(label, { exact: true }).setInputFiles(fileOf(text, name));
  const row = (page: Page, line: number): Locator =>
    page.getByRole('row').filter({ has: page.getByRole('cell', { name: String(line), exact: true }) });
  const inSentence = async (target: Locator) => (await target.innerText()).replace(/\s+/g, ' ');
  const counts = (page: Page) => page.getByRole('list', { name: 'Rows by outcome' }).innerText();

  async function savedFile(page: Page, button: Locator): Promise<{ name: string; text: string }> {
    const [file] = await Promise.all<[Promise<Download>, Promise<void>]>([
      page.waitForEvent('download'),
      button.click(),
    ]);
    return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') };
  }

  async function saved(page: Page, button: Locator): Promise<Rows> {
    return parse((await savedFile(page, button)).text, { columns: true, bom: true });
  }

  const create = (shipmentType: string, fields: object = {}): Promise<Shipment> =>
    stage.ben.shipments.create({ ...SHIPMENT, shipmentType, ...fields });

  test('two people edit the same export: changes without conflicts are merged, and the rest is imported in a second round', async () => {
    const [merged, collided, same] = [await create('Both'), await create('Both'), await create('Both')];
    const ann = await openAsAnn('/list?shipmentType=Both&sort=createdAt');
    await ann.getByRole('row').nth(3).waitFor();
    await ann.getByRole('button', { name: 'Export list' }).click();
    const exported = await saved(ann, ann.getByRole('menuitem', { name: 'For a spreadsheet' }));
    expect(exported.map(({ id }) => id)).toEqual([merged.id, collided.id, same.id]);
    const [first, second, third] = exported as [Rows[0], Rows[0], Rows[0]];
    const isNew = Object.fromEntries(Object.keys(first).map((column) => [column, '']));
    const bens = [{ ...first, deliveryDate: '2027-03-28' }, { ...second, estimatedWeight: '5200' }, third];
    const anns = [
      { ...first, estimatedWeight: '4800' },
      { ...second, estimatedWeight: '6000', actualWeight: '5900' },
      third,
      { ...isNew, shipmentType: 'Both, new' },
      { ...isNew, shipmentType: 'Both, mended', estimatedWeight: 'heavy' },
    ];

    await ann.getByRole('link', { name: 'Import' }).click();
    await choose(ann, 'Choose a file', textOf(anns));
    await ann.getByRole('heading', { name: 'Review import' }).waitFor();
    await row(ann, 6).waitFor();
    expect(await counts(ann)).toBe('1 refused\n2 to change\n1 to create\n1 unchanged');
    expect(await inSentence(ann.getByRole('row').nth(1))).toMatch(
      /^6 Refused .*Estimated weight: Must be a whole number/,
    );
    expect(await inSentence(row(ann, 2))).toBe(
      `2 To change ${merged.shipmentCode} Estimated weight 4,500 lb → 4,800 lb`,
    );

    const { id } = await stage.ben.imports.upload(textOf(bens));
    await stage.ben.imports.apply(id);
    await stage.ben.imports.wait(id);

    await ann.getByRole('button', { name: /^Apply / }).click();
    await ann.getByRole('heading', { name: 'Import result' }).waitFor();
    await row(ann, 2).getByText('Merged', { exact: true }).waitFor();
    expect(await counts(ann)).toBe('2 refused\n1 changed\n1 created\n1 unchanged');
    expect(await inSentence(row(ann, 2))).toBe(`2 Merged ${merged.shipmentCode} Estimated weight 4,500 lb → 4,800 lb`);
    expect(await inSentence(row(ann, 3))).toMatch(
      /^3 Conflict [A-Z2-9]{6}-01 Settle… Estimated weight 4,500 lb → 6,000 lb Ben, .+: 5,200 lb Actual weight none → 5,900 lb$/,
    );
    expect(await stage.ben.shipments.get(merged.id)).toMatchObject({
      deliveryDate: '2027-03-28',
      estimatedWeight: 4800,
    });
    expect(await stage.ben.shipments.get(collided.id)).toMatchObject({ estimatedWeight: 5200, actualWeight: null });

    const back = await saved(ann, ann.getByRole('button', { name: 'Download 2 refused rows' }));
    expect(back).toMatchObject([
      { estimatedWeight: '6000', 'theirs:estimatedWeight': '5200', changedBy: 'Ben' },
      { estimatedWeight: 'heavy' },
    ]);
    await choose(ann, 'Upload corrected file', textOf(back).replace('heavy', '900'));
    await ann.getByRole('button', { name: 'Apply 2 rows' }).click();
    await ann.getByText('Everything was imported.').waitFor();
    expect(await stage.ben.shipments.get(collided.id)).toMatchObject({ estimatedWeight: 6000, actualWeight: 5900 });
    const { items } = await stage.ben.shipments.list({ shipmentType: 'Both, mended' }).page();
    expect(items).toMatchObject([{ estimatedWeight: 900 }]);
  });

  test('the refused rows of JSON Lines are downloaded and uploaded again as JSON Lines', async () => {
    const page = await openAsAnn('/imports');
    await choose(
      page,
      'Choose a file',
      // Two rows to apply, so that the button of this import is another one than that of the corrected file.
      '{"shipmentType":"Lines","estimatedWeight":"heavy"}\n{"shipmentType":"NTS"}\n{"shipmentType":"NTS"}\n',
      'rows.jsonl',
    );
    const { name, text } = await savedFile(page, page.getByRole('button', { name: 'Download 1 refused row' }));
    expect(name).toMatch(/^import-.*\.jsonl$/);
    await choose(page, 'Upload corrected file', text.replace('"heavy"', '900'), name);
    await page.getByRole('button', { name: 'Apply 1 row' }).click();
    await page.getByText('Everything was imported.').waitFor();
    const { items } = await stage.ben.shipments.list({ shipmentType: 'Lines' }).page();
    expect(items).toMatchObject([{ estimatedWeight: 900 }]);
  });

  test('a conflict is settled on the page, in the dialog of an edit', async () => {
    const shipment = await create('Settled');
    const file = textOf([
      { id: shipment.id, eTag: shipment.eTag, estimatedWeight: '6000', actualWeight: '5900', customerRemarks: 'Mine' },
    ]);
    await stage.ben.shipments.update(shipment.id, { estimatedWeight: 5200, pickupDate: '2027-03-02' });
    const page = await openAsAnn('/imports');
    await choose(page, 'Choose a file', file, 'settled.csv');
    await page.getByRole('button', { name: 'Settle the conflict of line 2' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('group', { name: 'Estimated weight' }).getByRole('radio', { name: /^You/ }).check();
    expect(await accessibilityFaults(page, 'settle')).toEqual([]);
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Line 2 is settled.').waitFor();
    await row(page, 2).getByText('Settled', { exact: true }).waitFor();
    expect(await counts(page)).toBe('1 changed');
    expect(await page.getByRole('button', { name: /^Download / }).count()).toBe(0);
    await page.getByRole('link', { name: 'Import' }).click();
    const recent = page.getByRole('region', { name: 'Recent imports' }).getByRole('listitem');
    const listed = recent.filter({ hasText: 'settled.csv' });
    expect(await inSentence(listed)).toMatch(/^settled\.csv, .* Ann, 1 row, not applied yet$/);
    expect(await stage.ben.shipments.get(shipment.id)).toMatchObject({
      ...{ estimatedWeight: 6000, actualWeight: 5900, customerRemarks: 'Mine' },
      ...{ pickupDate: '2027-03-02', deliveryDate: SHIPMENT.deliveryDate },
    });
  });

  test('a conflict that was saved, but not settled, is said so until the import knows it', async () => {
    const shipment = await create('Unsettled');
    const file = textOf([{ id: shipment.id, eTag: shipment.eTag, estimatedWeight: '6000' }]);
    await stage.ben.shipments.update(shipment.id, { estimatedWeight: 5200 });
    const page = await openAsAnn('/imports');
    await choose(page, 'Choose a file', file);
    await page.getByRole('button', { name: 'Settle the conflict of line 2' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('group', { name: 'Estimated weight' }).getByRole('radio', { name: /^You/ }).check();
    await disturbWrites(page, `**/v1/shipments/${shipment.id}`, OUTCOME_UNKNOWN);
    await disturbWrites(page, '**/settle?line=2', OUTCOME_UNKNOWN);
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText(/^This may not have been saved\./).waitFor();
    expect(await page.getByText('is settled.').count()).toBe(0);
    await page.unroute(`**/v1/shipments/${shipment.id}`);
    await page.getByRole('cell').getByRole('button', { name: 'Try again' }).click();
    const fault = page.getByText(/^The shipment is saved, but line 2 may still count as refused\./);
    await fault.waitFor();
    expect(await stage.ben.shipments.get(shipment.id)).toMatchObject({ estimatedWeight: 6000 });
    // Nothing but the user ends it.
    await page.getByRole('link', { name: 'Import' }).click();
    await page.goBack();
    await page.unroute('**/settle?line=2');
    await page.getByRole('status').getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Line 2 is settled.').waitFor();
    await row(page, 2).getByText('Settled', { exact: true }).waitFor();
    expect(await fault.count()).toBe(0);
  });

  test('a change after the dry run is a conflict, too: a row is an edit of the version that it names', async () => {
    const shipment = await create('Later');
    const file = textOf([
      { id: shipment.id, eTag: shipment.eTag, estimatedWeight: '6000', customerRemarks: 'From the file' },
    ]);
    await stage.ben.shipments.update(shipment.id, { estimatedWeight: 5200 });
    const page = await openAsAnn('/imports');
    await choose(page, 'Choose a file', file);
    const settle = page.getByRole('button', { name: 'Settle the conflict of line 2' });
    await settle.waitFor();
    await stage.ben.shipments.update(shipment.id, { customerRemarks: 'The customer called: ring twice.' });
    await settle.click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('group', { name: 'Customer remarks' }).getByRole('radio', { name: /^Ben/ }).check();
    await dialog.getByRole('group', { name: 'Estimated weight' }).getByRole('radio', { name: /^You/ }).check();
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Line 2 is settled.').waitFor();
    expect(await stage.ben.shipments.get(shipment.id)).toMatchObject({
      ...{ estimatedWeight: 6000, customerRemarks: 'The customer called: ring twice.' },
    });
  });

  test('a file that cannot be read is refused with line and column; another is dropped instead', async () => {
    const page = await openAsAnn('/imports');
    await choose(page, 'Choose a file', 'shipmentType,colour\nHHG,red\n');
    expect(await page.getByRole('alert').innerText()).toMatch(/Line 1, column "colour".* Nothing was stored\./);
    const dropped = await page.evaluateHandle(
      `(() => {
        const transfer = new DataTransfer();
        transfer.items.add(new File(['{"shipmentType":"Dropped"}\\n{"shipmentType":7,"deliveryDate":"2027-02-30"}\\n'], 'shipments.jsonl'));
        return transfer;
      })()`,
    );
    await page.getByText('or drop it on this page').dispatchEvent('drop', { dataTransfer: dropped });
    await row(page, 2).waitFor();
    expect(await inSentence(row(page, 1))).toBe('1 To create Type Dropped');
    expect(await inSentence(row(page, 2))).toMatch(/^2 Refused .*Delivery date 2027-02-30 .*Type: Must be /);
  });

  test('conflicts and faults are looked at apart, and a link shows the same', async () => {
    const { id, eTag } = await create('Apart');
    await stage.ben.shipments.update(id, { estimatedWeight: 5200 });
    const page = await openAsAnn('/imports');
    const lines = [`${id},${eTag},Apart,6000`, ',,Apart,heavy', ',,Apart,900'];
    await choose(page, 'Choose a file', ['id,eTag,shipmentType,estimatedWeight', ...lines].join('\n'));
    const shows = (expected: string) =>
      eventually(
        async () => String(await page.locator('[role="cell"]:first-child').allInnerTexts()) === expected,
        90_000,
        expected,
      );
    await shows('2,3,4');
    await page.getByRole('group', { name: 'Show' }).getByText('Errors').click();
    await shows('3');
    await page.getByRole('group', { name: 'Show' }).getByText('Conflicts').click();
    await shows('2');
    await page.reload();
    await stage.world.signIn(page, await stage.world.token('Ann'));
    await shows('2');
  });

  test('applying shows how far it is, also after a reload', async () => {
    const { id, eTag } = await create('Locked');
    const lines = Array.from({ length: 100 }, (_, index) => `,,Progress,${index + 1}`);
    const page = await openAsAnn('/imports');
    await choose(
      page,
      'Choose a file',
      ['id,eTag,shipmentType,estimatedWeight', ...lines, `${id},${eTag},Locked,9`].join('\n'),
    );
    const { sql } = stage.world.service;
    await sql.query('BEGIN');
    await sql.query('SELECT FROM shipments WHERE id = $1 FOR UPDATE', [id]);
    try {
      await page.getByRole('button', { name: 'Apply 101 rows' }).click();
      await untilBlocked(sql);
      await page.getByText(/^100 of 101 rows done\./).waitFor();
      await page.reload();
      await stage.world.signIn(page, await stage.world.token('Ann'));
      await page.getByText(/^100 of 101 rows done\./).waitFor();
    } finally {
      await sql.query('ROLLBACK');
    }
    await page.getByText('Everything was imported.').waitFor();
    expect(await counts(page)).toBe('1 changed\n100 created');
  });

  test('the imports of others are listed as they come', async () => {
    const ann = await openAsAnn('/imports');
    const listed = ann.getByRole('region', { name: 'Recent imports' }).getByRole('listitem');
    await ann.getByText('Live', { exact: true }).waitFor();
    const { id } = await stage.ben.imports.upload('shipmentType\nHHG\n');
    await listed.filter({ hasText: 'Ben, 1 row, not applied yet' }).first().waitFor();
    await listed.first().getByRole('link').click();
    await ann.waitForURL(`**/imports/${id}`);
  });

  test('a long file is shown a screen at a time, to its last row', async () => {
    const lines = Array.from({ length: 250 }, (_, index) => `Long,${index + 1}`);
    const page = await openAsAnn('/imports');
    await choose(page, 'Choose a file', ['shipmentType,estimatedWeight', ...lines].join('\n'));
    await row(page, 2).waitFor();
    expect(await page.getByRole('row').count()).toBeLessThan(100);
    await page.getByRole('rowgroup', { name: 'Rows of the file' }).focus();
    const last = row(page, 251);
    while (!(await last.isVisible())) await page.keyboard.press('End');
    expect(await inSentence(last)).toBe('251 To create Type Long Estimated weight 250 lb');
  });

  test('all of it is done by keyboard', async () => {
    const page = await openAsAnn('/list');
    await page.getByText('Live', { exact: true }).waitFor();
    const keys = new Keyboard(page);
    const chosen = page.waitForEvent('filechooser');
    await keys.press('i');
    await keys.tabTo(page.getByLabel('Choose a file'));
    await keys.press('Enter');
    await (await chosen).setFiles(fileOf('shipmentType\nTyped\n'));
    await keys.choose(page.getByRole('button', { name: 'Apply 1 row' }));
    await page.getByText('Everything was imported.').waitFor();
    await keys.choose(page.getByRole('row').filter({ hasText: 'Typed' }).getByRole('link', { name: /-01$/ }));
    await page.getByRole('heading', { name: /Typed$/ }).waitFor();
  });
});
