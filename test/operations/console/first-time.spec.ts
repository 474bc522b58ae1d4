import type { Locator, Page } from 'playwright-core';
import { describeInBrowser } from '../../support/repository/browser.js';
import { day } from './fill-board.js';
import { Stage, useWorld } from './harness.js';
import { Keyboard } from './keyboard.js';
import { pagesOf } from './paper.js';

/** What somebody does with a page, by mouse, by finger or by keyboard. */
interface Hand {
  activate(target: Locator): Promise<void>;
  write(field: Locator, text: string): Promise<void>;
  writeDate(field: Locator, date: string): Promise<void>;
  chooseRadio(group: Locator, name: string): Promise<void>;
}

const pointer = (): Hand => ({
  activate: (target) => target.click(),
  write: (field, text) => field.fill(text),
  writeDate: (field, date) => field.fill(date),
  chooseRadio: (group, name) => group.getByRole('radio', { name }).check(),
});

const keyboard = (page: Page): Hand => {
  const keys = new Keyboard(page);
  return {
    activate: (target) => keys.choose(target),
    write: async (field, text) => {
      await keys.tabTo(field);
      await keys.write(text);
    },
    writeDate: async (field, date) => {
      await keys.tabTo(field);
      const [year = '', month = '', dayOfMonth = ''] = date.split('-');
      await keys.writeDate(`${month}${dayOfMonth}${year}`);
    },
    chooseRadio: (group, name) => keys.chooseRadio(group, name),
  };
};

describeInBrowser('the first day with the console', () => {
  const stage = useWorld(new Stage());

  // Each of them begins without shipments.
  afterEach(async () => {
    for await (const { id } of stage.ben.shipments.list()) await stage.ben.shipments.delete(id);
  });

  test.each([
    ['with a finger, on a phone', 390, pointer],
    ['by keyboard alone', 1440, keyboard],
  ])(
    'a move of two shipments is created, edited against a colleague, printed and found, %s',
    async (_, width, handOf) => {
      const { world, ben } = stage;
      const context = await world.context({ viewport: { width, height: 844 }, hasTouch: width < 600 });
      const page = await world.open(context, '', await world.token('Ann'));
      const hand = handOf(page);
      const field = (name: string) => page.getByRole('form').getByLabel(name, { exact: true });
      const weight = () => page.getByRole('form').getByLabel('Estimated weight');
      const link = (name: string) => page.getByRole('link', { name, exact: true });
      const create = () => hand.activate(page.getByRole('form').getByRole('button', { name: 'Create shipment' }));

      await page.getByRole('heading', { name: 'Welcome to Waybill' }).waitFor();
      await hand.activate(link('Create a shipment'));
      await hand.write(field('Type'), 'Piano');
      await hand.writeDate(field('Pickup date'), day(0));
      await hand.write(weight(), '500');
      await create();
      await page.getByRole('heading', { name: /^Piano/ }).waitFor();
      const [piano] = (await ben.shipments.list({ shipmentType: 'Piano', expand: ['move'] }).page()).items;
      if (piano?.move === undefined) throw new Error('Nothing was created');

      await hand.activate(link(piano.move.moveCode));
      await hand.activate(link('Add shipment'));
      await hand.write(field('Type'), 'Boat');
      await create();
      await page.getByRole('heading', { name: /^Boat/ }).waitFor();

      await hand.activate(link(piano.move.moveCode));
      const shipments = page.getByRole('table', { name: 'Shipments' });
      await shipments.getByRole('link', { name: 'Boat' }).waitFor();
      await hand.activate(shipments.getByRole('link', { name: 'Piano' }));
      await hand.activate(link('Edit'));
      await hand.write(weight(), '600');
      await ben.shipments.update(piano.id, { estimatedWeight: 550 });
      await hand.activate(page.getByRole('form').getByRole('button', { name: 'Save', exact: true }));
      const dialog = page.getByRole('dialog', { name: 'Ben changed the same field' });
      await hand.chooseRadio(dialog.getByRole('group', { name: 'Estimated weight' }), 'You');
      await hand.activate(dialog.getByRole('button', { name: 'Save', exact: true }));
      await page.getByText(/^Saved[.,]/).waitFor();
      const { estimatedWeight, eTag, shipmentCode } = await ben.shipments.get(piano.id);
      expect(estimatedWeight).toBe(600);

      await hand.activate(link('Print waybill'));
      await page.getByRole('article', { name: `Waybill ${shipmentCode}` }).waitFor();
      const [sheet = '', ...others] = await pagesOf(await page.pdf({ format: 'A4' }));
      expect(others).toEqual([]);
      const missing = [shipmentCode, 'Piano', '600lb', eTag.slice(0, 8)].filter((text) => !sheet.includes(text));
      expect(missing).toEqual([]);

      await hand.activate(link('Today'));
      const due = page.locator('section', { has: page.getByRole('heading', { name: 'Due today', exact: true }) });
      await hand.activate(due.getByRole('link', { name: '1 to pick up' }));
      await page.getByRole('row').nth(1).waitFor();
      expect(await page.getByRole('row').count()).toBe(2);
      await hand.activate(page.getByRole('row').getByRole('link', { name: 'Piano' }));
      await page.getByRole('heading', { name: `Piano ${shipmentCode}` }).waitFor();
    },
  );
});
