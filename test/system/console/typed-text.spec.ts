import type { Shipment } from '@waybill/client';
import type { Locator, Page } from 'playwright-core';
import { describeInBrowser } from '../../support/repository/browser.js';
import { LOOPBACK } from '../../support/records/webhooks.js';
import { goTo, KeptTab, SHIPMENT, useWorld } from './harness.js';

describeInBrowser('what was typed', () => {
  const stage = useWorld(new KeptTab(true), LOOPBACK);
  const { dialog, field } = stage;
  let page: Page;
  let shipment: Shipment;
  let round = 0;

  beforeEach(async () => {
    shipment = await stage.ben.shipments.create({ ...SHIPMENT, shipmentType: `Typed ${(round += 1)}` });
  });

  const open = async (view: string) => {
    await stage.open(view);
    ({ page } = stage);
  };
  const button = (name: string, within: Page | Locator = page) => within.getByRole('button', { name, exact: true });
  const said = (text: string) => page.getByRole('status').getByText(text).waitFor();
  const inDialog = (label: string) => dialog().getByLabel(label, { exact: true });
  const rejecting = async () => {
    await dialog()
      .getByRole('radio', { name: /^Rejected/ })
      .check();
    return dialog().getByRole('textbox', { name: 'Reason for rejection' });
  };

  interface Case {
    readonly dialog: string;
    readonly view: () => string;
    /** Opens the dialog. */
    readonly ask: () => Promise<unknown>;
    /** The input, perhaps after a choice that shows it. */
    readonly input: () => Locator | Promise<Locator>;
    readonly text: string;
  }
  const list = () => `/list?${String(new URLSearchParams({ shipmentType: shipment.shipmentType }))}`;
  const select = async (action: string) => {
    const box = page.getByRole('row').nth(1).getByRole('checkbox');
    if (!(await box.isChecked())) await box.check();
    await button(action).click();
  };
  const CASES: readonly Case[] = [
    {
      dialog: 'of a status',
      view: () => `/shipments/${shipment.id}`,
      ask: () => button('Change status…').click(),
      input: rejecting,
      text: 'No room.',
    },
    {
      dialog: 'of the status of many',
      view: list,
      ask: () => select('Change status…'),
      input: rejecting,
      text: 'No room for any.',
    },
    {
      dialog: 'of a field of many',
      view: list,
      ask: () => select('Change a field…'),
      input: async () => {
        await inDialog('Field').selectOption('Customer remarks');
        return inDialog('New value for all');
      },
      text: 'Ring twice.',
    },
    {
      dialog: 'of a date',
      view: () => '/calendar?by=delivery&span=week&day=2027-03-20',
      ask: () => button(`Change date of ${shipment.shipmentCode} ${shipment.shipmentType}`).click(),
      input: () => inDialog('Delivery date'),
      text: '2027-03-24',
    },
    {
      dialog: 'of a new webhook',
      view: () => '/webhooks',
      ask: () => button('New webhook').click(),
      input: () => inDialog('URL of the receiver (required)'),
      text: 'http://127.0.0.1:9/hook',
    },
  ];

  test.each(CASES)('into the dialog $dialog is there again after Esc', async ({ view, ask, input, text }) => {
    await open(view());
    await ask();
    await (await input()).fill(text);
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await ask();
    expect(await (await input()).inputValue()).toBe(text);
    await page.keyboard.press('Escape');
  });

  test('as the result of a conflict is there again after Esc, also after the form was left', async () => {
    await open(`/shipments/${shipment.id}/edit`);
    await field('Customer remarks').fill('Mine.');
    await stage.ben.shipments.update(shipment.id, { customerRemarks: 'Theirs.' });
    await stage.save();
    await inDialog('Result').fill('Both of ours.');
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await field('Customer remarks').press('Escape');
    await said('Not saved. Your changes are kept as a draft.');
    await goTo(page, `/shipments/${shipment.id}/edit`);
    await stage.save();
    expect(await inDialog('Result').inputValue()).toBe('Both of ours.');
    await button('Save', dialog()).click();
    await stage.isSaved();
    expect((await stage.ben.shipments.get(shipment.id)).customerRemarks).toBe('Both of ours.');
  });

  test('and a secret that is shown once outlive Esc, also twice', async () => {
    await open('/webhooks');
    await button('New webhook').click();
    await inDialog('URL of the receiver (required)').fill('http://127.0.0.1:9/hook');
    await button('Create webhook').click();
    const secret = dialog().getByText(/^whsec_/);
    await secret.waitFor();
    for (let time = 0; time < 3; time += 1) await page.keyboard.press('Escape');
    await said('Store the secret first: it is not shown again.');
    await secret.waitFor();
    await button('I have stored it').click();
    await button('New webhook').click();
    expect(await inDialog('URL of the receiver (required)').inputValue()).toBe('');
    await page.keyboard.press('Escape');
  });

  describe('and discarded', () => {
    const remarks = () => field('Customer remarks');
    const discard = async () => {
      await open(`/shipments/${shipment.id}/edit`);
      await remarks().fill('Typed at length.');
      await button('Discard').click();
      expect(await remarks().inputValue()).toBe(SHIPMENT.customerRemarks);
      await said('Draft discarded.');
    };

    test('comes back by Undo, with what it was based on', async () => {
      await discard();
      await stage.ben.shipments.update(shipment.id, { estimatedWeight: 4600 });
      await button('Undo').click();
      await said('The draft is back.');
      expect(await remarks().inputValue()).toBe('Typed at length.');
      await stage.save();
      await said('Saved. Ben also changed estimated weight.');
      expect(await stage.ben.shipments.get(shipment.id)).toMatchObject({
        ...{ customerRemarks: 'Typed at length.', estimatedWeight: 4600 },
      });
      expect(await page.getByRole('button', { name: 'Restore draft' }).count()).toBe(0);
    });

    test('is kept until the tab is closed, and what is typed instead is not lost by bringing it back', async () => {
      await discard();
      await button('Dismiss').click();
      expect(await page.evaluate('document.activeElement.tagName')).not.toBe('BODY');
      await remarks().fill('Something else.');
      await remarks().press('Escape');
      await button('Discard').click();
      await button('Undo').click();
      await page.getByText('You have an unsaved change', { exact: false }).waitFor();
      await button('Discard').click();
      await page.getByText('You discarded a change, just now.').waitFor();
      await page.reload();
      await stage.world.signIn(page, await stage.world.token('Ann'));
      await button('Restore draft').click();
      await page.getByRole('link', { name: 'Continue editing' }).click();
      expect(await remarks().inputValue()).toBe('Something else.');
      const other = await stage.world.open(page.context(), `/shipments/${shipment.id}`, await stage.world.token('Ann'));
      await other.getByRole('heading', { name: 'Timeline' }).waitFor();
      expect(await other.getByText('You discarded', { exact: false }).count()).toBe(0);
    });

    test('as a new shipment comes back with its agents, also one that was removed', async () => {
      await open('/shipments/new');
      await field('Type').fill(shipment.shipmentType);
      await button('Add agent').click();
      const name = page.getByLabel('First name', { exact: true });
      await name.fill('Mia');
      await button('Remove agent 1').click();
      await button('Undo').click();
      expect(await name.inputValue()).toBe('Mia');
      await button('Discard').click();
      await name.waitFor({ state: 'detached' });
      await goTo(page, '/list');
      await button('Undo').click();
      await button('Open').click();
      expect([await name.inputValue(), await field('Type').inputValue()]).toEqual(['Mia', shipment.shipmentType]);
      await button('Discard').click();
    });
  });
});
