import { WaybillClient, type Retry } from '../../client/src/waybill.js';
import { Gateway } from '../support/http/gateway.js';
import { ADDRESS, createShipment } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService({ POOL_SIZE: '3' });
let gateway: Gateway;
let client: WaybillClient;

beforeAll(async () => {
  gateway = await Gateway.start(service.port);
  client = new WaybillClient({ baseUrl: gateway.url });
});
afterAll(() => gateway.stop());

const sent = (name: string) => gateway.seen.map(({ headers }) => headers[name]);

describe('baseUrl', () => {
  it.each(['localhost:3000', 'waybill.example', '//waybill.example', '/api', '', 'ftp://waybill.example', 'http://'])(
    'is refused at once without a scheme and a host: %j',
    (baseUrl) => {
      expect(() => new WaybillClient({ baseUrl })).toThrow(
        `baseUrl must be an address with its scheme, such as "https://waybill.example", but is ${JSON.stringify(baseUrl)}.`,
      );
    },
  );

  it.each(['https://user:secret@waybill.example', 'https://waybill.example?token=secret', 'https://waybill.example#x'])(
    'is refused with what no request may carry: %s',
    (baseUrl) => {
      const refused = new TypeError(
        'baseUrl must have no user, password, query or fragment. Give credentials as `token`.',
      );
      expect(() => new WaybillClient({ baseUrl })).toThrow(refused);
    },
  );

  it.each(['http://localhost:3000', 'https://waybill.example/', 'HTTPS://waybill.example/behind/a/path'])(
    'may be %s',
    (baseUrl) => {
      expect(() => new WaybillClient({ baseUrl })).not.toThrow();
    },
  );
});

/** Every call that writes, with the same options. */
async function writeEverything(options: object): Promise<void> {
  const move = await client.moves.create({}, options);
  await client.moves.update(move.id, { remarks: 'x' }, options);
  const shipment = await client.shipments.create(
    { shipmentType: 'X', moveID: move.id, destinationAddress: ADDRESS },
    options,
  );
  const patched = await client.shipments.patch(shipment.id, {}, { ifMatch: shipment.eTag, ...options });
  await client.shipments.replace(
    shipment.id,
    { shipmentType: 'X', destinationAddress: ADDRESS },
    { ifMatch: patched.eTag, ...options },
  );
  const { destinationAddress } = await client.shipments.updateStatus(shipment.id, { status: 'APPROVED' }, options);
  const key = { shipmentID: shipment.id, addressID: destinationAddress?.id ?? '' };
  await client.addresses.update(key, { ...ADDRESS, city: 'B' }, options);
  const { id } = await client.services.create(shipment.id, { code: 'A' }, options);
  await client.services.delete(id, options);
}

describe('idempotencyKey', () => {
  it('is the key of every call that writes', async () => {
    gateway.next();
    await writeEverything({ idempotencyKey: 'mine' });
    const writes = gateway.seen.filter(({ method }) => method !== 'GET');
    expect(writes).toHaveLength(9);
    expect(writes.map(({ headers }) => headers['idempotency-key'])).toEqual(writes.map(() => '"mine"'));
  });

  it('has a write that was done before answered again, also for another client', async () => {
    const first = await client.moves.create({ orderID: 'once' }, { idempotencyKey: 'order-once' });
    const restarted = new WaybillClient({ baseUrl: gateway.url });
    expect(await restarted.moves.create({ orderID: 'once' }, { idempotencyKey: 'order-once' })).toEqual(first);
  });

  it('makes an update happen once: with the key of one that was made, another is refused', async () => {
    const { id } = await createShipment(service.api, { estimatedWeight: 1 });
    const add = ({ estimatedWeight }: { estimatedWeight: number | null }) => ({
      estimatedWeight: (estimatedWeight ?? 0) + 1,
    });
    await client.shipments.update(id, add, { idempotencyKey: 'add-one' });
    const again = client.shipments.update(id, add, { idempotencyKey: 'add-one' });
    await expect(again).rejects.toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' });
    expect((await service.api.get(`/v1/shipments/${id}`)).body).toMatchObject({ estimatedWeight: 2 });
  });
});

describe('headers', () => {
  it('of the client and of the call are sent with every request, the call wins, and neither replaces the protocol', async () => {
    client = new WaybillClient({ baseUrl: gateway.url, headers: { 'X-Tenant': 'client', 'X-App': 'demo' } });
    gateway.next();
    const headers = { 'x-tenant': 'call', 'idempotency-key': 'not this', 'content-type': 'text/plain' };
    await writeEverything({ headers });
    expect(new Set(sent('x-tenant'))).toEqual(new Set(['call']));
    expect(new Set(sent('x-app'))).toEqual(new Set(['demo']));
    const writes = gateway.seen.filter(({ method }) => method !== 'GET');
    expect(writes.map((write) => write.headers['idempotency-key'])).not.toContain('not this');
    gateway.next();
    const { items } = await client.shipments.list({ limit: 1 }).page();
    await client.shipments.get(items[0]?.id ?? '', { headers: { 'X-Tenant': 'call' } });
    await client.shipments.list({ limit: 1, headers: { 'X-Tenant': 'call' } }).page();
    expect(sent('x-tenant')).toEqual(['client', 'call', 'call']);
  });
});

describe('fetch', () => {
  it('is used instead of the global one, and not as a method', async () => {
    const asked: string[] = [];
    async function own(this: unknown, url: string, init: RequestInit): Promise<Response> {
      expect(this).toBeUndefined();
      asked.push(`${init.method ?? ''} ${url}`);
      return fetch(url, init);
    }
    await new WaybillClient({ baseUrl: service.url, fetch: own }).moves.list().page();
    expect(asked).toEqual([`GET ${service.url}/v1/moves`]);
  });
});

describe('onRetry', () => {
  it('is told of every repetition: which attempt failed, why, and how long the pause is', async () => {
    const retries: Retry[] = [];
    const told = new WaybillClient({
      baseUrl: gateway.url,
      token: () => 'any',
      onRetry: (retry) => void retries.push(retry),
    });
    gateway.next({ status: 401 }, 'lose the request', { status: 503, headers: { 'Retry-After': '1' } });
    await told.moves.create({});
    expect(retries).toMatchObject([
      { attempt: 1, delayMs: 0, reason: { status: 401 } },
      { attempt: 2, reason: { name: 'NoAnswerError', status: undefined } },
      { attempt: 3, reason: { status: 503 } },
    ]);
    expect(retries[2]?.delayMs).toBeGreaterThanOrEqual(1000);
  });
});
