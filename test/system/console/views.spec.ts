import type { Page } from 'playwright-core';
import { eventually } from '../../support/races/eventually.js';
import { describeInBrowser } from '../../support/repository/browser.js';
import { accessibilityFaults, goTo, KeptTab, SHIPMENT, useWorld } from './harness.js';

describeInBrowser('finding the way in the console', () => {
  const stage = useWorld(new KeptTab(true));
  let id: string;
  let code: string;
  let moveID: string;
  let page: Page;

  beforeAll(async () => {
    // More than a screen of them.
    const lines = Array.from({ length: 30 }, () => 'Household goods,2027-03-20');
    const { id: importID } = await stage.ben.imports.upload(['shipmentType,deliveryDate', ...lines].join('\n'));
    await stage.ben.imports.apply(importID);
    await stage.ben.imports.wait(importID);
    const made = await stage.ben.shipments.create({ ...SHIPMENT, shipmentType: 'Household goods' });
    ({ id, shipmentCode: code, moveID } = made);
  });

  const open = async (view: string) => {
    await stage.open(view);
    ({ page } = stage);
  };
  const openIn = async (width: number, view: string) => {
    await open(view);
    await page.setViewportSize({ width, height: 700 });
  };
  afterEach(() => page.setViewportSize({ width: 1440, height: 900 }));
  const scrollTop = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => element.scrollTop);

  test('Back restores the scroll position of list and board', async () => {
    for (const [view, scroller, link] of [
      ['/list', '[role="table"] > :last-child', '[role="cell"]:nth-child(2) a'],
      ['/board', 'section:has(article) > :last-child', 'article a'],
    ] as const) {
      await open(view);
      await page.locator(link).nth(12).waitFor();
      await page
        .locator(scroller)
        .first()
        .evaluate((element) => element.scrollTo(0, 700));
      await page.locator(link).nth(12).scrollIntoViewIfNeeded();
      const before = await scrollTop(scroller);
      // Slow machines scroll back a little to the link, if it is not drawn yet.
      expect(before).toBeGreaterThan(100);
      await page.locator(link).nth(12).click();
      await page.getByRole('button', { name: 'Change status…' }).waitFor();
      await page.goBack();
      await page.locator(link).first().waitFor();
      expect(Math.abs((await scrollTop(scroller)) - before)).toBeLessThan(60);
    }
  });

  test('a search that takes too long says how to narrow it', async () => {
    const errors = [{ pointer: '?q', code: 'TOO_BROAD', message: 'takes too long to search for' }];
    const problem = {
      type: '/problems/INVALID_PARAMETER',
      status: 400,
      code: 'INVALID_PARAMETER',
      detail: 'x',
      errors,
    };
    await open('/');
    await page.route('**/v1/shipments?*q=*', (route) =>
      route.fulfill({ status: 400, contentType: 'application/problem+json', body: JSON.stringify(problem) }),
    );
    await goTo(page, '/list?q=household');
    await page.getByText('This search takes too long. Add a word, or a filter that few records match.').waitFor();
    await page.unrouteAll();
  });

  test('every tab has a title of its own', async () => {
    await open('/list');
    const isTitled = (title: string) =>
      eventually(async () => (await page.title()) === title, 30_000, `the title ${title}`);
    await isTitled('Shipments · Waybill');
    await page.getByRole('link', { name: 'Board' }).click();
    await isTitled('Board · Waybill');
    await page.getByRole('link', { name: 'Moves' }).click();
    await isTitled('Moves · Waybill');
    await page.getByLabel('Search shipments and moves').fill(code);
    await page.keyboard.press('Enter');
    await isTitled(`${code} Household goods · Waybill`);
  });

  test('/shipments and /moves are lists', async () => {
    await open('/shipments');
    await page.waitForURL('**/console/list');
    await page.getByRole('link', { name: 'Moves' }).click();
    const { moveCode } = await stage.ben.moves.get(moveID);
    await page.getByLabel('Find by code, order or words').fill(moveCode);
    await page.getByRole('row').filter({ hasText: moveCode }).waitFor();
    await page.getByRole('row').nth(2).waitFor({ state: 'detached' });
    expect(await accessibilityFaults(page, 'moves')).toEqual([]);
    await page.getByRole('link', { name: moveCode }).click();
    await page.getByRole('heading', { name: `Move ${moveCode}` }).waitFor();
  });

  test('a column header sorts, and turns the order round', async () => {
    await open('/list');
    await page.getByRole('button', { name: 'Delivery', exact: true }).click();
    await page.waitForURL('**/list?sort=deliveryDate');
    await page.getByRole('columnheader', { name: 'Delivery' }).getByRole('button').click();
    await page.waitForURL('**/list?sort=-deliveryDate');
    expect(await page.getByRole('columnheader', { name: 'Delivery' }).getAttribute('aria-sort')).toBe('descending');
  });

  test('the type filter ignores case', async () => {
    await open('/list');
    await page.getByRole('row').nth(2).waitFor();
    await page.getByLabel('Type', { exact: true }).fill('household GOODS');
    await page.waitForURL('**/list?shipmentType=Household+goods');
    await page.getByRole('row').nth(2).waitFor();
  });

  test('finished columns are folded until they are opened', async () => {
    await open('/board');
    const delivered = page.getByRole('region', { name: 'Delivered', exact: true });
    const width = async () => (await delivered.boundingBox())?.width ?? 0;
    await delivered.waitFor();
    expect(await width()).toBeLessThan(70);
    await delivered.getByRole('button', { name: 'Show Delivered' }).click();
    expect(await width()).toBeGreaterThan(200);
    await page.reload();
    await stage.world.signIn(page, await stage.world.token('Ann'));
    await delivered.waitFor();
    expect(await width()).toBeGreaterThan(200);
  });

  test('on a phone a row shows code and route, and all filters can be shown', async () => {
    await openIn(390, '/list');
    const row = page.getByRole('row').nth(1);
    await row.getByText(code).waitFor();
    await row.getByText('Springfield, IL → Norfolk, VA').waitFor();
    expect(await page.getByLabel('Delivery from').isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Filters', exact: true }).click();
    for (const name of ['Type', 'Pickup from', 'Delivery from', 'Delivery to']) {
      const box = await page.getByLabel(name, { exact: true }).boundingBox();
      expect(box !== null && box.x >= 0 && box.x + box.width <= 390).toBe(true);
    }
    expect(await accessibilityFaults(page, 'filters')).toEqual([]);
  });

  test('a former version comes into view', async () => {
    for (let weight = 1; weight <= 15; weight += 1) await stage.ben.shipments.update(id, { actualWeight: weight });
    await open(`/shipments/${id}`);
    await page
      .getByRole('link', { name: /as it was then/ })
      .nth(12)
      .click();
    const banner = page.getByText(/^Version of/);
    const isInView = async () => {
      const { y = -1 } = (await banner.boundingBox()) ?? {};
      return y >= 0 && y < 900;
    };
    await eventually(isInView, 30_000, 'the banner in view');
  });

  test('her name does not sign her out: it opens a dialog that can', async () => {
    await open('/list');
    await page.getByRole('button', { name: 'Ann', exact: true }).click();
    await page.getByRole('dialog').getByRole('heading', { name: 'Signed in as Ann' }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
    await stage.world.signIn(page, await stage.world.token('Ann'));
    await page.getByRole('row').first().waitFor();
  });

  test('a notice leaves the buttons of a form free', async () => {
    for (const width of [1440, 390]) {
      await openIn(width, `/shipments/${id}/edit`);
      await page.getByLabel('Customer remarks', { exact: true }).fill('Changed');
      await page.getByRole('button', { name: 'Discard' }).click();
      await page.getByText('Draft discarded.').waitFor();
      const notice = await page.getByText('Draft discarded.').boundingBox();
      const back = await page.getByRole('button', { name: 'Back' }).boundingBox();
      expect((notice?.y ?? 0) + (notice?.height ?? 0)).toBeLessThanOrEqual(back?.y ?? 0);
    }
  });

  test('errors of fields are sentences with the labels of the form, and go away when they are corrected', async () => {
    await open(`/shipments/${id}/edit`);
    await page.getByLabel('Pickup date', { exact: true }).fill('2027-12-24');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Not saved. Correct the marked fields.').waitFor();
    const texts = await page.locator('[aria-invalid="true"] + [id$="-notes"] p').allInnerTexts();
    expect(texts.length).toBeGreaterThan(0);
    for (const text of texts) expect(text).toMatch(/^[A-Z“].*\.$/);
    expect(texts.join(' ')).not.toMatch(/[a-z][A-Z]/);
    await page.getByLabel('Pickup date', { exact: true }).fill('2027-03-02');
    await page.getByLabel('Delivery date', { exact: true }).fill('2027-03-21');
    await page.getByText('Not saved. Correct the marked fields.').waitFor({ state: 'detached' });
  });

  test('a view that fails is replaced, and its drafts are kept', async () => {
    await open(`/shipments/${id}/edit`);
    await page.getByLabel('Customer remarks').fill('Typed before the failure');
    await page.route(`**/v1/shipments/${id}?**`, (route) =>
      route.fulfill({ json: { id, eTag: 'x', updatedAt: '2027-01-01T00:00:00Z', status: 'UNHEARD_OF', agents: 1 } }),
    );
    await page.reload();
    await stage.world.signIn(page, await stage.world.token('Ann'));
    await page.getByRole('heading', { name: 'This page failed' }).waitFor();
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Reload' }).click();
    await stage.world.signIn(page, await stage.world.token('Ann'));
    await page.getByText(/^Restored your draft/).waitFor();
    expect(await page.getByLabel('Customer remarks').inputValue()).toBe('Typed before the failure');
    expect((await stage.leave()).length).toBeGreaterThan(0);
  });

  test('an error can be tried again', async () => {
    await open('/board');
    await page.route('**/v1/shipments?**', (route) => route.abort());
    await goTo(page, '/list?status=SUBMITTED&sort=createdAt');
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('row').nth(1).waitFor();
  });
});
