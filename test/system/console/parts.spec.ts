import type { Page } from 'playwright-core';
import { describeInBrowser } from '../../support/repository/browser.js';
import { KeptTab, SHIPMENT, useWorld } from './harness.js';

const MIA = { agentType: 'RELEASING_AGENT', firstName: 'Mia', lastName: 'Lopez', phone: '555-0100' } as const;

describeInBrowser('agents and services in the console', () => {
  const stage = useWorld(new KeptTab(false));
  const { field, save, dialog } = stage;
  let id: string;
  let page: Page;

  beforeEach(async () => {
    ({ id } = await stage.ben.shipments.create(SHIPMENT));
  });

  /** Ann does not hear of what Ben does until she saves. */
  const openDeaf = async (view: string) => {
    await stage.open(`/shipments/${id}${view}`);
    ({ page } = stage);
  };

  test('a service is added, and what it lacks is said at its field', async () => {
    await openDeaf('');
    await page.getByRole('link', { name: 'Add service' }).click();
    await field('Description').fill('The whole house');
    await save();
    await page.getByText(/^Not saved/).waitFor();
    expect(await field('Code').getAttribute('aria-invalid')).toBe('true');
    await field('Code').fill('PACK');
    await save();
    await page.getByText(/^Saved\./).waitFor();
    await page.getByRole('link', { name: 'Edit PACK' }).waitFor();
    const { services } = await stage.ben.shipments.get(id, { expand: ['services'] });
    expect(services).toMatchObject([{ code: 'PACK', description: 'The whole house' }]);
  });

  test('one that is not saved yet survives Esc and a reload', async () => {
    await openDeaf('/services/new');
    await field('Code').fill('CRATE');
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Add service' }).waitFor();
    await page.reload();
    await stage.world.signIn(page, await stage.world.token('Ann'));
    await page.getByRole('link', { name: 'Add service' }).click();
    expect(await field('Code').inputValue()).toBe('CRATE');
  });

  test('a second agent of one role is refused in words, and what she typed stays', async () => {
    await openDeaf('/agents/new');
    await field('Role').selectOption('RELEASING_AGENT');
    await field('First name').fill('Leo');
    await field('Phone').fill('555-0177');
    await stage.ben.agents.create(id, MIA);
    await save();
    await page.getByText(/^Not saved\..*Your changes are kept/).waitFor();
    expect(await field('First name').inputValue()).toBe('Leo');
    await field('Role').selectOption('RECEIVING_AGENT');
    await save();
    await page.getByText(/^Saved\./).waitFor();
    const { agents } = await stage.ben.shipments.get(id, { expand: ['agents'] });
    expect(agents.map(({ firstName }) => firstName).sort()).toEqual(['Leo', 'Mia']);
  });

  test('a change that meets another of the same field is settled in the conflict dialog', async () => {
    const agent = await stage.ben.agents.create(id, MIA);
    await openDeaf('');
    await page.getByRole('link', { name: 'Edit Mia Lopez' }).click();
    await field('Phone').fill('555-0123');
    await stage.ben.agents.update(agent, { phone: '555-0150', email: 'mia@example.com' });
    await save();
    await dialog().getByRole('heading', { name: 'Ben changed the same field' }).waitFor();
    await dialog().getByText('1 change without a conflict').click();
    await dialog().getByText('Ben: Email none → mia@example.com').waitFor();
    await dialog().getByRole('group', { name: 'Phone' }).getByRole('radio', { name: /^You/ }).check();
    await dialog().getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText(/^Saved\./).waitFor();
    expect(await stage.ben.agents.get(agent.id)).toMatchObject({ phone: '555-0123', email: 'mia@example.com' });
  });

  test('a removal by somebody else is shown, and her edits stay', async () => {
    const agent = await stage.ben.agents.create(id, MIA);
    await openDeaf(`/agents/${agent.id}`);
    await field('Phone').fill('555-0123');
    await stage.ben.agents.delete(agent.id);
    await save();
    await dialog().getByRole('heading', { name: 'This agent was deleted' }).waitFor();
    await dialog()
      .getByText(/^Ben deleted it/)
      .waitFor();
    await dialog().getByText('555-0123').waitFor();
  });

  test('removing names the version that was seen: a change of somebody else is shown before it is lost', async () => {
    const service = await stage.ben.services.create(id, { code: 'PACK', description: 'Half of the house' });
    await openDeaf('');
    await page.getByRole('button', { name: 'Remove PACK' }).click();
    await stage.ben.services.update(service, { description: 'The whole house' });
    await dialog().getByRole('button', { name: 'Remove', exact: true }).click();
    await dialog()
      .getByText(/^Ben, .+: Description Half of the house → The whole house$/)
      .waitFor();
    expect((await stage.ben.services.get(service.id)).description).toBe('The whole house');
    await dialog().getByRole('button', { name: 'Remove anyway' }).click();
    await page.getByText('PACK was removed.').waitFor();
    const { services } = await stage.ben.shipments.get(id, { expand: ['services'] });
    expect(services).toEqual([]);
  });

  test('a former version of a move is opened and restored', async () => {
    const { moveID } = await stage.ben.shipments.get(id);
    await stage.ben.moves.update(moveID, { remarks: 'Call before ten.' });
    await stage.ben.moves.update(moveID, { remarks: 'Call after ten.' });
    await stage.open(`/moves/${moveID}`);
    await page
      .getByRole('link', { name: /as it was then/ })
      .nth(1)
      .click();
    await page.getByText(/^Version of/).waitFor();
    await page.getByRole('definition').getByText('Call before ten.').waitFor();
    await page.getByRole('button', { name: 'Restore these values…' }).click();
    await save();
    await page.getByText(/^Saved\./).waitFor();
    expect((await stage.ben.moves.get(moveID)).remarks).toBe('Call before ten.');
  });
});
