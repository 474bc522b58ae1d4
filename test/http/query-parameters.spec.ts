import { expectProblem, faultsOf } from '../support/http/problem.js';
import { ADDRESS, createAgent, createService, createShipment, UNKNOWN_ID } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService();

async function faults(path: string): Promise<string[]> {
  return faultsOf(expectProblem(await service.api.get(path), 400, 'INVALID_PARAMETER'));
}

test.each([
  ['limit', ['0', '201', '-1', '1.5', '1e2', 'ten', '', ' 5', '05', '0x10', '99999999999999999999']],
  ['cursor', ['', 'nonsense', UNKNOWN_ID, 'AZAAAAAAcACAAAAAAAAAAA=', '%00']],
  ['sort', ['', 'id', 'status', 'updatedat', '--updatedAt', '%2BupdatedAt', 'updatedAt,createdAt', 'updatedAt:desc']],
  ['updatedSince', ['', 'yesterday', '2026-01-01', '2026-02-30T00:00:00Z', '2026-01-01T00:00:00', '1767225600']],
])('400 for a bad %s in every list that takes it', async (name, values) => {
  for (const value of values) {
    for (const list of ['moves', 'shipments']) {
      expect(await faults(`/v1/${list}?${name}=${value}`)).toEqual([`?${name} INVALID_VALUE`]);
    }
  }
});

test.each([
  ['moveID', ['', 'nonsense', 'abc234', 'ABC23', 'ABC230']],
  ['status', ['', 'LOST', 'submitted', 'SUBMITTED,', 'SUBMITTED;APPROVED', 'SUBMITTED&status=LOST']],
  ['shipmentType', ['', 'x'.repeat(65), 'a%00b']],
  ['deliveryDateFrom', ['', '2026-02-29', '2026-1-1', '2026-01-01T00:00:00Z']],
  ['deliveryDateTo', ['', '2026-13-01', 'today']],
  ['expand', ['', 'shipments', 'services,', 'services, agents', 'Services', 'constructor']],
])('400 for a bad %s of shipments', async (name, values) => {
  for (const value of values) {
    expect(await faults(`/v1/shipments?${name}=${value}`)).toEqual([`?${name} INVALID_VALUE`]);
  }
});

test.each([
  ['orderID', ['', 'x'.repeat(65), 'a%0Ab']],
  ['expand', ['', 'services', 'shipments,']],
])('400 for a bad %s of moves', async (name, values) => {
  for (const value of values) expect(await faults(`/v1/moves?${name}=${value}`)).toEqual([`?${name} INVALID_VALUE`]);
});

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

test('400 for any parameter where none is taken', async () => {
  const shipment = await createShipment(service.api, { pickupAddress: ADDRESS });
  const [agent, packing] = [await createAgent(service.api), await createService(service.api)];
  const paths = [
    `/v1/mto-shipment/${shipment.id}/address/${shipment.pickupAddress.id}`,
    `/v1/agents/${agent.id}`,
    `/v1/services/${packing.id}`,
  ];
  for (const path of paths) expect(await faults(`${path}?expand=services`)).toEqual(['?expand UNKNOWN_PARAMETER']);
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
