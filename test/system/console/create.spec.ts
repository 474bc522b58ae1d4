import type { Page } from 'playwright-core';
import { describeInBrowser } from '../../support/repository/browser.js';
import { shareOf } from '../../support/repository/sweeps.js';
import {
  disturbWrites,
  leaveWritesUnanswered,
  IN_PROGRESS,
  OUTCOME_UNKNOWN,
  UNAVAILABLE,
  type Mishap,
} from './faults-on-the-way.js';
import { accessibilityFaults, goTo, KeptTab, SHIPMENT, useWorld } from './harness.js';
import { Keyboard } from './keyboard.js';

describeInBrowser('creating in the console', () => {
  const stage = useWorld(new KeptTab(true));
  const { field } = stage;
  let type: string;
  let page: Page;
  let count = 0;

  beforeEach(() => {
    count += 1;
    type = `Piano ${count}`;
  });

  const open = async (view: string) => {
    await stage.open(view);
    ({ page } = stage);
  };
  const form = () => page.getByRole('form');
  const create = () =>
    form()
      .getByRole('button', { name: /^(Create shipment|Try again|Save the rest)$/ })
      .click();
  const agent = () => form().getByRole('group', { name: 'Agent 1' });
  const service = () => form().getByRole('group', { name: 'Service 1' });
  const addAgentAndService = async () => {
    await form().getByRole('button', { name: 'Add agent' }).click();
    await agent().getByLabel('Role').selectOption('RELEASING_AGENT');
    await agent().getByLabel('First name').fill('Mia');
    await agent().getByLabel('Phone').fill('555-0100');
    await form().getByRole('button', { name: 'Add service' }).click();
    await service().getByLabel('Code').fill('PACK');
  };
  const made = async () =>
    (await stage.ben.shipments.list({ shipmentType: type, expand: ['agents', 'services', 'move'] }).page()).items;
  const isCreated = () => page.getByText(/^Created [A-Z0-9]{6}-\d\d\./).waitFor();

  test('a shipment with addresses, an agent and a service; what is missing is marked before anything is sent', async () => {
    await open('/board');
    await page.getByRole('link', { name: 'New shipment', exact: true }).click();
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') sent.push(request.url());
    });
    await form().getByRole('button', { name: 'Add agent' }).click();
    await create();
    await page.getByText(/^Not saved\. Correct the marked fields\.$/).waitFor();
    expect(await field('Type').getAttribute('aria-invalid')).toBe('true');
    expect(await agent().getByLabel('First name').getAttribute('aria-invalid')).toBe('true');
    expect(await agent().getByLabel('Email').getAttribute('aria-invalid')).toBe('true');
    expect(sent).toEqual([]);
    await form().getByRole('button', { name: 'Remove agent 1' }).click();
    await field('Type').fill(type);
    await field('Pickup date').fill('2027-03-01');
    const address = form().getByRole('group', { name: 'Pickup address' });
    await address.getByLabel('Street', { exact: true }).fill('1 Main Street');
    await address.getByLabel('City').fill('Springfield');
    await address.getByLabel('State').fill('IL');
    await address.getByLabel('Postal code').fill('62701');
    await addAgentAndService();
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await accessibilityFaults(page, 'new-shipment')).toEqual([]);
    }
    await create();
    await isCreated();
    await page.getByRole('heading', { name: type }).waitFor();
    expect(await made()).toMatchObject([
      {
        pickupDate: '2027-03-01',
        pickupAddress: { city: 'Springfield' },
        agents: [{ firstName: 'Mia', phone: '555-0100' }],
        services: [{ code: 'PACK' }],
      },
    ]);
  });

  test('by keyboard alone, in a move found by its order', async () => {
    const move = await stage.ben.moves.create({ orderID: `ORDER-${type.replace(' ', '-')}` });
    await open('/board');
    const keys = new Keyboard(page);
    await page.getByRole('region', { name: 'Submitted', exact: true }).waitFor();
    await keys.press('n');
    await field('Type').waitFor();
    await keys.write(type);
    const existing = form().getByRole('radio', { name: 'Open a new move' });
    await keys.tabTo(existing, 'Shift+Tab');
    await keys.press('ArrowDown');
    await keys.tabTo(field('Find a move by code or order'));
    await keys.write(move.orderID ?? '');
    await page.getByText('One move matches. Press Enter to choose it.').waitFor();
    await keys.press('Enter');
    await form().getByText(move.moveCode).waitFor();
    await keys.tabTo(field('Type'));
    await keys.press('Control+Enter');
    await isCreated();
    expect(await made()).toMatchObject([{ moveID: move.id }]);
  });

  const MISHAPS = {
    'a lost request': ['request lost'],
    'a lost answer': ['answer lost'],
    'an answer that breaks off': ['answer cut off'],
    '503 OUTCOME_UNKNOWN': [OUTCOME_UNKNOWN],
    '409 IDEMPOTENCY_IN_PROGRESS': [IN_PROGRESS],
    '503 UNAVAILABLE after a lost answer': ['answer lost', UNAVAILABLE],
  } satisfies Record<string, [Mishap, ...Mishap[]]>;

  /** The fault of the shipment's request, then that of the agent or service, and whether the page is reloaded after each. */
  const CASES = [
    ['a lost request', 'agent', 'a lost answer', false],
    ['a lost answer', 'service', 'a lost request', true],
    ['an answer that breaks off', 'service', '503 OUTCOME_UNKNOWN', true],
    ['503 OUTCOME_UNKNOWN', 'agent', 'an answer that breaks off', false],
    ['409 IDEMPOTENCY_IN_PROGRESS', 'agent', '503 UNAVAILABLE after a lost answer', true],
    ['503 UNAVAILABLE after a lost answer', 'service', '409 IDEMPOTENCY_IN_PROGRESS', false],
  ] as const;

  test.each(shareOf(CASES, 2, 3))(
    'one shipment, agent and service come of %s and, for the %s, %s, with the page loaded again: %s',
    async (first, part, second, isLoadedAgain) => {
      const createDisturbed = async (url: string, mishap: keyof typeof MISHAPS, next: string) => {
        await disturbWrites(page, url, ...(MISHAPS[mishap] as [Mishap, ...Mishap[]]));
        await create();
        await form().getByRole('button', { name: next }).waitFor();
        await page
          .getByText(/^This may not have been saved\./)
          .first()
          .waitFor();
        await page.unrouteAll();
        if (!isLoadedAgain) return;
        await page.reload();
        await stage.world.signIn(page, await stage.world.token('Ann'));
      };
      await open('/shipments/new');
      await field('Type').fill(type);
      await addAgentAndService();
      await createDisturbed('**/v1/shipments', first, 'Try again');
      await createDisturbed(`**/${part}s`, second, 'Save the rest');
      await create();
      await isCreated();
      expect(await made()).toMatchObject([{ agents: [{ firstName: 'Mia' }], services: [{ code: 'PACK' }] }]);
      await page.getByRole('heading', { name: type }).waitFor();
      await goTo(page, '/shipments/new');
      await field('Type').waitFor();
      expect(await field('Type').inputValue()).toBe('');
      expect(await agent().count()).toBe(0);
    },
  );

  test('the page is loaded again while the answer is on its way', async () => {
    await open('/shipments/new');
    await field('Type').fill(type);
    const { done } = await leaveWritesUnanswered(page, '**/v1/shipments');
    await create();
    await done;
    await page.reload();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await stage.world.signIn(page, await stage.world.token('Ann'));
    await page.getByText('Restored your draft.').waitFor();
    expect(await field('Type').inputValue()).toBe(type);
    await create();
    await isCreated();
    expect(await made()).toHaveLength(1);
  });

  test('a copy has everything but the actual weight, and is a shipment of its own', async () => {
    const original = await stage.ben.shipments.create({ ...SHIPMENT, shipmentType: type, actualWeight: 4400 });
    await stage.ben.services.create(original.id, { code: 'CRATE' });
    await open(`/shipments/${original.id}`);
    await page.getByRole('link', { name: 'Duplicate' }).click();
    await page.getByRole('heading', { name: `Copy of ${original.shipmentCode}` }).waitFor();
    expect(await service().getByLabel('Code').inputValue()).toBe('CRATE');
    await create();
    await isCreated();
    const shipments = await made();
    expect(shipments).toHaveLength(2);
    const copy = shipments.find(({ id }) => id !== original.id);
    expect(copy).toMatchObject({
      ...{ moveID: original.moveID, status: 'SUBMITTED', actualWeight: null },
      ...{ estimatedWeight: 4500, deliveryDate: SHIPMENT.deliveryDate, services: [{ code: 'CRATE' }] },
    });
  });

  test('a move is created, and a shipment in it', async () => {
    await open('/moves');
    await page.getByRole('link', { name: 'New move' }).first().click();
    await field('Order').fill(`4711-${count}`);
    expect(await accessibilityFaults(page, 'new-move')).toEqual([]);
    await form().getByRole('button', { name: 'Create move' }).click();
    await page.getByRole('link', { name: 'Add shipment' }).first().click();
    await form().getByText(`4711-${count}`).waitFor();
    await field('Type').fill(type);
    await create();
    await isCreated();
    expect(await made()).toMatchObject([{ move: { orderID: `4711-${count}` } }]);
  });
});
