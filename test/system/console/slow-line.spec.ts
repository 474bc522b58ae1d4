import type { Shipment } from '@waybill/client';
import type { CDPSession, Page } from 'playwright-core';
import { describeInBrowser } from '../../support/repository/browser.js';
import { SHIPMENT, Stage, useWorld } from './harness.js';

const BYTES_A_SECOND = 60_000;
const ROWS = 240;
const CHANGED = 50;
/** A quiet machine needs less than three seconds. Rows that stay wrong stay so for good. */
const PATIENCE_MS = 30_000;
const OLD_DAY = 'Mar 20, 2027';
const NEW_DAY = 'Mar 27, 2027';

/** What a row shows, and the item of a bulk that follows from it. */
interface Item {
  readonly id: string;
  readonly ifMatch: string;
}

describeInBrowser('on a slow line', () => {
  const stage = useWorld(new Stage());
  let page: Page;
  let line: CDPSession;
  let shipments: Shipment[];

  beforeEach(async () => {
    const bulk = Array.from({ length: ROWS / 2 }, () => ({
      ...{ op: 'create' as const, values: { ...SHIPMENT, shipmentType: 'Slow', deliveryDate: '2027-03-20' } },
    }));
    for (let half = 0; half < 2; half += 1) await stage.ben.shipments.bulk(bulk);
    shipments = [];
    for await (const shipment of stage.ben.shipments.list({ shipmentType: 'Slow' })) shipments.push(shipment);
    // All changed rows fit into the window, so that what they show can be read at once.
    const context = await stage.world.context({ viewport: { width: 1440, height: 3000 } });
    page = await stage.world.open(context, '/list?shipmentType=Slow', await stage.world.token('Ann'));
    await page.getByRole('row').nth(CHANGED).waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    line = await context.newCDPSession(page);
    await line.send('Network.enable');
    await line.send('Network.emulateNetworkConditions', {
      ...{ offline: false, latency: 20, downloadThroughput: BYTES_A_SECOND, uploadThroughput: BYTES_A_SECOND },
    });
  });
  afterEach(() => line.detach());

  const scroll = (by: number) => page.mouse.wheel(0, by);
  /** The delivery dates that the rows show, by the ids of the shipments. */
  const shown = () =>
    page.evaluate<Record<string, string>>(`Object.fromEntries(
      [...document.querySelectorAll('[role="row"][data-index]')].map((row) => [
        row.querySelector('a').href.split('/').at(-1),
        row.querySelector('[role="cell"]:nth-last-child(2)').innerText.split('\\n')[0],
      ]),
    )`);
  const scrollWhile = async (work: Promise<unknown>) => {
    const ending = new AbortController();
    const over = work.finally(() => ending.abort());
    await page.locator('[role="table"] > [role="rowgroup"]').last().hover();
    while (!ending.signal.aborted) await scroll(400);
    await over;
    await scroll(-20_000);
  };

  test('somebody who scrolls sees all of 50 changes, and saves only over what she saw', async () => {
    const changed = shipments.slice(0, CHANGED);
    const change = async () => {
      for (const { id } of changed) await stage.ben.shipments.update(id, { estimatedWeight: 5000 });
      for (const { id } of changed) await stage.ben.shipments.update(id, { deliveryDate: '2027-03-27' });
    };
    await scrollWhile(change());
    const began = Date.now();
    const isRight = (rows: Record<string, string>) => changed.every(({ id }) => rows[id] === NEW_DAY);
    while (!isRight(await shown())) expect(Date.now() - began).toBeLessThan(PATIENCE_MS);
    // Any later change of hers names the versions that the rows show.
    for (const { id } of changed) await stage.ben.shipments.update(id, { customerRemarks: null });
    await page.getByRole('checkbox', { name: 'Select all matching shipments' }).waitFor();
    const seen = await selectShown(changed.length);
    const sent = page.waitForRequest((request) => request.url().endsWith('/v1/shipments/bulk'));
    await page.getByRole('button', { name: 'Change a field…' }).click();
    const dialog = page.getByRole('dialog');
    const left = dialog.getByRole('button', { name: 'Continue with all as they are now' });
    const field = dialog.getByLabel('Field', { exact: true });
    await left.or(field).waitFor();
    if (await left.isVisible()) await left.click();
    await field.selectOption('Delivery date');
    await dialog.getByLabel('New value for all', { exact: true }).fill('2027-03-30');
    await dialog.getByRole('button', { name: /^Set delivery date/ }).click();
    const { items } = (await sent).postDataJSON() as { items: Item[] };
    expect(items.length).toBe(changed.length);
    for (const { id, ifMatch } of items) {
      const { deliveryDate } = await stage.ben.shipments.get(id, { version: ifMatch });
      expect([id, seen[id]]).toEqual([id, deliveryDate === '2027-03-27' ? NEW_DAY : OLD_DAY]);
    }
  });

  /** Selects so many rows with the keyboard's range, and returns what they showed. */
  async function selectShown(count: number): Promise<Record<string, string>> {
    const box = (index: number) => page.locator(`[role="row"][data-index="${index}"] input`);
    await box(0).click();
    const seen = await shown();
    await box(count - 1).click({ modifiers: ['Shift'] });
    await page.getByText(new RegExp(`^${count} (of \\S+ )?selected$`)).waitFor();
    return seen;
  }
});
