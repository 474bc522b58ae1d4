import type { Page } from 'playwright-core';
import { describeInBrowser } from '../../support/repository/browser.js';
import { Receiver, verifyByReference } from '../../support/http/receiver.js';
import { LOOPBACK } from '../../support/records/webhooks.js';
import { accessibilityFaults, KeptTab, useWorld } from './harness.js';
import { Keyboard } from './keyboard.js';

describeInBrowser('webhooks in the console', () => {
  const stage = useWorld(new KeptTab(true), LOOPBACK);
  let receiver: Receiver;
  let page: Page;

  beforeEach(async () => {
    receiver = await Receiver.start();
    await stage.open('/webhooks');
    ({ page } = stage);
  });
  afterEach(async () => {
    await receiver.stop();
    for (const { id } of (await stage.ben.webhooks.list().page()).items) await stage.ben.webhooks.delete(id);
  });

  const inDialog = (name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true }).click();

  /** Creates a webhook on the page and returns the secret that it shows; `look` sees both dialogs. */
  const create = async (look: (name: string) => Promise<void> = () => Promise.resolve()): Promise<string> => {
    await page.getByRole('button', { name: 'New webhook' }).click();
    await page.getByLabel('URL of the receiver (required)').fill(receiver.url);
    await page.getByLabel('Description').fill('Partner');
    await page.getByLabel('shipment.created').check();
    await look('new-webhook');
    await page.getByRole('button', { name: 'Create webhook' }).click();
    const secret = await page.getByText(/^whsec_/).textContent();
    await look('secret');
    await page.getByRole('button', { name: 'I have stored it' }).click();
    return secret ?? '';
  };

  test('from the creation to a delivery', async () => {
    await page.getByText('There are no webhooks yet.').waitFor();
    const isAccessible = async (name: string) => expect(await accessibilityFaults(page, name)).toEqual([]);
    const isAccessibleOnPhone = async (name: string) => {
      await page.setViewportSize({ width: 390, height: 900 });
      await isAccessible(name);
      await page.setViewportSize({ width: 1440, height: 900 });
    };
    const secret = await create(isAccessible);
    await isAccessible('webhooks');
    await isAccessibleOnPhone('webhooks');
    await page.getByRole('link', { name: receiver.url }).click();
    await page.getByText('Nothing was sent yet.').waitFor();
    await page.getByRole('button', { name: 'Send test event' }).click();
    await page.getByText('Delivered webhook.ping').click();
    await page.getByText(/: 204, \d+ ms/).waitFor();
    const [ping] = receiver.received;
    if (ping === undefined) throw new Error('Nothing was received');
    verifyByReference(secret, ping);
    await page.getByText(`POST ${receiver.url}`).waitFor();
    await page.getByText('"type": "webhook.ping"').waitFor();
    expect(await page.getByText('webhook-signature').count()).toBe(0);
    await isAccessible('webhook');
    await isAccessibleOnPhone('webhook');
    const sendAgain = page.getByRole('button', { name: 'Send again…' });
    await sendAgain.click();
    await inDialog('Cancel');
    expect(receiver.received).toHaveLength(1);
    await sendAgain.click();
    await isAccessible('send-again');
    await inDialog('Send again');
    await page.getByText('The delivery is sent again.').waitFor();
    await page.getByText('2 attempts').waitFor();
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1);
    receiver.answer(500);
    await page.getByRole('button', { name: 'Send test event' }).click();
    await page.getByText(/: 500, \d+ ms/).waitFor({ state: 'attached' });
    await page.goBack();
    await page.getByText('2 % failed').waitFor();
  });

  test('a new secret signs beside the former one, and disabling stops deliveries until they are resumed', async () => {
    const former = await create();
    await page.getByRole('link', { name: receiver.url }).click();
    const [{ id, eTag } = { id: '', eTag: '' }] = (await stage.ben.webhooks.list().page()).items;
    const replace = page.getByRole('button', { name: 'Replace secret…' });
    await replace.click();
    expect(await accessibilityFaults(page, 'replace-secret')).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await stage.ben.webhooks.get(id)).toMatchObject({ eTag });
    await replace.click();
    await stage.ben.webhooks.patch(id, { description: 'Of Ben' }, { ifMatch: eTag });
    await inDialog('Replace');
    await page.getByText(/^Not replaced: somebody has changed this webhook/).waitFor();
    await inDialog('Close');
    await page.getByText('Of Ben').waitFor();
    await replace.click();
    await inDialog('Replace');
    const secret = (await page.getByText(/^whsec_/).textContent()) ?? '';
    expect(secret).not.toBe(former);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('button', { name: 'Disable', exact: true }).click();
    await page.getByText('Disabled by a user').waitFor();
    await stage.ben.shipments.create({ shipmentType: 'HHG' });
    expect(receiver.received).toEqual([]);
    await page.getByRole('button', { name: 'Enable', exact: true }).click();
    await page.getByText('Delivered shipment.created').waitFor();
    for (const each of receiver.received) for (const one of [former, secret]) verifyByReference(one, each);
    await page.getByRole('button', { name: 'Replay' }).click();
    expect(await accessibilityFaults(page, 'replay')).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Replay' }).click();
    await page.getByText('1 event is sent again.').waitFor();
  });

  test('a webhook whose creation got no answer exists once', async () => {
    let requests = 0;
    await page.route('**/v1/webhooks', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      requests += 1;
      const answer = await route.fetch();
      return requests <= 4 ? route.abort() : route.fulfill({ response: answer });
    });
    await page.getByRole('button', { name: 'New webhook' }).click();
    await page.getByLabel('URL of the receiver (required)').fill(receiver.url);
    const submit = page.getByRole('button', { name: 'Create webhook' });
    await submit.click();
    await page.getByText('Try again to find out').waitFor();
    await submit.click();
    await page.getByText(/^whsec_/).waitFor();
    const { rows } = await stage.world.service.sql.query('SELECT FROM webhooks');
    expect(rows).toHaveLength(1);
  });

  test('a URL that is not permitted is explained, and Esc leaves the dialog, by keyboard alone', async () => {
    const keys = new Keyboard(page);
    await keys.choose(page.getByRole('button', { name: 'New webhook' }));
    await keys.tabTo(page.getByLabel('URL of the receiver (required)'));
    await keys.write('https://10.0.0.1/hook');
    await keys.press('Enter');
    await page.getByText('The URL must have a public address, or one in WEBHOOK_ALLOWED_NETWORKS.').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await keys.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
});
