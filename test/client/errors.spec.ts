import {
  isProblem,
  mayBeDone,
  NoAnswerError,
  ProblemError,
  WaybillClient,
  type Shipment,
} from '../../client/src/waybill.js';
import { Gateway, type Mishap } from '../support/http/gateway.js';
import { createShipment, UNKNOWN_ID } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService({ POOL_SIZE: '3' });
let gateway: Gateway;
let client: WaybillClient;

beforeAll(async () => {
  gateway = await Gateway.start(service.port);
  client = new WaybillClient({ baseUrl: gateway.url, retries: 1 });
});
afterAll(() => gateway.stop());
beforeEach(() => gateway.next());

const problem = (status: number, code: string): Mishap => ({
  status,
  headers: { 'Content-Type': 'application/problem+json' },
  body: JSON.stringify({ status, code, detail: 'As a test wants it.' }),
});
const UNAVAILABLE = problem(503, 'UNAVAILABLE');
const FORBIDDEN = problem(403, 'FORBIDDEN');
const errorOf = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  );

test('a refusal is a ProblemError, told apart by its code', async () => {
  const error = await errorOf(client.shipments.get(UNKNOWN_ID));
  expect(error).toBeInstanceOf(ProblemError);
  expect(error).toMatchObject({ code: 'NOT_FOUND', status: 404, problem: { requestID: expect.any(String) } });
  expect(isProblem(error, 'NOT_FOUND')).toBe(true);
  expect(isProblem(error, 'FORBIDDEN')).toBe(false);
});

test('a problem has the members of its code', async () => {
  const { id } = await client.shipments.create({ shipmentType: 'HHG' });
  const refused = await errorOf(client.shipments.updateStatus(id, () => ({ status: 'DELIVERED' })));
  if (!isProblem(refused, 'STATUS_TRANSITION')) throw refused;
  expect(refused.problem.allowedStatuses).toEqual(['APPROVED', 'REJECTED', 'CANCELED']);
  const faulty = await errorOf(client.shipments.create({ shipmentType: '' }));
  if (!isProblem(faulty, 'VALIDATION_FAILED')) throw faulty;
  expect(faulty.problem.errors).toMatchObject([{ pointer: '/shipmentType' }]);
});

test('the message says which fields are wrong, and how', async () => {
  const faulty = { shipmentType: '', deliveryDate: 'tomorrow' };
  await expect(client.shipments.create(faulty)).rejects.toThrow(
    /^422 VALIDATION_FAILED: \/shipmentType must .+; \/deliveryDate must .+ \(requestID [0-9a-f-]{36}\)$/,
  );
  await expect(client.shipments.list({ limit: 0 }).page()).rejects.toThrow(/^400 INVALID_PARAMETER: \?limit must /);
  await expect(client.shipments.get(UNKNOWN_ID)).rejects.toThrow(/^404 NOT_FOUND: .+ \(requestID /);
});

test('the message says how many faults it does not show', async () => {
  const body = Object.fromEntries(Array.from({ length: 25 }, (_, n) => [`unknown${n}`, 1]));
  const faulty = client.moves.create(body);
  await expect(faulty).rejects.toThrow(/\/unknown19 [^;]+; and 5 more \(requestID/);
});

test('an answer that is not of the service is a NoAnswerError, whatever its status', async () => {
  const hasty = new WaybillClient({ baseUrl: gateway.url, retries: 0 });
  for (const status of [200, 404, 502]) {
    gateway.next({ status, headers: { 'Content-Type': 'text/html' }, body: '<h1>Sign in to this network</h1>' });
    const error = await errorOf(hasty.moves.list().page());
    expect(error).toBeInstanceOf(NoAnswerError);
    expect(error).toMatchObject({ status });
  }
});

describe('an error says whether the write may be done nevertheless', () => {
  it.each<[boolean, string, Mishap[]]>([
    [true, 'no answer', ['lose the request', 'lose the request']],
    [true, '503 OUTCOME_UNKNOWN', [problem(503, 'OUTCOME_UNKNOWN'), problem(503, 'OUTCOME_UNKNOWN')]],
    [true, '409 IDEMPOTENCY_IN_PROGRESS', Array<Mishap>(2).fill(problem(409, 'IDEMPOTENCY_IN_PROGRESS'))],
    [true, '503 UNAVAILABLE after a lost answer', ['lose the answer', UNAVAILABLE]],
    [true, '403 after a lost answer', ['lose the answer', FORBIDDEN]],
    [true, 'a gateway that gives up', [{ status: 504 }, { status: 504 }]],
    [true, 'a success that is cut off', [{ status: 201, body: '{"id":' }]],
    [false, '503 UNAVAILABLE', [UNAVAILABLE, UNAVAILABLE]],
    [false, '403', [FORBIDDEN]],
    [false, '500', [problem(500, 'INTERNAL')]],
    [false, '412 after a lost request', ['lose the request', problem(412, 'PRECONDITION_FAILED')]],
  ])('%s: %s', async (expected, _, mishaps) => {
    gateway.next(...mishaps);
    const error = await errorOf(client.moves.create({}));
    expect([mayBeDone(error), (error as ProblemError).mayBeDone]).toEqual([expected, expected]);
  });

  it('true: the caller gave up waiting', async () => {
    const error = await errorOf(client.moves.create({}, { signal: AbortSignal.abort() }));
    expect(mayBeDone(error)).toBe(true);
  });

  it.each<[boolean, string]>([
    [true, 'UNAVAILABLE'],
    [true, 'FORBIDDEN'],
    [true, 'RATE_LIMITED'],
    [true, 'INTERNAL'],
    [false, 'PRECONDITION_FAILED'],
    [false, 'NOT_FOUND'],
    [false, 'VALIDATION_FAILED'],
  ])('%s: %s in a call that repeats one of which nothing is known', (expected, code) => {
    const error = new ProblemError({ code, errors: [] } as never);
    expect([mayBeDone(error), mayBeDone(error, true)]).toEqual([false, expected]);
  });
});

describe('updateMany that is called again with its key', () => {
  const many = async (count: number): Promise<Shipment[]> => {
    const shipments: Shipment[] = [];
    while (shipments.length < count) shipments.push(await createShipment(service.api, { estimatedWeight: 1 }));
    return shipments;
  };

  it('reports what the call before it did, and does nothing twice', async () => {
    const shipments = await many(3);
    const approve = () =>
      client.shipments.updateStatusMany(shipments, { status: 'APPROVED' }, { idempotencyKey: 'approve-once' });
    gateway.next('lose the answer', UNAVAILABLE);
    expect(mayBeDone(await errorOf(approve()))).toBe(true);
    const { updated, refused } = await approve();
    expect([updated.length, refused]).toEqual([3, []]);
    for (const { id } of shipments) {
      const { body } = await service.api.get(`/v1/shipments/${id}/history`);
      expect(body).toHaveLength(2);
    }
  });

  it('sends other items under another key', async () => {
    const [first, second] = (await many(2)) as [Shipment, Shipment];
    const options = { idempotencyKey: 'two-halves' };
    for (const shipment of [first, second]) {
      const { updated } = await client.shipments.updateMany([shipment], { actualWeight: 2 }, options);
      expect(updated).toMatchObject([{ id: shipment.id, actualWeight: 2 }]);
    }
  });

  it('reports an item as possibly done when one of several attempts left that open', async () => {
    const [shipment] = (await many(1)) as [Shipment];
    const answer = (code: string): Mishap => ({
      status: 207,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ items: [{ status: 503, id: shipment.id, problem: { status: 503, code, detail: '' } }] }),
    });
    gateway.next(answer('OUTCOME_UNKNOWN'), ...Array<Mishap>(9).fill(answer('UNAVAILABLE')));
    const { refused, unknown } = await client.shipments.updateMany([shipment], { actualWeight: 2 });
    expect(refused).toEqual([]);
    expect(unknown).toMatchObject([{ id: shipment.id, error: { code: 'UNAVAILABLE', mayBeDone: true } }]);
  });
});
