import type { Shipment } from '@waybill/client';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../../support/repository/browser.js';
import { disturbWrites, OUTCOME_UNKNOWN, UNAVAILABLE } from './faults-on-the-way.js';
import { accessibilityFaults, goTo, SHIPMENT, Stage, useWorld } from './harness.js';

const MIA = { agentType: 'RELEASING_AGENT', firstName: 'Mia', lastName: 'Lopez', phone: '555-0100' } as const;
const LEO = { agentType: 'RECEIVING_AGENT', firstName: 'Leo', phone: '555-0177' } as const;

describeInBrowser('restoring what was deleted', () => {
  const stage = useWorld(new Stage());
  let shipment: Shipment;
  let page: Page;

  beforeEach(async () => {
    shipment = await stage.ben.shipments.create(SHIPMENT);
    await stage.ben.agents.create(shipment.id, MIA);
    await stage.ben.agents.create(shipment.id, LEO);
    await stage.ben.services.create(shipment.id, { code: 'PACK' });
  });

  const openAs = async (name: string, view: string) =>
    stage.world.open(await stage.world.context(), view, await stage.world.token(name));
  const open = async (view: string) => {
    page = await openAs('Ann', view);
  };
  const reload = async (tab: Page, name: string) => {
    await tab.reload();
    await stage.world.signIn(tab, await stage.world.token(name));
  };
  const button = (name: string | RegExp, tab = page) => tab.getByRole('button', { name, exact: true });
  const dialog = (tab = page) => tab.getByRole('dialog');
  const field = (name: string, tab = page) => tab.getByRole('form').getByLabel(name, { exact: true });
  const deleteInConsole = async () => {
    await button('Delete…').click();
    await dialog().getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText(`${shipment.shipmentCode} was deleted.`).waitFor();
  };
  const restored = () => page.getByText(`${shipment.shipmentCode} was restored.`).waitFor();
  const stored = () => stage.ben.shipments.get(shipment.id, { expand: ['agents', 'services'] });
  const namesOf = ({ agents, services }: Awaited<ReturnType<typeof stored>>) =>
    [...agents.map(({ firstName }) => firstName), ...services.map(({ code }) => code)].sort();
  const isWhole = async () => {
    const now = await stored();
    const { eTag: _, updatedAt: __, pickupAddress, ...kept } = shipment;
    expect(now).toMatchObject(kept.id === now.id ? { shipmentCode: kept.shipmentCode, createdAt: kept.createdAt } : {});
    expect(now.pickupAddress).toEqual({ ...pickupAddress, eTag: now.eTag });
    expect(namesOf(now)).toEqual(['Leo', 'Mia', 'PACK']);
  };

  test('the message after a deletion undoes it, also after a reload, with agents and services', async () => {
    await open(`/shipments/${shipment.id}`);
    await deleteInConsole();
    await button('Undo').waitFor();
    await reload(page, 'Ann');
    await page.getByText(`${shipment.shipmentCode} was deleted.`).waitFor();
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await accessibilityFaults(page, 'undo')).toEqual([]);
    await button('Undo').click();
    await restored();
    await button('Open').click();
    await page.getByText('Mia Lopez').waitFor();
    await page.getByText('Restored the shipment').waitFor();
    await isWhole();
  });

  test('another tab offers to undo it, too, and then neither does', async () => {
    await open(`/shipments/${shipment.id}`);
    const other = await stage.world.open(page.context(), '/list', await stage.world.token('Ann'));
    await deleteInConsole();
    await other.getByText(`${shipment.shipmentCode} was deleted.`).waitFor();
    await button('Undo', other).click();
    await other.getByText(`${shipment.shipmentCode} was restored.`).waitFor();
    await page.getByText(`${shipment.shipmentCode} was deleted.`).waitFor({ state: 'detached' });
    await other.getByRole('row').filter({ hasText: shipment.shipmentCode }).getByText('Submitted').waitFor();
    await isWhole();
  });

  test('a page that somebody has open says that the shipment was deleted, and shows it again when it is restored', async () => {
    const ben = await openAs('Ben', `/shipments/${shipment.id}`);
    await ben.getByText('Mia Lopez').waitFor();
    await ben.getByText('Live', { exact: true }).waitFor();
    await open(`/shipments/${shipment.id}`);
    await deleteInConsole();
    await ben.getByText(/^Ann deleted this shipment, /).waitFor();
    for (const name of ['Mia Lopez', 'Leo', 'PACK'])
      await ben.getByRole('listitem').filter({ hasText: name }).first().waitFor();
    expect(await accessibilityFaults(ben, 'deleted-shipment')).toEqual([]);
    await goTo(page, `/shipments/${shipment.id}`);
    await button('Restore…').click();
    await dialog().getByText('Comes back with it:').waitFor();
    expect(await accessibilityFaults(page, 'restore')).toEqual([]);
    await dialog().getByRole('button', { name: 'Restore', exact: true }).click();
    await restored();
    await ben.getByRole('link', { name: 'Edit Mia Lopez' }).waitFor();
    expect(await ben.getByText(/deleted this shipment/).count()).toBe(0);
    await isWhole();
  });

  test('a draft outlives the deletion, a reload and the restoration, and is then saved', async () => {
    await open(`/shipments/${shipment.id}/edit`);
    await field('Customer remarks').fill('Twenty boxes more.');
    await stage.ben.shipments.update(shipment.id, { estimatedWeight: 5000 });
    await stage.ben.shipments.delete(shipment.id);
    await page.getByText(/^Ben deleted this shipment, /).waitFor();
    await page.getByRole('form').getByRole('button', { name: 'Save', exact: true }).click();
    await dialog().getByRole('heading', { name: 'This shipment was deleted' }).waitFor();
    await dialog().getByText('Twenty boxes more.').waitFor();
    expect(await accessibilityFaults(page, 'deleted-while-editing')).toEqual([]);
    await dialog().getByRole('button', { name: 'Keep draft' }).click();
    await reload(page, 'Ann');
    await page.getByText(/^Restored your draft from /).waitFor();
    expect(await field('Customer remarks').inputValue()).toBe('Twenty boxes more.');
    await page.getByRole('form').getByRole('button', { name: 'Save', exact: true }).click();
    await dialog().getByRole('button', { name: 'Restore…' }).click();
    await dialog().getByRole('button', { name: 'Restore', exact: true }).click();
    await restored();
    await page.getByText(/deleted this shipment/).waitFor({ state: 'detached' });
    await page.getByRole('form').getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved. Ben also changed estimated weight.').waitFor();
    expect(await stored()).toMatchObject({ customerRemarks: 'Twenty boxes more.', estimatedWeight: 5000 });
    await isWhole();
  });

  test('what others changed in the same field before they deleted it is a conflict after the restoration', async () => {
    await open(`/shipments/${shipment.id}/edit`);
    await field('Customer remarks').fill('Twenty boxes more.');
    await stage.ben.shipments.update(shipment.id, { customerRemarks: 'Ten boxes more.' });
    await stage.ben.shipments.delete(shipment.id);
    await page.getByText(/^Ben deleted this shipment, /).waitFor();
    await button('Restore…').click();
    await dialog().getByRole('button', { name: 'Restore', exact: true }).click();
    await restored();
    await page.getByText(/deleted this shipment/).waitFor({ state: 'detached' });
    await page.getByRole('form').getByRole('button', { name: 'Save', exact: true }).click();
    await dialog().getByRole('heading', { name: 'Ben changed the same field' }).waitFor();
    expect((await stored()).customerRemarks).toBe('Ten boxes more.');
    await dialog().getByRole('radio', { name: /^You/ }).check();
    await dialog().getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText(/^Saved/).waitFor();
    expect((await stored()).customerRemarks).toBe('Twenty boxes more.');
  });

  test('an agent that was removed while she edits it is restored, and her draft saved', async () => {
    const { agents } = await stored();
    const mia = agents.find(({ firstName }) => firstName === 'Mia');
    await open(`/shipments/${shipment.id}/agents/${mia?.id ?? ''}`);
    await field('Phone').fill('555-0123');
    await stage.ben.agents.delete(mia?.id ?? '');
    await page.getByText(/^Ben removed this agent, /).waitFor();
    await reload(page, 'Ann');
    await page.getByText(/^Ben removed this agent, /).waitFor();
    expect(await field('Phone').inputValue()).toBe('555-0123');
    await button('Restore…').click();
    await dialog().getByRole('button', { name: 'Restore', exact: true }).click();
    await page.getByText('Mia Lopez was restored.').waitFor();
    await page.getByText(/removed this agent/).waitFor({ state: 'detached' });
    await page.getByRole('form').getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText(/^Saved\./).waitFor();
    expect(await stage.ben.agents.get(mia?.id ?? '')).toMatchObject({ phone: '555-0123' });
  });

  test('the removal of an agent is undone, too', async () => {
    await open(`/shipments/${shipment.id}`);
    await button('Remove Mia Lopez').click();
    await dialog().getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('Mia Lopez was removed.').waitFor();
    await page.getByRole('link', { name: 'Edit Mia Lopez' }).waitFor({ state: 'detached' });
    await button('Undo').click();
    await page.getByText('Mia Lopez was restored.').waitFor();
    await page.getByRole('link', { name: 'Edit Mia Lopez' }).waitFor();
    await isWhole();
  });

  test('her own draft is there again after she has undone her own deletion', async () => {
    await open(`/shipments/${shipment.id}/edit`);
    await field('Customer remarks').fill('Half a sentence');
    await page.keyboard.press('Escape');
    await page.getByText('You have an unsaved change').waitFor();
    await deleteInConsole();
    await button('Undo').click();
    await restored();
    await button('Open').click();
    await page.getByRole('link', { name: 'Continue editing' }).click();
    expect(await field('Customer remarks').inputValue()).toBe('Half a sentence');
  });

  test('an undo whose answer was lost is not done twice', async () => {
    await open(`/shipments/${shipment.id}`);
    await deleteInConsole();
    await button('Undo').waitFor();
    await disturbWrites(page, '**/undelete', OUTCOME_UNKNOWN, UNAVAILABLE);
    await button('Undo').click();
    await page.getByText(/^This may not have been restored\./).waitFor();
    await page.unrouteAll();
    await button('Try again').click();
    await restored();
    const { items } = await stage.ben.shipments.history(shipment.id).page();
    const own = items.filter(({ type, resourceID }) => type === 'restored' && resourceID === shipment.id);
    expect(own).toHaveLength(1);
  });

  test('who may only read sees what was deleted, but is not offered to restore it', async () => {
    await stage.ben.shipments.delete(shipment.id);
    const reader = await stage.world.token('Rita', { scope: 'shipments:read' });
    page = await stage.world.open(await stage.world.context(), `/shipments/${shipment.id}`, reader);
    await page.getByText(/^Ben deleted this shipment, /).waitFor();
    expect(await button('Restore…').count()).toBe(0);
    await goTo(page, '/deleted');
    await button(`Preview ${shipment.shipmentCode}`).waitFor();
    expect(await button(/^Restore/).count()).toBe(0);
  });

  test('a row that is marked as deleted comes back when somebody restores the shipment', async () => {
    await stage.ben.shipments.update(shipment.id, { shipmentType: 'Comes back' });
    await open('/list?shipmentType=Comes+back');
    const row = page.getByRole('row').filter({ hasText: 'Comes back' });
    await row.getByText('Submitted').waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    await stage.ben.shipments.delete(shipment.id);
    await row.getByText('Deleted').waitFor();
    const [deletion] = (await stage.ben.deletions.list({ resourceID: shipment.id }).page()).items;
    await stage.ben.shipments.undelete(shipment.id, deletion?.deletionETag ?? '');
    await row.getByText('Submitted').waitFor();
  });

  describe('what somebody deletes while she', () => {
    const deleteAsBen = () => stage.ben.shipments.delete(shipment.id);
    /** Somebody deletes the shipment just before a request of hers arrives. */
    const deletedBefore = (method: string, remove = deleteAsBen) =>
      page.route(`**/v1/shipments/${shipment.id}**`, async (route) => {
        if (route.request().method() === method) await remove();
        await route.continue();
      });
    const changeStatus = async (remove = deleteAsBen) => {
      await open(`/shipments/${shipment.id}`);
      await deletedBefore('PATCH', remove);
      await button('Change status…').click();
      await dialog().getByRole('radio', { name: 'Approved' }).check();
      await button('Change to Approved').click();
      await dialog().getByRole('heading', { name: 'This shipment was deleted' }).waitFor();
      await dialog().getByText('Nothing was changed.').waitFor();
    };

    test('changes its status is restored in that dialog', async () => {
      await changeStatus();
      expect(await accessibilityFaults(page, 'status-of-deleted')).toEqual([]);
      await dialog().getByRole('button', { name: 'Restore…' }).click();
      await dialog().getByRole('button', { name: 'Restore', exact: true }).click();
      await restored();
      await isWhole();
    });

    test('changes its status cannot be restored if it is no longer kept, and the dialog says so', async () => {
      await changeStatus(async () => {
        await deleteAsBen();
        await stage.world.service.sql.query('DELETE FROM deletions WHERE root_id = $1', [shipment.id]);
      });
      await dialog().getByText('It cannot be restored, because its last values are no longer kept.').waitFor();
      expect(await button('Restore…').count()).toBe(0);
    });

    test('deletes it is found on its page', async () => {
      await open(`/shipments/${shipment.id}`);
      await deletedBefore('DELETE');
      await button('Delete…').click();
      await dialog().getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByText(`${shipment.shipmentCode} was already deleted.`).waitFor();
      await button('Open').click();
      await page.getByText(/^Ben deleted this shipment, /).waitFor();
      await button('Restore…').waitFor();
    });
  });

  test('an agent that was removed is restored from the timeline', async () => {
    const { agents } = await stored();
    await stage.ben.agents.delete(agents.find(({ firstName }) => firstName === 'Mia')?.id ?? '');
    await open(`/shipments/${shipment.id}`);
    const restore = page.getByRole('link', { name: 'Restore Mia…' });
    await restore.waitFor();
    expect(await accessibilityFaults(page, 'removed-agent')).toEqual([]);
    await restore.click();
    await page.getByText(/^Ben removed this agent, /).waitFor();
    await button('Restore…').click();
    await dialog().getByRole('button', { name: 'Restore', exact: true }).click();
    await page.getByText('Mia Lopez was restored.').waitFor();
    await goTo(page, `/shipments/${shipment.id}`);
    await page.getByText('Restored agent Mia').waitFor();
    expect(await restore.count()).toBe(0);
    await isWhole();
  });

  test('a row of a file opens the page of its deleted shipment', async () => {
    await stage.ben.shipments.delete(shipment.id);
    const { id } = await stage.ben.imports.upload(`id,eTag,estimatedWeight\n${shipment.id},${shipment.eTag},4900`);
    await open(`/imports/${id}`);
    await page.getByRole('link', { name: 'Open the shipment of line 2' }).click();
    await page.getByText(/^Ben deleted this shipment, /).waitFor();
  });
});
