import { WaybillClient } from '@waybill/client';
import type { Browser, Page } from 'playwright-core';
import { untilBlocked } from '../../support/database/activity.js';
import { Replica } from '../../support/service/replica.js';
import { connect, createTestDatabase, type TestDatabase } from '../../support/database/test-database.js';
import { describeInBrowser, launchBrowser } from '../../support/repository/browser.js';
import { SHIPMENT } from './harness.js';

describeInBrowser('what was typed, when the service is killed in the middle of a save', () => {
  let database: TestDatabase;
  let replica: Replica;
  let browser: Browser;
  let page: Page;
  let client: WaybillClient;
  let id: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    replica = await Replica.start({ DATABASE_URL: database.url });
    browser = await launchBrowser();
    client = new WaybillClient({ baseUrl: replica.url });
  });
  afterAll(async () => {
    await browser.close();
    await replica.kill();
    await database.drop();
  });

  beforeEach(async () => {
    ({ id } = await client.shipments.create(SHIPMENT));
    page = await browser.newPage();
    page.setDefaultTimeout(90_000);
    await page.goto(`${replica.url}/console/shipments/${id}/edit`);
    await page.getByLabel('Customer remarks', { exact: true }).fill('Typed before the crash.');
  });
  afterEach(() => page.close());

  const save = () => page.getByRole('button', { name: 'Save', exact: true }).click();

  async function writes(): Promise<number> {
    const { items } = await client.shipments.history(id).page();
    return items.filter(({ type }) => type === 'updated').length;
  }

  async function findDraftAndSave(): Promise<void> {
    await page.goto(`${replica.url}/console/shipments/${id}/edit`);
    await page.getByText(/^Restored your draft from .*\.$/).waitFor();
    expect(await page.getByLabel('Customer remarks', { exact: true }).inputValue()).toBe('Typed before the crash.');
    await save();
    await page.getByText(/^Saved\./).waitFor();
    expect(await writes()).toBe(1);
    expect((await client.shipments.get(id)).customerRemarks).toBe('Typed before the crash.');
  }

  test('is found again, and saved once, when nothing had been written', async () => {
    const sql = await connect(database.url);
    await sql.query('BEGIN');
    await sql.query('SELECT FROM shipments WHERE id = $1 FOR UPDATE', [id]);
    await save();
    await untilBlocked(sql);
    await replica.kill();
    await sql.query('ROLLBACK');
    await sql.end();
    await page.getByText(/^This may not have been saved\./).waitFor();
    await replica.startAgain();
    expect(await writes()).toBe(0);
    await findDraftAndSave();
  });

  test('is found again, and not written twice, when only the answer was lost', async () => {
    await page.route('**/v1/shipments/*', async (route, request) => {
      if (request.method() !== 'PATCH') return route.continue();
      await route.fetch().catch(() => undefined);
      return route.abort();
    });
    await save();
    await page.getByText(/^This may not have been saved\./).waitFor();
    expect(await writes()).toBe(1);
    await page.unrouteAll();
    await findDraftAndSave();
  });
});
