import { WaybillClient } from '../../client/src/waybill.js';
import { eventually } from '../support/races/eventually.js';
import { Gateway, type Mishap } from '../support/http/gateway.js';
import { createShipment } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService({ POOL_SIZE: '3' });
let gateway: Gateway;
let client: WaybillClient;

beforeAll(async () => {
  gateway = await Gateway.start(service.port);
  client = new WaybillClient({ baseUrl: gateway.url });
});
afterAll(() => gateway.stop());

async function historyOf(id: string): Promise<string[]> {
  const { body } = await service.api.get(`/v1/shipments/${id}/history`);
  return body.map(({ type }: { type: string }) => type);
}

const later = (status: number, retryAfter: string): Mishap => ({ status, headers: { 'Retry-After': retryAfter } });

const problem = (status: number, code: string): Mishap => ({
  status,
  headers: { 'Content-Type': 'application/problem+json' },
  body: JSON.stringify({ status, code, detail: 'As a test wants it.' }),
});

const keysSeen = () => gateway.seen.map(({ headers }) => headers['idempotency-key']);

describe('a write whose answer was lost is done once', () => {
  it('when it creates', async () => {
    gateway.next('lose the answer', 'lose the answer');
    const move = await client.moves.create({ orderID: 'lost-answer' });
    const { body } = await service.api.get('/v1/moves?orderID=lost-answer');
    expect(body).toEqual([move]);
  });

  it('when it changes, which is not taken for a conflict with itself', async () => {
    const { id, eTag } = await createShipment(service.api);
    gateway.next('lose the answer');
    const changed = await client.shipments.patch(id, { estimatedWeight: 7 }, { ifMatch: eTag });
    expect(changed).toMatchObject({ id, estimatedWeight: 7 });
    expect(await historyOf(id)).toEqual(['updated', 'created']);
  });

  it('when it deletes, which is not taken for a record that never was', async () => {
    const { id } = await createShipment(service.api);
    gateway.next('lose the answer');
    await client.shipments.delete(id);
    expect(await historyOf(id)).toEqual(['deleted', 'created']);
  });

  it('when the first attempt still runs while the second asks for its answer', async () => {
    const { id, eTag } = await createShipment(service.api);
    await service.sql.query('BEGIN');
    await service.sql.query('SELECT FROM shipments WHERE id = $1 FOR UPDATE', [id]);
    gateway.next();
    const hasty = new WaybillClient({ baseUrl: gateway.url, timeoutMs: 500, retries: 20 });
    const changing = hasty.shipments.patch(id, { estimatedWeight: 7 }, { ifMatch: eTag });
    await eventually(() => gateway.seen.length > 1, 30_000, 'a second attempt');
    await service.sql.query('COMMIT');
    expect(await changing).toMatchObject({ estimatedWeight: 7 });
    expect(await historyOf(id)).toEqual(['updated', 'created']);
    expect(new Set(keysSeen()).size).toBe(1);
  });
});

describe('what is retried', () => {
  it.each([
    ['a lost request', 'lose the request' as const],
    ['429', later(429, '0')],
    ['503', later(503, '0')],
    ['503 without Retry-After', { status: 503 }],
    ['502 of a gateway', { status: 502 }],
    ['504 of a gateway', { status: 504 }],
    ['503 OUTCOME_UNKNOWN', problem(503, 'OUTCOME_UNKNOWN')],
    ['409 IDEMPOTENCY_IN_PROGRESS', problem(409, 'IDEMPOTENCY_IN_PROGRESS')],
  ])('%s, with the same key', async (_, mishap) => {
    gateway.next(mishap, mishap);
    await client.moves.create({});
    expect(gateway.seen).toHaveLength(3);
    expect(new Set(keysSeen()).size).toBe(1);
  });

  it.each([
    ['seconds', '1', (first: number) => first + 1000],
    ['a date', new Date(Date.now() + 3000).toUTCString(), (_first: number, date: string) => Date.parse(date)],
  ])('not before the time that Retry-After says in %s', async (_, retryAfter, earliest) => {
    gateway.next(later(503, retryAfter));
    await client.moves.list().page();
    const [first, second] = gateway.seen.map(({ at }) => performance.timeOrigin + at);
    // A timer may be a few milliseconds early by another clock.
    expect(second).toBeGreaterThanOrEqual(earliest(first ?? NaN, retryAfter) - 20);
  });

  it.each([400, 401, 403, 404, 408, 409, 412, 422, 428, 500, 501, 505])('not %i', async (status) => {
    gateway.next({ status });
    await expect(client.moves.create({})).rejects.toMatchObject({ status });
    expect(gateway.seen).toHaveLength(1);
  });

  it.each(['61', '90000'])('not when Retry-After asks for a wait of %s seconds', async (retryAfter) => {
    gateway.next(later(429, retryAfter));
    await expect(client.moves.create({})).rejects.toMatchObject({ status: 429 });
    expect(gateway.seen).toHaveLength(1);
  });

  it('no more often than it was told', async () => {
    const patient = new WaybillClient({ baseUrl: gateway.url, retries: 2 });
    const lost = Array.from({ length: 9 }, () => 'lose the request' as const);
    gateway.next(...lost);
    await expect(patient.moves.create({})).rejects.toMatchObject({ name: 'NoAnswerError', cause: expect.anything() });
    expect(gateway.seen).toHaveLength(3);
    gateway.next(...lost.map(() => later(503, '0')));
    await expect(patient.moves.create({})).rejects.toMatchObject({ status: 503 });
    expect(gateway.seen).toHaveLength(3);
  });
});

describe('a 401', () => {
  const tokensSeen = () => gateway.seen.map(({ headers }) => headers.authorization);

  it('is repeated once with a fresh token, at once, and the function is told which one was refused', async () => {
    const refusals: (string | undefined)[] = [];
    const token = (refused?: string) => `token-${refusals.push(refused)}`;
    const renewing = new WaybillClient({ baseUrl: gateway.url, token });
    gateway.next({ status: 401, headers: { 'Retry-After': '600' } });
    await renewing.moves.create({});
    expect(tokensSeen()).toEqual(['Bearer token-1', 'Bearer token-2']);
    expect(refusals).toEqual([undefined, 'token-1']);
    expect(new Set(keysSeen()).size).toBe(1);
  });

  it('is final when the fresh token is refused too', async () => {
    const renewing = new WaybillClient({ baseUrl: gateway.url, token: () => 'any' });
    gateway.next({ status: 401 }, { status: 401 });
    await expect(renewing.moves.create({})).rejects.toMatchObject({ status: 401 });
    expect(gateway.seen).toHaveLength(2);
  });

  it('is final when the token is a constant', async () => {
    const constant = new WaybillClient({ baseUrl: gateway.url, token: 'constant' });
    gateway.next({ status: 401 });
    await expect(constant.moves.create({})).rejects.toMatchObject({ status: 401 });
    expect(tokensSeen()).toEqual(['Bearer constant']);
  });
});

describe('every request', () => {
  it('has a key of its own when it writes, and none when it reads', async () => {
    gateway.next();
    const shipment = await client.shipments.create({ shipmentType: 'HHG' });
    const { eTag } = await client.shipments.patch(shipment.id, {}, { ifMatch: shipment.eTag });
    await client.shipments.replace(shipment.id, { shipmentType: 'HHG' }, { ifMatch: eTag });
    await client.shipments.delete(shipment.id);
    expect(new Set(keysSeen()).size).toBe(4);
    expect(keysSeen().every((key) => /^"[0-9a-f-]{36}"$/.test(String(key)))).toBe(true);
    gateway.next();
    await client.moves.list().page();
    expect(keysSeen()).toEqual([undefined]);
  });

  it('has a token, asked for before each attempt', async () => {
    let tokens = 0;
    const known = new WaybillClient({ baseUrl: gateway.url, token: () => Promise.resolve(`token-${(tokens += 1)}`) });
    gateway.next({ status: 503 });
    await known.moves.list().page();
    expect(gateway.seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer token-1', 'Bearer token-2']);
  });

  it('ends with its signal, also while it waits to be repeated', async () => {
    gateway.next(later(503, '60'));
    const ending = new AbortController();
    const listing = client.moves.list({ signal: ending.signal }).page();
    listing.catch(() => undefined);
    await eventually(() => gateway.seen.length === 1, 30_000, 'the request');
    ending.abort(new Error('enough'));
    await expect(listing).rejects.toThrow('enough');
  });
});
