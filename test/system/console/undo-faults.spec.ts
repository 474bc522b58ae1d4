import type { Shipment } from '@waybill/client';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../../support/repository/browser.js';
import { disturbWrites, OUTCOME_UNKNOWN } from './faults-on-the-way.js';
import { goTo, KeptTab, SHIPMENT, useWorld } from './harness.js';

describeInBrowser('an undo that is disturbed', () => {
  const stage = useWorld(new KeptTab(true));
  let type: string;
  let shipments: Shipment[];
  let round = 0;

  beforeEach(async () => {
    type = `Disturbed ${(round += 1)}.`;
    shipments = [];
    for (let index = 0; index < 2; index += 1) {
      const created = await stage.ben.shipments.create({ ...SHIPMENT, shipmentType: type });
      shipments.push(await stage.ben.shipments.updateStatus(created.id, { status: 'APPROVED' }));
    }
  });

  const first = () => shipments[0]?.id ?? '';
  const inDialog = (page: Page, name: string) =>
    page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
  const said = (page: Page, text: RegExp) => page.getByRole('status').getByText(text).first().waitFor();
  const undoButton = (page: Page) => page.getByRole('status').getByRole('button', { name: 'Undo', exact: true });
  const undo = (page: Page) => undoButton(page).click();
  const again = (page: Page) =>
    page.getByRole('dialog').or(page.getByRole('status')).getByRole('button', { name: 'Try again', exact: true });
  const stored = async () => (await stage.ben.shipments.list({ shipmentType: type, sort: 'createdAt' }).page()).items;
  const entries = async () => (await stage.ben.shipments.history(first()).page()).items.map((entry) => entry.type);

  interface Change {
    readonly what: string;
    readonly view: () => string;
    /** Makes a change in this view, which then offers to undo it. */
    readonly make: (page: Page) => Promise<unknown>;
    /** The requests that undo it. */
    readonly url: string;
    readonly says: RegExp;
    /** The last entries of the history after it was undone once, newest first. */
    readonly history: readonly string[];
  }
  const CHANGES: readonly Change[] = [
    {
      what: 'a date',
      view: () => '/calendar?by=delivery&span=week&day=2027-03-20',
      make: async (page) => {
        const day = (name: string) => page.getByRole('group', { name, exact: true });
        const card = day('Saturday, March 20')
          .getByRole('article')
          .filter({ hasText: shipments[0]?.shipmentCode ?? '' });
        await card.dragTo(day('Wednesday, March 17'));
      },
      url: '**/v1/shipments/*',
      says: /the change was undone\./,
      history: ['updated', 'updated', 'statusChanged', 'created'],
    },
    {
      what: 'a status',
      view: () => `/shipments/${first()}`,
      make: async (page) => {
        await page.getByRole('button', { name: 'Change status…' }).click();
        await page.getByRole('dialog').getByRole('radio', { name: 'Diversion requested' }).check();
        await inDialog(page, 'Change to Diversion requested');
      },
      url: '**/v1/shipments/*/updateStatus',
      says: /Status changed to Approved\.|status changed to Approved\./,
      history: ['statusChanged', 'statusChanged', 'statusChanged', 'created'],
    },
    {
      what: 'many shipments',
      view: () => `/list?${String(new URLSearchParams({ shipmentType: type }))}`,
      make: async (page) => {
        await page.getByRole('row').nth(2).waitFor();
        await page.getByRole('checkbox', { name: 'Select all matching shipments' }).click();
        await page.getByRole('button', { name: 'Change status…' }).click();
        await page
          .getByRole('dialog')
          .getByRole('radio', { name: /^Diversion requested/ })
          .check();
        await inDialog(page, 'Change 2 to Diversion requested');
        await page.getByRole('dialog').getByText('2 changed.').waitFor();
        await inDialog(page, 'Close');
      },
      url: '**/v1/shipments/bulk',
      says: /The change of 2 shipments was undone\./,
      history: ['statusChanged', 'statusChanged', 'statusChanged', 'created'],
    },
    {
      what: 'a deletion',
      view: () => `/shipments/${first()}`,
      make: async (page) => {
        await page.getByRole('button', { name: 'Delete…' }).click();
        await inDialog(page, 'Delete');
      },
      url: '**/v1/shipments/*/undelete',
      says: /was restored\./,
      history: ['restored', 'deleted', 'statusChanged', 'created'],
    },
  ];

  /** Nothing is left but what the undo wrote, once. */
  const isUndone = async ({ history }: Change) => {
    expect(await entries()).toEqual(history);
    const before = { status: 'APPROVED', deliveryDate: '2027-03-20' };
    expect(await stored()).toMatchObject([before, before]);
  };
  const begin = async ({ view, make }: Change): Promise<Page> => {
    await stage.open(view());
    await make(stage.page);
    return stage.page;
  };

  describe.each(CHANGES)('of $what', (change) => {
    test('by an expired token and then a lost answer continues after the sign-in, and is done once', async () => {
      const page = await begin(change);
      await disturbWrites(page, change.url, OUTCOME_UNKNOWN);
      let isExpired = true;
      await page.route(change.url, async (route, request) => {
        if (!isExpired || request.method() === 'GET') return route.fallback();
        isExpired = false;
        const expired = await stage.world.token('Ann', { expires: -60 });
        return route.continue({ headers: { ...request.headers(), authorization: `Bearer ${expired}` } });
      });
      await undo(page);
      const asked = page.getByRole('dialog').getByText('Your session has expired.', { exact: false });
      await asked.waitFor();
      for (let time = 0; time < 3; time += 1) await page.keyboard.press('Escape');
      expect(await asked.isVisible()).toBe(true);
      await stage.world.signIn(page, await stage.world.token('Ann', { expires: 7200 }));
      await page
        .getByText(/may not have been|did not confirm/)
        .first()
        .waitFor();
      await page.unrouteAll();
      if (change.what === 'a date') await goTo(page, '/list');
      await again(page).click();
      await said(page, change.says);
      await isUndone(change);
    });

    test('by a lost connection is done when that is back', async () => {
      const page = await begin(change);
      await undoButton(page).waitFor();
      await page.context().setOffline(true);
      await undo(page);
      await again(page).waitFor();
      await page.context().setOffline(false);
      await again(page).click();
      await said(page, change.says);
      await isUndone(change);
    });

    test('by a tab that was faster writes nothing, and does not ask what is settled', async () => {
      const page = await begin(change);
      await undoButton(page).waitFor();
      const ann = await stage.world.colleague('Ann');
      if (change.what === 'a deletion') {
        const { items } = await stage.ben.deletions.list({ resource: ['shipment'] }).page();
        await ann.shipments.undelete(first(), items[0]?.deletionETag ?? '');
      } else if (change.what === 'a date') {
        await ann.shipments.update(first(), { deliveryDate: '2027-03-20' });
      } else {
        const changed = (await stored()).filter(({ status }) => status !== 'APPROVED');
        for (const { id } of changed) await ann.shipments.updateStatus(id, { status: 'APPROVED' });
      }
      if (change.what === 'a deletion') await undoButton(page).waitFor({ state: 'detached' });
      else {
        await undo(page);
        await said(page, change.what === 'a status' ? /the change was already undone\./ : change.says);
      }
      await isUndone(change);
      expect(await page.getByRole('dialog').count()).toBe(0);
    });
  });
});
