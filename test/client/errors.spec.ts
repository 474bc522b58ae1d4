import { isProblem, NoAnswerError, ProblemError, WaybillClient } from '../../client/src/waybill.js';
import { Gateway } from '../support/http/gateway.js';
import { UNKNOWN_ID } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService();
let gateway: Gateway;
let client: WaybillClient;

beforeAll(async () => {
  gateway = await Gateway.start(service.port);
  client = new WaybillClient({ baseUrl: gateway.url });
});
afterAll(() => gateway.stop());

async function errorOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => undefined,
    (error: unknown) => error,
  );
}

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
  client = new WaybillClient({ baseUrl: gateway.url, retries: 0 });
  for (const status of [200, 404, 502]) {
    gateway.next({ status, headers: { 'Content-Type': 'text/html' }, body: '<h1>Sign in to this network</h1>' });
    const error = await errorOf(client.moves.list().page());
    expect(error).toBeInstanceOf(NoAnswerError);
    expect(error).toMatchObject({ status });
  }
});
