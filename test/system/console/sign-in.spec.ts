import { WaybillClient } from '@waybill/client';
import type { Page } from 'playwright-core';
import { CLIENT_ID, startOpenIDProvider, type OpenIDProvider } from '../../support/http/openid-provider.mjs';
import { describeInBrowser } from '../../support/repository/browser.js';
import { ALL_SCOPES, ConsoleWorld, DAYS_LATER, SHIPMENT } from './harness.js';

const DISCOVERY = '/.well-known/openid-configuration';

describeInBrowser('signing in by OpenID Connect, at a provider whose token endpoint has another origin', () => {
  let provider: OpenIDProvider;
  let world: ConsoleWorld;

  beforeAll(async () => {
    provider = await startOpenIDProvider({
      path: '/realms/depot',
      splitsOrigins: true,
      scopes: [...ALL_SCOPES.split(' '), 'keys:read', 'keys:write'],
      knowsOnly: ALL_SCOPES.split(' '),
    });
    world = await ConsoleWorld.start({
      JWT_ISSUER: provider.issuer,
      JWT_AUDIENCE: 'urn:waybill',
      JWT_JWKS_URL: provider.keysUrl,
      CONSOLE_CLIENT_ID: CLIENT_ID,
    });
    provider.register(`${world.service.url}/console/signed-in`);
  });
  afterAll(async () => {
    await world.stop();
    await provider.stop();
  });
  afterEach(async () => {
    provider.forgetPlans();
    provider.setToken(() => undefined);
    provider.seen.length = 0;
    expect(await world.leave()).toEqual([]);
  });

  const console = (view = '') => `${world.service.url}/console${view}`;
  const press = (page: Page) => page.getByRole('button', { name: 'Sign in', exact: true }).click();
  const choose = (page: Page, name: string) => page.getByRole('link', { name }).click();
  const isSignedIn = (page: Page, name = 'Ann Porter') => page.getByRole('button', { name }).waitFor();
  const tokenRequests = () => provider.seen.filter((request) => request.startsWith('POST')).length;
  const signInAs = async (name: string, view = '/list', context = world.context()) => {
    const page = await world.tab(await context);
    await page.goto(console(view));
    await press(page);
    await choose(page, name);
    await isSignedIn(page, name);
    return page;
  };
  /** A form with something typed, whose token has expired. */
  const typeIntoExpired = async () => {
    const ben = new WaybillClient({ baseUrl: world.service.url, token: await provider.token('ben') });
    const { id } = await ben.shipments.create(SHIPMENT);
    const page = await signInAs('Ann Porter', `/shipments/${id}/edit`);
    await page.getByRole('form').getByLabel('Customer remarks').fill('Typed before it expired.');
    const expired = provider.token('ann', -60);
    await page.route(
      '**/v1/shipments/*',
      async (route, request) =>
        request.method() === 'PATCH'
          ? route.continue({ headers: { ...request.headers(), authorization: `Bearer ${await expired}` } })
          : route.continue(),
      { times: 1 },
    );
    provider.seen.length = 0;
    return page;
  };
  const save = (page: Page) => page.getByRole('form').getByRole('button', { name: 'Save', exact: true }).click();
  const isSaved = async (page: Page) => {
    await page.getByText('Saved.').waitFor();
    await page.getByRole('definition').filter({ hasText: 'Typed before it expired.' }).waitFor();
  };

  test('leads to the provider and back to the view that was asked for, with the name of the token', async () => {
    const page = await signInAs('Maya Chen', '/list?status=APPROVED');
    expect(page.url()).toBe(console('/list?status=APPROVED'));
    const kept = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');
    expect(kept).not.toMatch(/eyJ/);
    await page.reload();
    await isSignedIn(page, 'Maya Chen');
  });

  test('an expired token is renewed, and nobody notices', async () => {
    const page = await typeIntoExpired();
    await save(page);
    await isSaved(page);
    expect(tokenRequests()).toBe(1);
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  test('a session that cannot be renewed continues through another window, and nothing typed is lost, also with a full storage', async () => {
    const page = await typeIntoExpired();
    await page.evaluate(`Storage.prototype.setItem = () => { throw new Error('full') }`);
    await page.getByRole('form').getByLabel('Customer remarks').press('End');
    provider.plan('/token', ({ request, response, pass }) => {
      if (provider.seen.length > 2) pass();
      else response.writeHead(400, { 'Access-Control-Allow-Origin': '*' }).end('{"error":"invalid_grant"}');
      request.resume();
    });
    await save(page);
    await page.getByRole('heading', { name: 'Sign in again' }).waitFor();
    provider.plan('/token', ({ pass }) => pass());
    const beside = page.waitForEvent('popup');
    await press(page);
    const window = await beside;
    await isSaved(page);
    if (!window.isClosed()) await window.getByText('You can close this window.').waitFor();
  });

  test('a window beside that fails says why, and leaves the form as it is', async () => {
    const page = await typeIntoExpired();
    provider.plan('/token', ({ response }) => response.destroy());
    await save(page);
    await page.getByRole('heading', { name: 'Sign in again' }).waitFor();
    await press(page);
    await page.getByText(`${provider.otherOrigin} does not respond.`).waitFor();
    provider.plan(DISCOVERY, ({ response }) => response.destroy());
    await press(page);
    await page.getByText(`${provider.issuer} does not respond.`).waitFor();
    provider.forgetPlans();
    await press(page);
    await isSaved(page);
  });

  test('who signs out is not let in again without being asked, in no tab', async () => {
    const context = await world.context();
    const page = await signInAs('Ann Porter', '/list', Promise.resolve(context));
    await page.getByRole('button', { name: 'Ann Porter' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    const other = await context.newPage();
    await other.goto(console('/list'));
    await press(other);
    await choose(other, 'Maya Chen');
    await isSignedIn(other, 'Maya Chen');
  });

  test('two tabs sign in at the same time', async () => {
    const context = await world.context();
    const pages = [await world.tab(context), await context.newPage()];
    for (const page of pages) {
      await page.goto(console('/list'));
      await press(page);
      await page.getByRole('link', { name: 'Ann Porter' }).waitFor();
    }
    for (const page of pages.reverse()) {
      await choose(page, 'Ann Porter');
      await isSignedIn(page);
    }
  });

  test('Back from the provider leads to the view, which can sign in', async () => {
    const page = await world.tab(await world.context());
    await page.goto(console('/list'));
    await press(page);
    await page.getByRole('link', { name: 'Ann Porter' }).waitFor();
    await page.goBack();
    await press(page);
    await choose(page, 'Ann Porter');
    await isSignedIn(page);
  });

  /** What the provider does wrong, at which endpoint, and what the page says. `test/console/sign-in-faults.spec.ts` has more. */
  const FAULTS: readonly [what: string, end: string, act: (end: string) => void, says: RegExp][] = [
    ['is down', DISCOVERY, (end) => provider.plan(end, ({ response }) => response.destroy()), /does not respond/],
    [
      'redirects the code',
      '/token',
      (end) =>
        provider.plan(end, ({ response }) =>
          response
            .writeHead(307, { Location: `${provider.otherOrigin}/elsewhere`, 'Access-Control-Allow-Origin': '*' })
            .end(),
        ),
      /does not respond/,
    ],
    [
      'means another audience',
      '/token',
      () => provider.setToken((claims) => Object.assign(claims, { aud: 'other' })),
      /does not accept .*"aud"/,
    ],
  ];

  test.each(FAULTS)('a provider that %s is reported, and asked once', async (_, end, act, says) => {
    const page = await world.tab(await world.context());
    await page.goto(console('/list'));
    if (end === DISCOVERY) act(end);
    else await press(page);
    if (end === DISCOVERY) await press(page);
    else {
      await page.getByRole('link', { name: 'Ann Porter' }).waitFor();
      act(end);
      await choose(page, 'Ann Porter');
    }
    await page.getByText(says).waitFor();
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    expect(tokenRequests()).toBeLessThanOrEqual(1);
    expect(provider.seen.filter((request) => request.includes('elsewhere'))).toEqual([]);
  });

  test('a provider that is slow is waited for, visibly', async () => {
    const page = await signInAs('Ann Porter');
    let goOn = (): void => undefined;
    provider.plan(DISCOVERY, ({ pass }) => (goOn = pass));
    await page.reload();
    await page.getByText('Signing in…').waitFor();
    provider.forgetPlans();
    goOn();
    await isSignedIn(page);
  });

  test('a browser whose clock is three days ahead is let in', async () => {
    const context = await world.context();
    const page = await context.newPage();
    await page.addInitScript(DAYS_LATER);
    await page.goto(console('/list'));
    await press(page);
    await choose(page, 'Ann Porter');
    await isSignedIn(page);
    await page.getByRole('table').waitFor();
  });

  test('tokens of a former key of the provider are renewed', async () => {
    const page = await signInAs('Ann Porter', '/webhooks');
    await provider.rotateKeys();
    const other = await signInAs('Maya Chen', '/webhooks');
    await other.getByText('There are no webhooks yet.').waitFor();
    await page.getByRole('link', { name: 'List' }).click();
    await page.getByRole('table').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });
});
