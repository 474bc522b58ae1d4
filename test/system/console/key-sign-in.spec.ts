import { WaybillClient, type NewKey } from '@waybill/client';
import { describeInBrowser } from '../../support/repository/browser.js';
import { startApp } from '../../support/service/service.js';
import { accessibilityFaults, ALL_SCOPES, SHIPMENT, Stage, useWorld } from './harness.js';

const SCOPES = [...ALL_SCOPES.split(' '), 'keys:read', 'keys:write'] as NewKey['scopes'];

describeInBrowser('a console whose service believes nothing but API keys', () => {
  const stage = useWorld(new Stage(), { AUTH_MODE: 'jwt,keys' });
  /** Signs in with tokens at the other replica. */
  let admin: WaybillClient;
  let url: string;
  let stop: () => Promise<void>;

  beforeAll(async () => {
    const { service } = stage.world;
    const started = await startApp({ AUTH_MODE: 'keys', POOL_SIZE: '5', WEBHOOKS: 'off' }, service.databaseUrl);
    url = started.url;
    stop = () => started.app.close();
    admin = new WaybillClient({
      baseUrl: service.url,
      token: await stage.world.token('Ben', { scope: SCOPES.join(' ') }),
    });
  });
  afterAll(() => stop());

  test('a revoked key is asked for again on top of the form, and what was typed is saved with another one', async () => {
    const scopes = [...SCOPES.slice(0, -2)];
    const [first, second] = [
      await admin.keys.create({ name: 'Ann', scopes }),
      await admin.keys.create({ name: 'Ann, new', scopes }),
    ];
    const { id } = await admin.shipments.create(SHIPMENT);
    const page = await stage.world.tab(await stage.world.context());
    await page.goto(`${url}/console/shipments/${id}/edit`);
    const enter = async (key: string | null) => {
      await page.getByLabel('API key', { exact: true }).fill(key ?? '');
      await page.getByRole('button', { name: 'Use this key' }).click();
    };
    await enter('wb_nothing');
    await page.getByText('This is not an API key.').waitFor();
    expect(await accessibilityFaults(page, 'key-sign-in')).toEqual([]);
    await enter(first.key);
    const remarks = page.getByRole('form').getByLabel('Customer remarks');
    await remarks.waitFor();
    await page.reload();
    await remarks.fill('Typed before it was revoked.');
    expect(await page.getByRole('link', { name: 'API keys' }).count()).toBe(0);

    await admin.keys.delete(first.id);
    await page.getByRole('heading', { name: 'Sign in again' }).waitFor();
    await page.getByText('The service does not accept this key: The API key is unknown').waitFor();
    expect(await accessibilityFaults(page, 'key-revoked')).toEqual([]);
    await enter(second.key);
    await page.getByRole('form').getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText(/^Saved\./).waitFor();
    const { items } = await admin.shipments.history(id).page();
    expect(items.map(({ changedBy }) => changedBy)).toEqual(['Ann, new', 'Ben']);

    await page.getByRole('button', { name: 'API key' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByLabel('API key', { exact: true }).waitFor();
    expect(await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')).not.toContain('wb_');
  });
});
