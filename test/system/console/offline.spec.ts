import type { Page } from 'playwright-core';
import { eventually } from '../../support/races/eventually.js';
import { describeInBrowser } from '../../support/repository/browser.js';
import { goTo, SHIPMENT, Stage, useWorld } from './harness.js';

/** The code of a view that is rarely opened. */
const CALENDAR = '**/console/assets/Calendar-*.js';

describeInBrowser('without the service', () => {
  const stage = useWorld(new Stage());
  let page: Page;

  const openAt = async (view: string) => {
    await page.goto(`${stage.world.service.url}/console${view}`);
    await stage.world.signIn(page, await stage.world.token('Ann'));
  };
  /** A tab that has not fetched the calendar, because `refuse` answered the request for it. */
  const openWithoutCalendar = async (refuse: 'abort' | 'notFound') => {
    page = await stage.world.tab(await stage.world.context());
    let requests = 0;
    await page.route(CALENDAR, (route) => {
      requests += 1;
      return refuse === 'abort' ? route.abort() : route.fulfill({ status: 404, json: {} });
    });
    await openAt('/list');
    await eventually(() => requests > 0, 30_000, 'the request for the calendar');
  };
  /** The browser's console names nothing but the missing view. */
  const isOnlyMissing = async () => {
    const faults = await stage.leave();
    expect(faults.filter((fault) => !fault.includes('The code of a view cannot be fetched'))).toEqual([]);
  };
  const calendar = () => page.getByRole('button', { name: 'Previous month' });
  const open = (name: string) => page.getByRole('link', { name, exact: true }).click();

  test('a view that was not opened before opens offline', async () => {
    page = await stage.world.open(await stage.world.context(), '/list', await stage.world.token('Ann'));
    const fetched = () =>
      page.evaluate<string[]>(`performance.getEntriesByType('resource').map(({ name }) => name.split('/').at(-1))`);
    const isFetched = async () => (await fetched()).some((name) => name.startsWith('WebhookPage-'));
    await eventually(isFetched, 30_000, 'the code of the last view');
    await page.context().setOffline(true);
    await open('Calendar');
    await calendar().waitFor();
    await open('Import');
    await page.getByRole('heading', { name: 'Import shipments' }).waitFor();
    await page.getByRole('button', { name: 'Ann', exact: true }).click();
    await page.getByRole('heading', { name: 'Signed in as Ann' }).waitFor();
  });

  test('a view that is missing says so, and comes back by itself', async () => {
    await openWithoutCalendar('abort');
    await page.context().setOffline(true);
    await open('Calendar');
    await page.getByRole('heading', { name: 'Not available offline' }).waitFor();
    await page.unroute(CALENDAR);
    await page.context().setOffline(false);
    await calendar().waitFor();
    const display = await page.evaluate(`getComputedStyle(document.querySelector('[data-day]').parentElement).display`);
    expect(display).toBe('grid');
    await isOnlyMissing();
  });

  test('a record that could not be read is read when the service is back', async () => {
    const [first, other] = [await stage.ben.shipments.create(SHIPMENT), await stage.ben.shipments.create(SHIPMENT)];
    const context = await stage.world.context();
    page = await stage.world.open(context, `/shipments/${first.id}`, await stage.world.token('Ann'));
    await page.getByRole('heading', { name: first.shipmentCode }).waitFor();
    await context.setOffline(true);
    await goTo(page, `/shipments/${other.id}`);
    await page.getByText('The service is not responding.').waitFor();
    await context.setOffline(false);
    await page.getByRole('heading', { name: other.shipmentCode }).waitFor();
  });

  test('the page is loaded anew once the service no longer has the code of a view, because it was upgraded', async () => {
    await openWithoutCalendar('notFound');
    const loaded = page.waitForEvent('load');
    await open('Calendar');
    await loaded;
    await page.unroute(CALENDAR);
    await stage.world.signIn(page, await stage.world.token('Ann'));
    await calendar().waitFor();
    await isOnlyMissing();
  });

  test.each(['index', 'App', 'style'])('a first load that lacks %s, during an upgrade, is repeated', async (name) => {
    page = await stage.world.tab(await stage.world.context());
    await page.route(`**/console/assets/${name}-*`, (route) => route.fulfill({ status: 404, json: {} }), { times: 1 });
    let loads = 0;
    page.on('framenavigated', () => (loads += 1));
    await page.goto(`${stage.world.service.url}/console/list`, { waitUntil: 'commit' });
    await eventually(() => loads === 2, 30_000, 'the second load');
    await page.getByLabel('Token', { exact: true }).waitFor();
    await stage.leave();
  });

  test('Reload keeps the console while the service cannot be reached', async () => {
    const { id } = await stage.ben.shipments.create(SHIPMENT);
    page = await stage.world.tab(await stage.world.context());
    await page.route(`**/v1/shipments/${id}?**`, (route) =>
      route.fulfill({ json: { id, eTag: 'x', status: 'NEW', agents: 1 } }),
    );
    await openAt(`/shipments/${id}`);
    await page.getByRole('heading', { name: 'This page failed' }).waitFor();
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByText('The service is not responding.').waitFor();
    await page.unroute(`**/v1/shipments/${id}?**`);
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Reload' }).click();
    await stage.world.signIn(page, await stage.world.token('Ann'));
    await page.getByRole('heading', { name: 'HHG' }).waitFor();
    expect((await stage.leave()).length).toBeGreaterThan(0);
  });
});
