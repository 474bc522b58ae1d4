import { WaybillClient } from '@waybill/client';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../../support/repository/browser.js';
import { accessibilityFaults, ALL_SCOPES, Stage, useWorld } from './harness.js';

const SCOPES = `${ALL_SCOPES} keys:read keys:write`;
const MESSAGES = {
  en: {
    locale: 'en-US',
    link: 'API keys',
    create: 'New key',
    name: 'Name (required)',
    createIt: 'Create key',
    stored: 'I have stored it',
    rotate: 'Replace…',
    rotateIt: 'Replace',
    revoke: 'Revoke…',
    revokeIt: 'Revoke',
    revoked: 'Carrier North was revoked.',
    empty: 'There are no API keys yet.',
  },
  de: {
    locale: 'de-DE',
    link: 'API-Schlüssel',
    create: 'Neuer Schlüssel',
    name: 'Name (erforderlich)',
    createIt: 'Schlüssel anlegen',
    stored: 'Ich habe ihn gespeichert',
    rotate: 'Ersetzen …',
    rotateIt: 'Ersetzen',
    revoke: 'Widerrufen …',
    revokeIt: 'Widerrufen',
    revoked: 'Carrier North wurde widerrufen.',
    empty: 'Es gibt noch keine API-Schlüssel.',
  },
};

describeInBrowser('API keys in the console', () => {
  const stage = useWorld(new Stage(), { AUTH_MODE: 'jwt,keys' });
  let ann: WaybillClient;
  let ben: WaybillClient;

  beforeAll(async () => {
    const as = async (name: string) => {
      const token = await stage.world.token(name, { scope: SCOPES });
      return new WaybillClient({ baseUrl: stage.world.service.url, token });
    };
    ann = await as('Ann');
    ben = await as('Ben');
  });
  afterEach(async () => {
    for (const { id } of (await ann.keys.list().page()).items) await ann.keys.delete(id);
  });

  const open = async (view: string, scope = SCOPES, context = stage.world.context()) =>
    stage.world.open(await context, view, await stage.world.token('Ann', { scope }));
  const works = async (key: string) => {
    const answer = await fetch(`${stage.world.service.url}/v1/moves`, { headers: { Authorization: `Bearer ${key}` } });
    await answer.body?.cancel();
    return answer.status === 200;
  };
  const secretOn = async (page: Page) => (await page.getByText(/^wb_\w+$/).textContent()) ?? '';
  /** All that the browser keeps of a page. */
  const keptBy = (page: Page) =>
    page.evaluate<string>(`(async () => {
      const databases = await indexedDB.databases();
      const cached = await caches.keys();
      return JSON.stringify([{ ...localStorage }, { ...sessionStorage }, databases, cached, history.state, location.href]);
    })()`);
  const create = (fields = {}) =>
    ann.keys.create({ name: 'Carrier North', scopes: ['moves:read', 'shipments:read'], ...fields });

  test.each(Object.values(MESSAGES))('from the creation to the end ($locale)', async (texts) => {
    const context = await stage.world.context({ locale: texts.locale, viewport: { width: 320, height: 800 } });
    const page = await stage.world.tab(context);
    await page.goto(`${stage.world.service.url}/console/keys`);
    await page.locator('textarea').fill(await stage.world.token('Ann', { scope: SCOPES }));
    await page.locator('form button[type=submit]').click();
    await page.getByText(texts.empty).waitFor();
    await page.getByRole('button', { name: texts.create }).click();
    await page.getByLabel(texts.name).fill('Carrier North');
    await page.getByLabel('moves:read').check();
    expect(await accessibilityFaults(page, `new-key-${texts.locale}`)).toEqual([]);
    await page.getByRole('button', { name: texts.createIt }).click();
    const key = await secretOn(page);
    expect(await works(key)).toBe(true);
    expect(await accessibilityFaults(page, `key-shown-${texts.locale}`)).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await secretOn(page)).toBe(key);
    await page.getByRole('button', { name: texts.stored }).click();
    expect(await page.content()).not.toContain(key);
    expect(await keptBy(page)).not.toContain(key);
    expect(await accessibilityFaults(page, `keys-${texts.locale}`)).toEqual([]);
    await page.getByRole('link', { name: 'Carrier North' }).click();
    await page.getByRole('button', { name: texts.rotate }).click();
    await page.getByRole('dialog').getByRole('button', { name: texts.rotateIt, exact: true }).click();
    const next = await secretOn(page);
    expect([next === key, await works(next), await works(key)]).toEqual([false, true, true]);
    expect(await keptBy(page)).not.toContain(next);
    await page.goBack();
    expect(await page.content()).not.toContain(next);
    await page.goForward();
    await page.getByRole('button', { name: texts.revoke }).click();
    expect(await page.content()).not.toContain(next);
    expect(await accessibilityFaults(page, `revoke-key-${texts.locale}`)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: texts.revokeIt, exact: true }).click();
    await page.getByText(texts.revoked).waitFor();
    await page.getByText(texts.empty).waitFor();
    expect((await ann.keys.list().page()).items).toEqual([]);
  });

  test('two changes at once are merged, or asked about, and nothing is overwritten', async () => {
    const { id, eTag } = await create();
    const page = await open(`/keys/${id}`);
    await page.getByRole('button', { name: 'Change…' }).click();
    await page.getByRole('dialog').getByLabel('Name (required)').fill('Mine');
    await ben.keys.patch(id, { scopes: ['moves:read'] }, { ifMatch: eTag });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Key saved. Ben also changed scopes.').waitFor();
    expect(await ann.keys.get(id)).toMatchObject({ name: 'Mine', scopes: ['moves:read'] });

    await page.getByRole('button', { name: 'Change…' }).click();
    await page.getByRole('dialog').getByLabel('shipments:status').check();
    const { eTag: next } = await ann.keys.get(id);
    await ben.keys.patch(id, { scopes: ['shipments:read'] }, { ifMatch: next });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('shipments:read', { exact: true }).last().waitFor();
    expect(await ann.keys.get(id)).toMatchObject({ scopes: ['shipments:read'] });
    expect(await accessibilityFaults(page, 'key-conflict')).toEqual([]);
    const choice = page.getByRole('dialog').getByRole('radio');
    await choice.nth(1).check();
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).last().click();
    await page.getByText('Key saved.').last().waitFor();
    expect(await ann.keys.get(id)).toMatchObject({ scopes: ['moves:read', 'shipments:status'] });
  });

  test('a key is replaced once if two tabs replace it at the same moment', async () => {
    const { id } = await create();
    const context = await stage.world.context();
    const pages = [
      await open(`/keys/${id}`, SCOPES, Promise.resolve(context)),
      await open(`/keys/${id}`, SCOPES, Promise.resolve(context)),
    ];
    for (const page of pages) await page.getByRole('button', { name: 'Replace…' }).click();
    for (const page of pages) await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click();
    const [one, other] = pages as [Page, Page];
    expect(await works(await secretOn(one))).toBe(true);
    await other.getByText('Not replaced: somebody has changed or replaced this key').waitFor();
  });

  test('a key whose creation got no answer exists once, and says that it must be replaced', async () => {
    const page = await open('/keys');
    let requests = 0;
    await page.route('**/v1/keys', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      requests += 1;
      const answer = await route.fetch();
      return requests <= 4 ? route.abort() : route.fulfill({ response: answer });
    });
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('Name (required)').fill('Carrier North');
    await page.getByLabel('moves:read').check();
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByText('Try again to find out').waitFor();
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByText('the response that showed it was lost').waitFor();
    await page.getByRole('button', { name: 'Replace…' }).waitFor();
    expect((await ann.keys.list().page()).items).toHaveLength(1);
  });

  test.each([
    ['keys:read', ['New key', 'Change…', 'Replace…', 'Revoke…'], []],
    ['keys:read keys:write', ['Change…', 'Replace…'], ['Revoke…']],
  ])('somebody with %s is offered only what they may do', async (scope, absent, present) => {
    const { id } = await create();
    const page = await open(`/keys/${id}`, scope);
    await page.getByRole('heading', { name: 'Carrier North' }).waitFor();
    for (const name of absent) expect(await page.getByRole('button', { name }).count()).toBe(0);
    for (const name of present) await page.getByRole('button', { name }).waitFor();
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('link', { name: 'Carrier North' }).waitFor();
    if (!scope.includes('write')) return;
    await page.getByRole('button', { name: 'New key' }).click();
    expect(await page.getByRole('dialog').getByRole('checkbox').count()).toBe(2);
  });
});
