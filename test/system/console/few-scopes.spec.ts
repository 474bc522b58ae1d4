import type { Page } from 'playwright-core';
import { describeInBrowser } from '../../support/repository/browser.js';
import { LOOPBACK } from '../../support/records/webhooks.js';
import { Stage, useWorld } from './harness.js';

describeInBrowser('somebody who may read neither moves nor shipments', () => {
  const stage = useWorld(new Stage(), LOOPBACK);
  const scope = 'webhooks:read webhooks:write';
  let page: Page;
  let asked: string[];

  const open = async (view: string) => {
    const context = await stage.world.context();
    page = await stage.world.tab(context);
    asked = [];
    page.on('request', (request) => {
      if (request.url().includes('/v1/events')) asked.push(request.url());
    });
    await page.goto(`${stage.world.service.url}/console${view}`);
    await stage.world.signIn(page, await stage.world.token('Wanda', { scope }));
  };

  test('does not ask for events, until signing in with the right to', async () => {
    await open('/webhooks');
    await page.getByText('There are no webhooks yet.').waitFor();
    // The page reads them again and again, more slowly than it asked for events.
    for (let read = 0; read < 2; read += 1)
      await page.waitForResponse((response) => response.url().includes('/v1/webhooks'));
    expect(asked).toEqual([]);
    expect(await page.getByText('Connecting', { exact: true }).count()).toBe(0);
    const expired = await stage.world.token('Wanda', { scope, expires: -60 });
    await page.route('**/v1/webhooks?*', (route, request) =>
      route.continue({ headers: { ...request.headers(), authorization: `Bearer ${expired}` } }),
    );
    await page.getByRole('heading', { name: 'Sign in again' }).waitFor();
    await page.unrouteAll();
    await stage.world.signIn(page, await stage.world.token('Wanda'));
    await page.getByText('Live', { exact: true }).waitFor();
  });

  test('is told so by a view of shipments', async () => {
    await open('/');
    await page.getByText(/lacks the scope shipments:read/).waitFor();
    expect(asked).toEqual([]);
  });
});
