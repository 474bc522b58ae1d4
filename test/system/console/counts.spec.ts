import type { Shipment } from '@waybill/client';
import type { Locator } from 'playwright-core';
import { describeInBrowser } from '../../support/repository/browser.js';
import { day } from './fill-board.js';
import { goTo, KeptTab, SHIPMENT, useWorld } from './harness.js';

const TYPE = 'Counted';
const MANY = 130;

describeInBrowser('numbers of shipments', () => {
  const stage = useWorld(new KeptTab(true));
  const DAY = day(3);

  beforeAll(async () => {
    const dates = { pickupDate: day(0), deliveryDate: DAY };
    const lines = Array.from({ length: MANY }, () => [TYPE, dates.pickupDate, dates.deliveryDate].join());
    const text = ['shipmentType,pickupDate,deliveryDate', ...lines].join('\n');
    const { id } = await stage.ben.imports.upload(text);
    await stage.ben.imports.apply(id);
    await stage.ben.imports.wait(id);
  });

  const button = (name: string | RegExp) => stage.page.getByRole('button', { name });
  const column = (name: string) => stage.page.getByRole('region', { name });
  /** Creates shipments, and opens a list of them once Ann has heard of them: a list counts again at most every ten seconds. */
  const createAndOpen = async (shipmentType: string, count: number) => {
    const all = `/list?${String(new URLSearchParams({ shipmentType }))}`;
    await stage.open(all);
    await stage.page.getByText('No shipment matches these filters.', { exact: false }).waitFor();
    const created: Shipment[] = [];
    for (let index = 0; index < count; index += 1) created.push(await stage.ben.shipments.create({ shipmentType }));
    await button(`Up to ${count} new`).waitFor();
    const list = `${all}&status=SUBMITTED`;
    await stage.open(list);
    await stage.page.getByText(`${count} shipments`, { exact: true }).waitFor();
    return { list, created };
  };
  const approve = (shipment?: Shipment) => stage.ben.shipments.updateStatus(shipment?.id ?? '', { status: 'APPROVED' });
  /** The first number among the texts of an element. */
  const numberIn = async (element: Locator) => /\d[\d,]*\+?/.exec(await element.innerText())?.[0];

  test('are those of all matching shipments, in the list, its export and a selection of it, and follow others', async () => {
    await stage.open(`/list?shipmentType=${TYPE}`);
    const { page } = stage;
    await page.getByText(`${MANY} shipments`, { exact: true }).waitFor();
    await button(`Export list (${MANY})`).waitFor();
    await page.getByRole('row').nth(1).getByRole('checkbox').click();
    await page.getByText(`1 of ${MANY} selected`, { exact: true }).waitFor();
    await stage.ben.shipments.create({ ...SHIPMENT, shipmentType: TYPE });
    await page.getByText(`${MANY + 1} shipments`, { exact: true }).waitFor();
  });

  test('are those of the whole column, day and list of moves, although these load only a part', async () => {
    const { id } = await stage.ben.shipments.create({ ...SHIPMENT, deliveryDate: DAY, pickupDate: null });
    await stage.ben.shipments.updateStatus(id, { status: 'APPROVED' });
    await stage.open('/board');
    const { page } = stage;
    await column('Submitted')
      .getByText(String(MANY + 1), { exact: true })
      .waitFor();
    expect(await numberIn(column('Approved').locator('header'))).toBe('1');
    await stage.open(`/calendar?by=delivery&span=month&day=${DAY}`);
    await page
      .locator(`[data-day="${DAY}"]`)
      .getByText(`All ${MANY + 1}`, { exact: true })
      .waitFor();
    await stage.open('/calendar?by=pickup&span=week');
    await page
      .locator(`[data-day="${day(0)}"]`)
      .getByText(`All ${MANY}`, { exact: true })
      .waitFor();
    await stage.open('/moves');
    await page.getByText(`${MANY + 2} moves`, { exact: true }).waitFor();
  });

  test('of Today say what the bars count besides', async () => {
    await stage.open('');
    await stage.page
      .getByText('the bars also count what is already picked up or delivered', { exact: false })
      .waitFor();
  });

  test('are those of the service although rows stay, or are not shown yet', async () => {
    const type = 'Counted, few';
    const { created } = await createAndOpen(type, 3);
    const { page } = stage;
    await approve(created[0]);
    await page.getByText('2 shipments', { exact: true }).waitFor();
    expect(await page.getByRole('row').count()).toBe(4);
    for (let index = 0; index < 2; index += 1) await stage.ben.shipments.create({ shipmentType: type });
    await button('Up to 2 new').click();
    await page.getByRole('row').nth(4).waitFor();
    await button('Export list (4)').waitFor();
  });

  test('are those of the service when a list is shown again', async () => {
    const { list, created } = await createAndOpen('Counted, again', 4);
    const [first, second] = created;
    const { page } = stage;
    const count = (text: string) => page.getByText(text, { exact: true }).waitFor();
    await approve(first);
    await count('3 shipments');
    await goTo(page, `/shipments/${second?.id}`);
    await page.getByRole('heading', { name: second?.shipmentCode ?? '' }).waitFor();
    await approve(second);
    await page.getByRole('main').getByText('Approved', { exact: true }).first().waitFor();
    await goTo(page, list);
    await count('2 shipments');
  });
});
