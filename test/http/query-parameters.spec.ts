import { expectProblem, faultsOf } from '../support/http/problem.js';
import { ADDRESS, createShipment, UNKNOWN_ID } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService();

async function faults(path: string): Promise<string[]> {
  return faultsOf(expectProblem(await service.api.get(path), 400, 'INVALID_PARAMETER'));
}

test.each([
  ['moves', ['offset', 'page', 'Limit', 'status', 'moveID', '__proto__', 'limit[]', '']],
  ['shipments', ['offset', 'orderID', 'deliveryDate', 'constructor', 'status[]', 'toString']],
])('400 for a parameter that the list of %s does not know', async (list, names) => {
  for (const name of names) expect(await faults(`/v1/${list}?${name}=1`)).toEqual([`?${name} UNKNOWN_PARAMETER`]);
});

test.each(['limit=1', 'sort=createdAt', 'orderID=a', 'updatedSince=2026-01-01T00:00:00Z', 'expand=shipments'])(
  '400 when %s is given twice',
  async (parameter) => {
    const name = parameter.split('=')[0] ?? '';
    expect(await faults(`/v1/moves?${parameter}&${parameter}`)).toEqual([`?${name} REPEATED`]);
  },
);

test.each([
  'status=SUBMITTED,SUBMITTED',
  'status=SUBMITTED&status=SUBMITTED',
  'status=SUBMITTED,APPROVED&status=DELIVERED,SUBMITTED',
  'expand=agents,agents',
  'expand=agents&expand=move,agents',
])('400 when a value of a list comes twice: %s', async (query) => {
  expect(await faults(`/v1/shipments?${query}`)).toEqual([`?${query.split('=')[0]} REPEATED`]);
});

test('400 names every fault at once', async () => {
  expect(await faults('/v1/shipments?limit=0&status=LOST&page=2')).toEqual([
    '?page UNKNOWN_PARAMETER',
    '?limit INVALID_VALUE',
    '?status INVALID_VALUE',
  ]);
});

test('400 for any parameter of a write, and nothing is written', async () => {
  const shipment = await createShipment(service.api, { pickupAddress: ADDRESS });
  const writes = [
    await service.api.post('/v1/shipments?limit=5', { shipmentType: 'HHG' }),
    await service.api.put(`/v1/shipments/${shipment.id}?limit=5`, shipment.eTag, { shipmentType: 'NTS' }),
    await service.api.delete(`/v1/shipments/${shipment.id}?limit=5`),
  ];
  for (const answer of writes) expectProblem(answer, 400, 'INVALID_PARAMETER');
  expect((await service.api.get(`/v1/shipments/${shipment.id}`)).body).toEqual(shipment);
});

test.each([
  'access_token',
  'token',
  'authorization',
  'Authorization',
  'api_key',
  'apikey',
  'API-KEY',
  'password',
  'jwt',
])('400 for the credential %s in the URL, which is not repeated in the answer', async (name) => {
  const secret = 's3cr3t-value';
  for (const path of ['/v1/moves', '/v1/shipments', `/v1/shipments/${UNKNOWN_ID}`]) {
    const answer = await service.api.get(`${path}?limit=1&${name}=${secret}`);
    expectProblem(answer, 400, 'CREDENTIAL_IN_URL');
    expect(JSON.stringify(answer.body)).not.toContain(secret);
  }
});
