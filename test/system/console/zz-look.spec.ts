import { writeFileSync, appendFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../../support/repository/browser.js';
import { fillBoard, day } from './fill-board.js';
import { ALL_SCOPES, goTo, Stage, useWorld, SHIPMENT } from './harness.js';

const OUT = '/tmp/h53look';
const WIDTHS = [320, 720, 1024, 1440];
const CUT = `(() => {
  const root = document.querySelector('dialog[open]') ?? document.body;
  const found = [];
  if (document.documentElement.scrollWidth > innerWidth) found.push('PAGE ' + document.documentElement.scrollWidth);
  for (const e of document.querySelectorAll('body *')) {
    const s = getComputedStyle(e);
    if (!e.checkVisibility() || e.clientWidth < 2) continue;
    const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim() !== '');
    const hid = s.overflowX !== 'visible';
    if (own && hid && e.scrollWidth > e.clientWidth + 1) found.push('cut ' + e.localName + ': ' + e.innerText.slice(0, 60) + ' ' + e.scrollWidth + '>' + e.clientWidth);
    const r = e.getBoundingClientRect();
    if (own && (r.right > innerWidth + 1 || r.left < -1) && root.contains(e)) {
      let p = e.parentElement, scroll = false;
      for (; p; p = p.parentElement) { if (['auto', 'scroll', 'hidden', 'clip'].includes(getComputedStyle(p).overflowX)) { scroll = p.localName + '.' + p.className; break; } }
      found.push('outside (' + scroll + ') ' + e.localName + ': ' + e.innerText.slice(0, 60) + ' ' + Math.round(r.left) + '..' + Math.round(r.right));
    }
  }
  return found;
})()`;

describeInBrowser('look', () => {
  const stage = useWorld(new Stage(), { AUTH_MODE: 'jwt,keys' });
  test.each(['en-US', 'de-DE'])('%s', async (locale) => {
    const de = locale === 'de-DE';
    const world = stage.world;
    const [ben, carla] = [await world.colleague('Ben Okafor'), await world.colleague('Carla Diaz')];
    const id = await fillBoard(ben, carla);
    for (let i = 0; i < 3; i++)
      await ben.shipments.create({
        ...SHIPMENT,
        shipmentType: 'Household goods, oversized and fragile',
        pickupDate: day(0),
        deliveryDate: day(i),
        pickupAddress: {
          streetAddress1: 'Donaudampfschifffahrtsgesellschaftsstraße 12345',
          city: 'Villingen-Schwenningen am Rande',
          state: 'Baden-Württemberg',
          postalCode: '78050',
        },
      });
    const context = await world.context({ locale });
    const page: Page = await world.tab(context);
    await page.goto(`${world.service.url}/console/list`);
    await page
      .getByLabel('Token', { exact: true })
      .fill(await world.token('Maximiliane von Hohenfels', { scope: `${ALL_SCOPES} keys:read keys:write` }));
    await page.locator('form button').first().click();
    await page.locator('header nav').waitFor();
    const shot = async (name: string) => {
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: width < 400 ? 700 : 800 });
        await page.waitForTimeout(150);
        const cut = await page.evaluate<string[]>(CUT);
        for (const each of new Set(cut)) appendFileSync(`${OUT}/cut.txt`, `${name} ${locale} ${width}: ${each}\n`);
        for (const colorScheme of de ? (['light'] as const) : (['light', 'dark'] as const)) {
          await page.emulateMedia({ colorScheme });
          await page.screenshot({ path: `${OUT}/${name}-${de ? 'de' : 'en'}-${colorScheme}-${width}.png` });
        }
      }
      await page.emulateMedia({ colorScheme: 'light' });
      await page.setViewportSize({ width: 1440, height: 900 });
    };
    const state = async (name: string, work: () => Promise<void>) => {
      try {
        await work();
        await shot(name);
      } catch (error) {
        appendFileSync(`${OUT}/cut.txt`, `${name} ${locale} FAILED ${String(error).slice(0, 600)}\n`);
        await page.screenshot({ path: `${OUT}/${name}-${locale}-FAILED.png` });
      }
      for (let n = 0; n < 2; n++) await page.keyboard.press('Escape');
    };
    context.setDefaultTimeout(20_000);
    const L = (en: string, d: string) => (de ? d : en);
    await state('01-list', async () => {
      await goTo(page, '/list?status=SUBMITTED&status=APPROVED&deliveryDateFrom=2020-01-01&sort=deliveryDate');
      await page.getByRole('row').nth(3).waitFor();
    });
    await state('02-board', async () => {
      await goTo(page, '/board');
      await page.getByRole('article').first().waitFor();
    });
    await state('03-calendar', async () => {
      await goTo(page, '/calendar?by=delivery');
      await page.getByRole('article').first().waitFor();
    });
    await state('04-conflict', async () => {
      await goTo(page, `/shipments/${id}/edit`);
      const field = (name: string) => page.getByRole('form').getByLabel(name, { exact: true });
      await field(L('Delivery date', 'Lieferdatum'))
        .or(page.locator('input[type=date]').nth(1))
        .first()
        .fill('2027-04-11');
      await page.locator('textarea').first().fill('The piano stays upright. Please ring three times at the side door.');
      await ben.shipments.update(id, {
        deliveryDate: '2027-04-02',
        customerRemarks: 'The piano stays upright. Please ring twice at the front door.',
        estimatedWeight: 4750,
      });
      await page.waitForTimeout(1500);
      await page
        .getByRole('form')
        .getByRole('button', { name: L('Save', 'Speichern'), exact: true })
        .click();
      await page.getByRole('dialog').waitFor();
    });
    await page.goto(`${world.service.url}/console/list`);
    await page
      .getByLabel('Token', { exact: true })
      .fill(await world.token('Maximiliane von Hohenfels', { scope: `${ALL_SCOPES} keys:read keys:write` }));
    await page.locator('form button').first().click();
    await page.locator('header nav').waitFor();
    await state('05-many', async () => {
      await goTo(page, '/list?status=SUBMITTED');
      await page.getByRole('row').nth(3).waitFor();
      for (const n of [1, 2, 3]) await page.getByRole('row').nth(n).getByRole('checkbox').check();
      await page.getByRole('button', { name: L('Change status…', 'Status ändern …') }).click();
      await page.getByRole('dialog').getByRole('radio').nth(1).check();
    });
    await state('06-undo', async () => {
      await goTo(page, '/list?status=SUBMITTED');
      await page.getByRole('row').nth(3).waitFor();
      const approved = (await ben.shipments.list({ status: ['APPROVED'], limit: 1 }).page()).items[0];
      await goTo(page, `/shipments/${approved?.id}`);
      await page.getByRole('button', { name: L('Change status…', 'Status ändern …') }).click();
      await page.getByRole('dialog').getByRole('radio').nth(1).check();
      await page.getByRole('dialog').locator('footer button').last().click();
      const undo = page
        .getByRole('status')
        .getByRole('button', { name: L('Undo', 'Rückgängig') })
        .first();
      await undo.focus();
    });
    const csv = (text: string, name: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
    await state('07-ambiguous', async () => {
      const { items } = await ben.shipments.list({ limit: 3 }).page();
      const lines = items.map(({ id: s, eTag }, n) => `${s},${eTag},"${4 + n},500",${n + 1}/2/2027`);
      await goTo(page, '/imports');
      await page
        .locator('input[type=file]')
        .setInputFiles(
          csv(
            ['id,eTag,estimatedWeight,deliveryDate', ...lines].join('\n'),
            'Sendungen der Woche 47, korrigiert von Maximiliane.csv',
          ),
        );
      await page.getByRole('radio').first().waitFor();
    });
    await state('08-result', async () => {
      const { items } = await ben.shipments.list({ status: ['SUBMITTED'], limit: 5 }).page();
      for (const { id: s } of items)
        await carla.shipments.update(s, {
          estimatedWeight: 3000,
          customerRemarks: 'Carla says something longer here about the delivery',
        });
      const lines = items.map(({ id: s, eTag }) => `${s},${eTag},5000,"Somebody else wrote these remarks",${day(3)}`);
      lines.push(',,a lot,,2027-02-30', `${items[0]?.id},x,1,,`);
      await goTo(page, '/imports');
      await page
        .locator('input[type=file]')
        .setInputFiles(csv(['id,eTag,estimatedWeight,customerRemarks,deliveryDate', ...lines].join('\n'), 'week.csv'));
      const settle = page.getByRole('button', { name: L('Settle the conflict of line', 'Konflikt der Zeile') });
      await settle.first().click();
      for (const g of await page
        .getByRole('dialog')
        .getByRole('radiogroup')
        .or(page.getByRole('dialog').locator('fieldset'))
        .all())
        await g.getByRole('radio').first().check();
      await page
        .getByRole('dialog')
        .getByRole('button', { name: L('Save', 'Speichern'), exact: true })
        .click();
      await page.getByText(L('Settled', 'Gelöst'), { exact: true }).first().waitFor();
    });
    await state('09-deleted', async () => {
      const { items } = await ben.shipments.list({ limit: 4 }).page();
      for (const s of items.slice(0, 3)) await ben.shipments.delete(s.id);
      await goTo(page, '/deleted');
      await page
        .getByRole('button', { name: L('Preview', 'Vorschau') })
        .first()
        .click();
      await page.waitForTimeout(700);
    });
    await state('10-keys', async () => {
      if (!de)
        for (const name of ['Tariff robot of the head office in Bremerhaven', 'Excel'])
          await (await stage.world.colleague('x'),
          fetch(`${world.service.url}/v1/keys`, {
            method: 'POST',
            headers: {
              Authorization: `Bearer ${await world.token('Ann', { scope: `${ALL_SCOPES} keys:read keys:write` })}`,
              'Content-Type': 'application/json',
            },
            body: JSON.stringify({ name, scopes: ['moves:read', 'shipments:read', 'shipments:write'] }),
          }));
      await goTo(page, '/keys');
      await page.locator('main li, main [role=row]').nth(1).waitFor();
    });
    writeFileSync(`${OUT}/done-${locale}`, '');
    await stage.leave();
  });
});
