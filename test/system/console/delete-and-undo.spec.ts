import type { Page } from 'playwright-core';
import { erased } from '../../support/records/erasing.js';
import { describeInBrowser } from '../../support/repository/browser.js';
import { disturbWrites, OUTCOME_UNKNOWN } from './faults-on-the-way.js';
import { accessibilityFaults, KeptTab, SHIPMENT, useWorld } from './harness.js';
import { Keyboard } from './keyboard.js';

describeInBrowser('deleting and undoing in the console', () => {
  const stage = useWorld(new KeptTab(true));
  const { dialog } = stage;
  let id: string;
  let code: string;
  let page: Page;

  beforeEach(async () => {
    ({ id, shipmentCode: code } = await stage.ben.shipments.create(SHIPMENT));
  });

  const open = async (view: string) => {
    await stage.open(view);
    ({ page } = stage);
  };
  const isGone = async () => expect(stage.ben.shipments.get(id)).rejects.toMatchObject({ code: 'NOT_FOUND' });

  test('a shipment is deleted, and all that goes with it is named', async () => {
    await stage.ben.agents.create(id, { agentType: 'RELEASING_AGENT', firstName: 'Mia', phone: '555-0100' });
    await open(`/shipments/${id}`);
    await page.getByRole('button', { name: 'Delete…' }).click();
    await dialog()
      .getByText(/^Deleted with it: 2 addresses and 1 agent\. You can restore it later\./)
      .waitFor();
    expect(await accessibilityFaults(page, 'delete')).toEqual([]);
    await dialog().getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText(`${code} was deleted.`).waitFor();
    await page.getByText(/^This move has no shipments yet/).waitFor();
    await isGone();
  });

  test('a change of somebody else is shown before it is deleted', async () => {
    await open(`/shipments/${id}`);
    await page.getByRole('button', { name: 'Delete…' }).click();
    await stage.ben.shipments.update(id, { estimatedWeight: 5000 });
    await dialog().getByRole('button', { name: 'Delete', exact: true }).click();
    await dialog()
      .getByText(/^Ben, .+: Estimated weight 4,500 lb → 5,000 lb$/)
      .waitFor();
    await dialog().getByRole('button', { name: 'Keep' }).click();
    expect((await stage.ben.shipments.get(id)).estimatedWeight).toBe(5000);
  });

  /** The values of the version that she sees are erased, so the service cannot tell what changed since. */
  const eraseSeen = async () => {
    await stage.ben.shipments.update(id, { estimatedWeight: 5000 });
    await erased(stage.world.service, { recordID: id });
  };
  const showsChange = () =>
    dialog()
      .getByText(/: Estimated weight 4,500 lb → 5,000 lb$/)
      .waitFor();

  test('a change is shown before it is deleted, also when the version that she saw was erased', async () => {
    await open(`/shipments/${id}`);
    await page.getByRole('button', { name: 'Delete…' }).click();
    await eraseSeen();
    await dialog().getByRole('button', { name: 'Delete', exact: true }).click();
    await showsChange();
    await dialog().getByRole('button', { name: 'Delete anyway' }).click();
    await page.getByText(`${code} was deleted.`).waitFor();
    await isGone();
  });

  test('a change is shown before the status is changed, also when the version that she saw was erased', async () => {
    await open(`/shipments/${id}`);
    await change('Approved');
    await eraseSeen();
    await confirm('Approved');
    await showsChange();
    await confirm('Approved');
    await page.getByText('Status changed to Approved.').waitFor();
    expect(await stage.ben.shipments.get(id)).toMatchObject({ status: 'APPROVED', estimatedWeight: 5000 });
  });

  test('a deletion whose answer was lost is said to be hers', async () => {
    await open(`/shipments/${id}`);
    await page.getByRole('button', { name: 'Delete…' }).click();
    await disturbWrites(page, '**/v1/shipments/*', OUTCOME_UNKNOWN);
    await dialog().getByRole('button', { name: 'Delete', exact: true }).click();
    await dialog()
      .getByText(/^This may not have been deleted\./)
      .waitFor();
    await page.unrouteAll();
    await dialog().getByRole('button', { name: 'Try again' }).click();
    await page.getByText(`${code} was deleted.`).waitFor();
    await isGone();
  });

  test('a move is deleted by keyboard alone once it has no shipments', async () => {
    const { moveID } = await stage.ben.shipments.get(id);
    await open(`/moves/${moveID}`);
    const keys = new Keyboard(page);
    await keys.choose(page.getByRole('button', { name: 'Delete…' }));
    await dialog()
      .getByText(/^A move with shipments cannot be deleted/)
      .waitFor();
    await keys.choose(dialog().getByRole('button', { name: 'Delete', exact: true }));
    await dialog()
      .getByText(/still has shipments/)
      .waitFor();
    await stage.ben.shipments.delete(id);
    await keys.choose(dialog().getByRole('button', { name: 'Delete', exact: true }));
    await page.getByRole('heading', { name: 'Moves' }).waitFor();
    await expect(stage.ben.moves.get(moveID)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  const change = async (status: string) => {
    await page.getByRole('button', { name: 'Change status…' }).click();
    await dialog().getByRole('radio', { name: status }).check();
  };
  const confirm = (status: string) =>
    dialog()
      .getByRole('button', { name: `Change to ${status}` })
      .click();

  test('a change of status is undone where the table has a way back', async () => {
    await stage.ben.shipments.updateStatus(id, { status: 'APPROVED' });
    await open(`/shipments/${id}`);
    await change('Diversion requested');
    await dialog().getByText('You can undo this.').waitFor();
    await confirm('Diversion requested');
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Status changed to Approved.').waitFor();
    expect((await stage.ben.shipments.get(id)).status).toBe('APPROVED');
  });

  test('an undo that somebody else has overtaken writes nothing, and shows what can be done now', async () => {
    await stage.ben.shipments.updateStatus(id, { status: 'APPROVED' });
    await open(`/shipments/${id}`);
    await change('Diversion requested');
    await confirm('Diversion requested');
    await page.getByRole('button', { name: 'Undo', exact: true }).first().waitFor();
    await stage.ben.shipments.updateStatus(id, { status: 'CANCELLATION_REQUESTED' });
    await stage.ben.shipments.updateStatus(id, { status: 'CANCELED' });
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
    await dialog().getByText('Its status can no longer change from Canceled to Approved.').waitFor();
    expect((await stage.ben.shipments.get(id)).status).toBe('CANCELED');
  });

  test('a change of status that is refused after she left its dialog is reported', async () => {
    await open(`/shipments/${id}`);
    await change('Approved');
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/updateStatus', async (route) => {
      await released;
      return route.continue();
    });
    await confirm('Approved');
    await dialog().getByRole('button', { name: 'Cancel', exact: true }).click();
    await stage.ben.shipments.update(id, { estimatedWeight: 5000 });
    release();
    await page.getByText(`The status of ${code} was not changed. The shipment has changed in the meantime.`).waitFor();
    expect((await stage.ben.shipments.get(id)).status).toBe('SUBMITTED');
  });

  test('a change without a way back says so, also when a card is dragged', async () => {
    await open(`/shipments/${id}`);
    await change('Approved');
    await dialog().getByText('This cannot be undone: there is no way back to Submitted.').waitFor();
    await page.keyboard.press('Escape');
    await change('Canceled');
    await dialog().getByText('Canceled is final: the status cannot be changed afterwards.').waitFor();
    expect(await accessibilityFaults(page, 'final')).toEqual([]);
    await stage.ben.shipments.update(id, { shipmentType: 'Dragged', deliveryDate: '2027-03-02' });
    await open('/board');
    const column = (name: string) => page.getByRole('region', { name, exact: true });
    const card = column('Submitted').getByRole('article').filter({ hasText: code });
    await card.dragTo(column('Canceled'));
    await dialog().getByText('Canceled is final: the status cannot be changed afterwards.').waitFor();
    await confirm('Canceled');
    await page.getByText('Status changed to Canceled.').waitFor();
    expect((await stage.ben.shipments.get(id)).status).toBe('CANCELED');
  });
});
