import type { Shipment } from '@waybill/client';
import type { Page } from 'playwright-core';
import { eventually } from '../../support/races/eventually.js';
import { describeInBrowser } from '../../support/repository/browser.js';
import { disturbWrites, UNAVAILABLE } from './faults-on-the-way.js';
import { chooseLanguage, goTo, KeptTab, SHIPMENT, useWorld } from './harness.js';
import { hasFocus } from './keyboard.js';

/** The labels of a form that take more than a line, or are cut beside the mark of a required field. */
const WRAPPED = `[...document.querySelectorAll('form label')].flatMap((label) => {
  const { fontSize } = getComputedStyle(label);
  const text = document.createRange();
  text.selectNodeContents(label);
  const mark = parseFloat(getComputedStyle(label, '::before').width) || 0;
  const isCut = text.getBoundingClientRect().width + mark > label.clientWidth + 1;
  return isCut || label.offsetHeight > 2 * parseFloat(fontSize) ? [label.innerText] : [];
})`;

describeInBrowser('forms of the console', () => {
  const stage = useWorld(new KeptTab(true));
  const { field } = stage;
  let page: Page;
  let shipment: Shipment;

  const open = async (view: string) => {
    await stage.open(view);
    ({ page } = stage);
  };
  const edit = async () => {
    shipment = await stage.ben.shipments.create(SHIPMENT);
    await open(`/shipments/${shipment.id}/edit`);
  };
  const stored = () => stage.ben.shipments.get(shipment.id);
  const isFocused = (selector: string) =>
    eventually(() => hasFocus(page.locator(selector)), 15_000, `the focus on ${selector}`);
  const EDIT = 'a[href$="/edit"]';

  test('a new shipment has suggestions for its type although there is none, and no field that is "changed"', async () => {
    await open('/shipments/new');
    await field('Type').focus();
    const options = await page.evaluate(`[...document.querySelectorAll('datalist option')].map(({ value }) => value)`);
    expect(options).toEqual(['Household goods', 'Storage', 'Car', 'Boat']);
    await field('Type').fill('Boat');
    const mark = `getComputedStyle(document.querySelector('[name="shipmentType"]').parentElement.querySelector('label'), '::after').content`;
    expect(await page.evaluate(mark)).toBe('none');
    await page.getByRole('button', { name: 'Discard' }).click();
  });

  test('labels stay on one line at every width, in both languages', async () => {
    shipment = await stage.ben.shipments.create({ ...SHIPMENT, destinationAddress: null });
    for (const language of ['de', 'en'] as const) {
      await open('/list');
      await chooseLanguage(page, 'Ann', language);
      await goTo(page, `/shipments/${shipment.id}/edit`);
      for (const name of ['shipmentType', 'estimatedWeight', 'pickupAddress/state', 'pickupAddress/postalCode']) {
        await page.locator(`[name="${name}"]`).fill('42');
      }
      for (const width of [320, 390, 660, 720, 1024, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        expect([language, width, await page.evaluate(WRAPPED)]).toEqual([language, width, []]);
      }
    }
    await page.getByRole('button', { name: 'Discard' }).click();
  });

  test('a weight is read with the separators of the page, and what could mean two is asked before anything is sent', async () => {
    await edit();
    const sent: (string | null)[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PATCH') sent.push(request.postData());
    });
    const weight = field('Estimated weight lb');
    await weight.fill('4.200');
    await stage.save();
    await page.getByText('This could mean 4.2 or 4,200.', { exact: false }).waitFor();
    expect(await hasFocus(weight)).toBe(true);
    expect(await weight.getAttribute('aria-invalid')).toBe('true');
    await weight.fill('1.905,5 kg');
    await page.getByText('= 4,201 lb').waitFor();
    await weight.fill('4,200');
    await page.getByText('= 4,200 lb').waitFor();
    await stage.save();
    await stage.isSaved();
    expect([sent, (await stored()).estimatedWeight]).toEqual([['{"estimatedWeight":4200}'], 4200]);
  });

  test('a field that the service refuses is red, and has its message', async () => {
    await edit();
    const state = field('State').first();
    await state.fill('');
    await stage.save();
    await eventually(async () => (await state.getAttribute('aria-invalid')) === 'true', 15_000, 'a refused field');
    const id = (await state.getAttribute('aria-describedby')) ?? '';
    expect(await page.locator(`[id="${id}"]`).innerText()).not.toBe('');
    const colors = `{
      const probe = document.body.appendChild(document.createElement('i'));
      probe.style.color = 'var(--bad)';
      const bad = getComputedStyle(probe).color;
      probe.remove();
      [getComputedStyle(document.querySelector('[aria-invalid="true"]')).borderTopColor, bad];
    }`;
    const [border, bad] = await page.evaluate<string[]>(colors);
    expect(border).toBe(bad);
    await page.getByRole('button', { name: 'Discard' }).click();
  });

  test('the focus stays where it was after a save that failed, and after one that asked', async () => {
    await edit();
    const save = page.getByRole('form').getByRole('button', { name: 'Save', exact: true });
    await field('Customer remarks').fill('Mine.');
    await disturbWrites(page, '**/v1/shipments/*', UNAVAILABLE);
    await save.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('UNAVAILABLE', { exact: false }).waitFor();
    expect(await hasFocus(save)).toBe(true);
    await page.unrouteAll();
    await stage.ben.shipments.update(shipment.id, { customerRemarks: 'Theirs.' });
    await page.keyboard.press('Enter');
    await stage.dialog().waitFor();
    await page.keyboard.press('Escape');
    expect(await hasFocus(save)).toBe(true);
    await page.keyboard.press('Enter');
    await stage.dialog().getByRole('radio', { name: /^You/ }).check();
    await stage.dialog().getByRole('button', { name: 'Save', exact: true }).click();
    await stage.isSaved();
    await isFocused(EDIT);
  });

  test('a red message that is no question goes with its page', async () => {
    await edit();
    await goTo(page, `/shipments/${shipment.id}`);
    await page.getByRole('button', { name: 'Change status…' }).click();
    await stage.dialog().getByRole('radio', { name: 'Approved' }).check();
    let isAsked = (): void => undefined;
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve;
    });
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/updateStatus', async (route) => {
      isAsked();
      await released;
      await route.continue();
    });
    await stage.dialog().getByRole('button', { name: 'Change to Approved' }).click();
    await asked;
    await page.keyboard.press('Escape');
    await stage.ben.shipments.delete(shipment.id);
    release();
    const message = page
      .getByRole('status')
      .getByText('was not changed. This shipment has been deleted.', { exact: false });
    await message.waitFor();
    await goTo(page, '/list');
    await message.waitFor({ state: 'detached' });
  });
});
