import { mayBeDone, ProblemError, WaybillClient, type Shipment } from '../../client/src/waybill.js';
import { Gateway, type Mishap } from '../support/http/gateway.js';
import { createShipment } from '../support/records/records.js';
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
