import type { Json } from '../support/http/api.js';
import { expectProblem } from '../support/http/problem.js';
import { createMove } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService();

const TODAY = '2026-06-15';
const [YESTERDAY, TOMORROW] = ['2026-06-14', '2026-06-16'];

const STATUSES = ['SUBMITTED', 'APPROVED', 'IN_TRANSIT', 'DELIVERED', 'CANCELED', 'REJECTED'];

/** Of each status, a shipment with each pair of dates that may be. */
beforeAll(async () => {
  const { id } = await createMove(service.api);
  await service.sql.query(
    `INSERT INTO shipments (id, move_id, shipment_type, status, rejection_reason, pickup_date, delivery_date)
     SELECT uuidv7(), $1, 'HHG', status, CASE status WHEN 'REJECTED' THEN 'why' END, pickup, delivery
     FROM unnest($2::text[]) status, unnest($3::date[]) pickup, unnest($3::date[]) delivery
     WHERE (pickup <= delivery) IS NOT FALSE`,
    [id, STATUSES, [YESTERDAY, TODAY, TOMORROW, null]],
  );
});

async function overview(query = `today=${TODAY}`): Promise<Json> {
  const { status, body } = await service.api.get(`/v1/overview?${query}`);
  expect(status).toBe(200);
  return body;
}

/** Every number of an overview, with its path in it. */
function numbersIn(value: Json, path = ''): [string, Json][] {
  if (typeof value !== 'object' || value === null) return [];
  if (typeof value.count === 'number') return [[path, value]];
  return Object.entries(value).flatMap(([name, inside]) => numbersIn(inside, `${path}/${name}`));
}

test('each number is the length of the list that comes with it', async () => {
  const numbers = numbersIn(await overview());
  for (const [path, { count, more, list }] of numbers) {
    const { status, body } = await service.api.get<Json[]>(`${list}&limit=200`);
    expect([path, status, body.length, more]).toEqual([path, 200, count, false]);
  }
  expect(numbers).toHaveLength(4 + 1 + 8 + 2 * 14);
});

test('what is overdue, due and waiting', async () => {
  const { overdue, dueToday, waitingForApproval, ...rest } = await overview();
  // Of ten shipments with each status three have each pickup date after yesterday's four.
  expect(overdue).toMatchObject({ pickups: { count: 2 * 4 }, deliveries: { count: 3 * 2 } });
  expect(dueToday).toMatchObject({ pickups: { count: 2 * 3 }, deliveries: { count: 3 * 3 } });
  expect(waitingForApproval).toMatchObject({ count: 13, list: '/v1/shipments?status=SUBMITTED' });
  expect(rest).toMatchObject({ today: TODAY, from: TODAY, to: '2026-06-28' });
});

test('all shipments by status', async () => {
  const { byStatus } = await overview();
  const counts = Object.fromEntries(byStatus.map(({ status, count }: Json) => [status, count]));
  expect(counts).toEqual({
    ...Object.fromEntries(STATUSES.map((status) => [status, 13])),
    DIVERSION_REQUESTED: 0,
    CANCELLATION_REQUESTED: 0,
  });
});

test('pickups and deliveries of each day, without what was rejected or canceled', async () => {
  const { days } = await overview(`from=${YESTERDAY}&to=2026-06-17`);
  const counts = days.map(({ date, pickups, deliveries }: Json) => [date, pickups.count, deliveries.count]);
  expect(counts).toEqual([
    [YESTERDAY, 16, 8],
    [TODAY, 12, 12],
    [TOMORROW, 8, 16],
    ['2026-06-17', 0, 0],
  ]);
});

test('the current day in UTC without today', async () => {
  const before = new Date().toISOString().slice(0, 10);
  const { today, from } = await overview('');
  expect([before, new Date().toISOString().slice(0, 10)]).toContain(today);
  expect(from).toBe(today);
});

test('92 days at most', async () => {
  const { days, to } = await overview('from=2026-01-01&to=2026-04-02');
  expect([days.length, to]).toEqual([92, '2026-04-02']);
});

test('the days that a range may have end with the calendar', async () => {
  const { body } = await service.api.get('/v1/overview?from=2199-12-31&to=2199-12-01');
  expect(body.errors[0].message).toBe('must be from 2199-12-31 to 2199-12-31, 92 days at most');
});

test.each(['from=2026-01-01&to=2026-04-03', 'from=2026-01-02&to=2026-01-01', 'from=x', 'today=2026-02-30', 'days=3'])(
  '400 for %s',
  async (query) => {
    expectProblem(await service.api.get(`/v1/overview?${query}`), 400, 'INVALID_PARAMETER');
  },
);

// Last, because it adds shipments.
test('exact up to 10,000, those of one day up to 1,000, and more beyond', async () => {
  const insert = (count: number, day: string) =>
    service.sql.query(
      `INSERT INTO shipments (id, shipment_code, move_id, shipment_type, status, pickup_date)
       SELECT gen_random_uuid(), left(m.move_code, 6) || '-' || 100 + (SELECT count(*) FROM shipments) + n, m.id, 'HHG', 'SUBMITTED', $2
       FROM moves m, generate_series(1, $1::int) n`,
      [count, day],
    );
  const { waitingForApproval: before } = await overview();
  // Without triggers, which take most of the time.
  await service.sql.query('SET session_replication_role = replica');
  await insert(1000, '2027-06-15');
  await insert(1001, '2027-06-16');
  await insert(7999 - before.count, '2025-01-01');
  const { days, waitingForApproval } = await overview('today=2027-06-15');
  expect(days.slice(0, 2)).toMatchObject([
    { pickups: { count: 1000, more: false } },
    { pickups: { count: 1000, more: true } },
  ]);
  expect(waitingForApproval).toMatchObject({ count: 10_000, more: false });
  await insert(1, '2025-01-01');
  expect((await overview()).waitingForApproval).toMatchObject({ count: 10_000, more: true });
});
