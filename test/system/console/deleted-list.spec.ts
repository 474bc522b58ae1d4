import type { Shipment } from '@waybill/client';
import type { Page } from 'playwright-core';
import { erased } from '../../support/records/erasing.js';
import { describeInBrowser } from '../../support/repository/browser.js';
import { disturbWrites, OUTCOME_UNKNOWN, UNAVAILABLE } from './faults-on-the-way.js';
import { accessibilityFaults, KeptTab, SHIPMENT, useWorld } from './harness.js';
import { Keyboard } from './keyboard.js';

const MIA = { agentType: 'RELEASING_AGENT', firstName: 'Mia', lastName: 'Lopez', phone: '555-0100' } as const;

/** How much wider the page or its content is than the screen. */
const OVERFLOW = `Math.max(...['html', 'main', 'dialog[open]'].map((part) => {
  const element = document.querySelector(part);
  return element === null ? 0 : element.scrollWidth - element.clientWidth;
}))`;

describeInBrowser('the page of deleted records', () => {
  const stage = useWorld(new KeptTab(true));
  const { dialog } = stage;
  let page: Page;
  let first: Shipment;
  let second: Shipment;
  let moveID: string;
  let moveCode: string;

  beforeEach(async () => {
    first = await stage.ben.shipments.create({ ...SHIPMENT, shipmentType: 'First' });
    ({ moveID } = first);
    second = await stage.ben.shipments.create({ ...SHIPMENT, shipmentType: 'Second', moveID });
    ({ moveCode } = await stage.ben.moves.get(moveID));
  });

  const open = async (view: string) => {
    await stage.open(view);
    ({ page } = stage);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
  };
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const row = (name: string) =>
    page.getByRole('listitem').filter({ has: page.getByRole('link', { name, exact: true }) });
  const rows = () => page.locator('main li:has(> div a)');
  const codes = async () => (await rows().getByRole('link').allInnerTexts()).sort();
  const inDialog = (name: string | RegExp) => dialog().getByRole('button', { name, exact: true });
  const cleanUp = async () => {
    await stage.ben.agents.create(first.id, MIA);
    await stage.ben.shipments.delete(first.id);
    await stage.ben.shipments.delete(second.id);
    await stage.ben.moves.delete(moveID);
  };
  const widths = async (name: string, ...sizes: readonly number[]) => {
    const faults: string[] = [];
    for (const width of sizes) {
      await page.setViewportSize({ width, height: 900 });
      faults.push(...(await accessibilityFaults(page, name)));
      const overflow = await page.evaluate<number>(OVERFLOW);
      if (overflow > 0) faults.push(`${name} is ${overflow} pixels wider than ${width}`);
    }
    expect(faults).toEqual([]);
  };

  test('lists them by kind, code, author, day and move, each with a preview', async () => {
    await cleanUp();
    await open(`/deleted?moveID=${moveID}`);
    await row(moveCode).waitFor();
    expect(await codes()).toEqual([moveCode, first.shipmentCode, second.shipmentCode].sort());
    await button(`Preview ${first.shipmentCode}`).click();
    const preview = row(first.shipmentCode);
    await preview.getByText(SHIPMENT.customerRemarks ?? '').waitFor();
    await preview.getByText('Mia Lopez').waitFor();
    await widths('deleted', 320, 390, 768, 1440);
    await page.getByText('Agents', { exact: true }).click();
    await row('Mia Lopez').waitFor();
    expect(await codes()).toEqual(['Mia Lopez']);
    await button('Clear filters').click();
    await page.getByLabel('Code', { exact: true }).fill(first.shipmentCode.slice(0, 4));
    await page.getByText('Type the whole code of a move or a shipment.').waitFor();
    await page.getByLabel('Code', { exact: true }).fill(second.shipmentCode.toLowerCase());
    await row(first.shipmentCode).waitFor({ state: 'detached' });
    await row(second.shipmentCode).waitFor();
    expect(await codes()).toEqual([second.shipmentCode]);
    await page.getByText('By me', { exact: true }).click();
    await page.getByText('No deletion matches these filters.').waitFor();
    await page.getByLabel('Deleted by', { exact: true }).fill('ben');
    await row(second.shipmentCode).waitFor();
    await page.getByLabel('Deleted since', { exact: true }).fill('2090-01-01');
    await page.getByText('No deletion matches these filters.').waitFor();
  });

  test('restores a move first, then the shipments of the same clean-up, by keyboard alone', async () => {
    const third = await stage.ben.shipments.create({ ...SHIPMENT, shipmentType: 'Third', moveID });
    await (await stage.world.colleague('Carla')).shipments.delete(third.id);
    await cleanUp();
    await open(`/deleted?code=${moveCode}`);
    const keys = new Keyboard(page);
    await keys.choose(button(`Restore ${moveCode}…`));
    const offered = (code: string) => dialog().getByRole('checkbox', { name: new RegExp(code) });
    await offered(first.shipmentCode).waitFor();
    expect(await offered(first.shipmentCode).isChecked()).toBe(true);
    expect(await offered(second.shipmentCode).isChecked()).toBe(true);
    expect(await offered(third.shipmentCode).isChecked()).toBe(false);
    await widths('restore-move', 320, 1440);
    await keys.choose(inDialog('Restore 3 records'));
    await page.getByText('3 records were restored.').waitFor();
    const { items } = await stage.ben.shipments.list({ moveID, expand: ['agents'] }).page();
    expect(items.map(({ shipmentCode, agents }) => [shipmentCode, agents.length])).toEqual([
      [second.shipmentCode, 0],
      [first.shipmentCode, 1],
    ]);
  });

  test('restores the move of a shipment with it, and offers what else was deleted', async () => {
    await cleanUp();
    await open(`/shipments/${first.shipmentCode}`);
    await button('Restore…').click();
    await dialog().getByText(`Its move ${moveCode} is restored first`).waitFor();
    expect(await dialog().getByRole('checkbox').isChecked()).toBe(false);
    await widths('restore-with-move', 320, 1440);
    await inDialog('Restore 2 records').click();
    await page.getByText('2 records were restored.').waitFor();
    await page.getByText('Mia Lopez').waitFor();
    await expect(stage.ben.shipments.get(second.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('stays where it is while others delete and restore', async () => {
    await stage.ben.shipments.delete(first.id);
    await open(`/deleted?moveID=${moveID}`);
    await row(first.shipmentCode).waitFor();
    await stage.ben.shipments.delete(second.id);
    await button('Up to 1 new').waitFor();
    expect(await codes()).toEqual([first.shipmentCode]);
    const [deletion] = (await stage.ben.deletions.list({ resourceID: first.id }).page()).items;
    await stage.ben.shipments.undelete(first.id, deletion?.deletionETag ?? '');
    await row(first.shipmentCode).getByText('Restored').waitFor();
    await button('Up to 1 new').click();
    await row(second.shipmentCode).waitFor();
    expect(await codes()).toEqual([second.shipmentCode]);
  });

  test('a restoration whose answer was lost is finished, once', async () => {
    await cleanUp();
    await open(`/deleted?code=${moveCode}`);
    await button(`Restore ${moveCode}…`).click();
    await dialog().getByRole('checkbox').first().waitFor();
    await disturbWrites(page, '**/undelete', OUTCOME_UNKNOWN, UNAVAILABLE);
    await inDialog('Restore 3 records').click();
    await dialog()
      .getByText(/This may not have been restored\./)
      .waitFor();
    await widths('restore-unknown', 390, 1440);
    await page.unrouteAll();
    await inDialog('Try again').click();
    await page.getByText('3 records were restored.').waitFor();
    const { items } = await stage.ben.moves.history(moveID).page();
    expect(items.filter(({ type, resource }) => type === 'restored' && resource === 'move')).toHaveLength(1);
  });

  describe('says why a record cannot come back:', () => {
    test('its values were erased; her draft can still be copied', async () => {
      await open(`/shipments/${first.id}/edit`);
      await stage.field('Customer remarks').fill('Half a sentence');
      await stage.ben.shipments.delete(first.id);
      await erased(stage.world.service, { recordID: first.id });
      await page.reload();
      await stage.world.signIn(page, await stage.world.token('Ann'));
      await page.getByText('It cannot be restored, because its values were erased.').waitFor();
      await page.getByText('Half a sentence').waitFor();
      await widths('lost-draft', 390, 1440);
      await button('Discard my changes').click();
      await page.getByText('Half a sentence').waitFor({ state: 'detached' });
      expect(await button('Restore…').count()).toBe(0);
      await open(`/deleted?moveID=${moveID}`);
      await page.getByText('It cannot be restored, because its values were erased.').waitFor();
      await widths('erased', 390, 1440);
    });

    test('its deletion is no longer kept', async () => {
      await stage.ben.shipments.delete(first.id);
      await stage.world.service.sql.query('DELETE FROM deletions WHERE record_id = $1', [first.id]);
      await open(`/shipments/${first.id}`);
      await page.getByText(/^Ben deleted this shipment, /).waitFor();
      await page.getByText('It cannot be restored, because its last values are no longer kept.').waitFor();
      expect(await button('Restore…').count()).toBe(0);
      await open('/shipments/0199c3a0-7f00-7c1e-9a53-0f8e5d1c2b3a');
      await page.getByText('This shipment does not exist.').waitFor();
    });

    test('its shipment has another agent of this role now', async () => {
      const { id } = await stage.ben.agents.create(first.id, MIA);
      await stage.ben.agents.delete(id);
      await stage.ben.agents.create(first.id, { ...MIA, firstName: 'Another' });
      await open(`/deleted?moveID=${moveID}&kind=agent`);
      await button('Restore Mia Lopez…').click();
      await inDialog('Restore').click();
      await dialog().getByText('The shipment has another agent of this role now. Remove that one first.').waitFor();
      await widths('duplicate', 390, 1440);
      await page.keyboard.press('Escape');
    });

    test('somebody restored and deleted it again, or restored it', async () => {
      const restore = async () => {
        const [deletion] = (await stage.ben.deletions.list({ resourceID: first.id }).page()).items;
        await stage.ben.shipments.undelete(first.id, deletion?.deletionETag ?? '');
      };
      await stage.ben.shipments.delete(first.id);
      await open(`/deleted?moveID=${moveID}`);
      await button(`Restore ${first.shipmentCode}…`).click();
      await dialog().getByText('Nothing else was deleted with it.').waitFor();
      await restore();
      await stage.ben.shipments.update(first.id, { estimatedWeight: 5000 });
      await stage.ben.shipments.delete(first.id);
      await inDialog('Restore').click();
      await dialog()
        .getByText(/^It was restored and deleted again in the meantime\./)
        .waitFor();
      await inDialog('Look again').click();
      await dialog()
        .getByText(/^It was restored and deleted again since you saw it \(deleted by Ben, /)
        .waitFor();
      await restore();
      await inDialog('Restore').click();
      await page.getByText('Ben restored it already.').waitFor();
      expect((await stage.ben.shipments.get(first.id)).estimatedWeight).toBe(5000);
    });
  });
});
