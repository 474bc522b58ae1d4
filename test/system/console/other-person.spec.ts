import type { Page } from 'playwright-core';
import { describeInBrowser } from '../../support/repository/browser.js';
import { accessibilityFaults, SHIPMENT, Stage, useWorld } from './harness.js';

describeInBrowser('a computer that several people use', () => {
  const stage = useWorld(new Stage());
  let id: string;

  beforeEach(async () => {
    ({ id } = await stage.ben.shipments.create(SHIPMENT));
  });

  const field = (page: Page, name: string) => page.getByRole('form').getByLabel(name, { exact: true });
  const openAsAnn = async (view: string, context = stage.world.context()) =>
    stage.world.open(await context, view, await stage.world.token('Ann'));
  const isSignedOut = (page: Page) => page.getByRole('heading', { name: 'Waybill' }).waitFor();

  /** Every write of the page meets an expired token. */
  async function expire(page: Page): Promise<() => void> {
    const expired = await stage.world.token('Ann', { expires: -60 });
    let isExpired = true;
    await page.route('**/v1/shipments/*', (route, request) =>
      isExpired && request.method() === 'PATCH'
        ? route.continue({ headers: { ...request.headers(), authorization: `Bearer ${expired}` } })
        : route.continue(),
    );
    return () => {
      isExpired = false;
    };
  }

  test('who signs in over the session of another starts anew, and sends nothing of the other', async () => {
    const page = await openAsAnn(`/shipments/${id}/edit`);
    await field(page, 'Customer remarks').fill('Typed by Ann.');
    const renew = await expire(page);
    await page.getByRole('form').getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { name: 'Sign in again' }).waitFor();
    renew();
    const carla = await stage.world.token('Carla');
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.headers()['authorization'] === `Bearer ${carla}`) sent.push(request.method());
    });
    await stage.world.signIn(page, carla);
    await page.getByText('The page was reloaded, because somebody else is signing in.').waitFor();
    expect(await accessibilityFaults(page, 'somebody-else')).toEqual([]);
    await stage.world.signIn(page, carla);
    await page.getByRole('form').waitFor();
    expect(await field(page, 'Customer remarks').inputValue()).toBe(SHIPMENT.customerRemarks);
    expect(sent.filter((method) => method !== 'GET')).toEqual([]);
    const { items } = await stage.ben.shipments.history(id).page();
    expect(items.map(({ type }) => type)).toEqual(['created']);
  });

  test('her own draft waits for the one who typed it', async () => {
    const page = await openAsAnn(`/shipments/${id}/edit`);
    await field(page, 'Customer remarks').fill('Typed by Ann.');
    await page.reload();
    await stage.world.signIn(page, await stage.world.token('Carla'));
    await page.getByRole('form').waitFor();
    expect(await field(page, 'Customer remarks').inputValue()).toBe(SHIPMENT.customerRemarks);
    await page.reload();
    await stage.world.signIn(page, await stage.world.token('Ann'));
    await page.getByRole('form').waitFor();
    expect(await field(page, 'Customer remarks').inputValue()).toBe('Typed by Ann.');
  });

  test('what another person wrote in this browser is theirs', async () => {
    const page = await openAsAnn(`/shipments/${id}/edit`);
    await field(page, 'Customer remarks').fill('Written by Ann.');
    await page.getByRole('form').getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText(/^Saved\./).waitFor();
    await page.getByText('You', { exact: true }).first().waitFor();
    await page.reload();
    await stage.world.signIn(page, await stage.world.token('Carla'));
    await page.locator('strong').getByText('Ann', { exact: true }).waitFor();
    expect(await page.getByText('You', { exact: true }).count()).toBe(0);
  });

  test('signing out ends every tab of hers, and leaves no answer in the browser', async () => {
    const context = stage.world.context();
    const page = await openAsAnn(`/shipments/${id}`, context);
    const other = await openAsAnn('/list', context);
    await page.getByRole('heading', { name: 'HHG' }).waitFor();
    await other.getByRole('row').nth(1).waitFor();
    await page.getByRole('button', { name: 'Ann' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out', exact: true }).click();
    await isSignedOut(page);
    await isSignedOut(other);
    const kept = await page.evaluate(`(async () => {
      const found = [];
      const from = performance.getEntriesByType('resource').map(({ name }) => name);
      for (const url of [...from, '/v1/shipments/${id}?expand=move%2Cagents%2Cservices']) {
        if (!url.includes('/v1/')) continue;
        const answer = await fetch(url, { cache: 'only-if-cached', mode: 'same-origin' }).catch(() => undefined);
        if (answer?.ok) found.push(url);
      }
      return found;
    })()`);
    expect(kept).toEqual([]);
  });

  test('signing out can discard what was typed, too', async () => {
    const page = await openAsAnn(`/shipments/${id}/edit`);
    await field(page, 'Customer remarks').fill('Nobody else must read this.');
    await page.getByRole('button', { name: 'Ann' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('1 draft is kept in this browser.', { exact: false }).waitFor();
    expect(await accessibilityFaults(page, 'sign-out-with-drafts')).toEqual([]);
    await dialog.getByRole('button', { name: 'Sign out and discard drafts' }).click();
    await isSignedOut(page);
    expect(await page.evaluate('JSON.stringify({ ...localStorage })')).not.toContain('Nobody else');
  });

  test('signing out can discard a change of many, also while another tab waits for it', async () => {
    const context = stage.world.context();
    const page = await openAsAnn('/list', context);
    const other = await openAsAnn('/list', context);
    await other.route('**/v1/shipments/bulk', () => undefined);
    await other.getByRole('row').nth(1).getByRole('checkbox').check();
    await other.getByRole('button', { name: 'Change status…' }).click();
    await other.getByRole('radio', { name: /^Approved/ }).check();
    await other.getByRole('button', { name: 'Change 1 to Approved' }).click();
    await other.getByRole('button', { name: 'Stop' }).waitFor();
    await page.getByRole('button', { name: 'Ann' }).click();
    await page.getByRole('dialog').getByText('1 draft is kept in this browser.', { exact: false }).waitFor();
    await page.getByRole('button', { name: 'Sign out and discard drafts' }).click();
    await isSignedOut(page);
    await isSignedOut(other);
    expect(await page.evaluate('JSON.stringify({ ...localStorage })')).not.toContain('Main Street');
  });
});
