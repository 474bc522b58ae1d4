import { readConfig } from '../../src/config/read-config.js';
import { ApiDocument } from '../../src/openapi/api-document.js';
import { faultsOf } from '../support/repository/config-faults.js';
import { expectInvalid } from '../support/http/problem.js';
import { createShipment } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

describe('a bad value is refused by name', () => {
  test.each([
    ['NODE_ENV', 'staging'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '80a'],
    ['PUBLIC_URL', 'api.example.com'],
    ['PUBLIC_URL', 'ftp://example.com'],
    ['API_PREFIX', 'a/b'],
    ['API_PREFIX', '/prime'],
    ['API_PREFIX', '1st'],
    ['API_PREFIX', ':id'],
    ['SHIPMENT_TYPES', 'HHG,,NTS'],
    ['SHIPMENT_TYPES', 'x'.repeat(65)],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['POOL_SIZE', '0'],
    ['POOL_ACQUIRE_TIMEOUT_MS', '0'],
    ['STATEMENT_TIMEOUT_MS', '1.5'],
    ['LOCK_TIMEOUT_MS', 'never'],
    ['IDLE_IN_TRANSACTION_TIMEOUT_MS', '3600001'],
    ['BODY_LIMIT_BYTES', '1023'],
  ])('%s=%s', (name, value) => {
    expect(faultsOf({ [name]: value })).toEqual([expect.stringContaining(name)]);
  });
});

test('an empty value is as good as none', () => {
  expect(readConfig({ PORT: '', API_PREFIX: '', SHIPMENT_TYPES: '', PUBLIC_URL: '' })).toEqual(readConfig({}));
});

describe('over HTTP', () => {
  const service = useService({ API_PREFIX: 'Carrier-2', SHIPMENT_TYPES: 'HHG, NTS' });

  test('API_PREFIX moves the two prefixed paths, and no other', async () => {
    const created = await service.api.post('/Carrier-2/v1/shipments', { shipmentType: 'HHG' });
    expect(created.status).toBe(201);
    const path = `/Carrier-2/v1/shipments/${created.body.id}/updateStatus`;
    expect((await service.api.patch(path, created.body.eTag, { status: 'APPROVED' })).status).toBe(200);
    for (const elsewhere of ['/prime/v1/shipments', '/carrier-2/v1/shipments', '/Carrier-2/v1/moves']) {
      expect((await service.api.post(elsewhere, { shipmentType: 'HHG' })).status).toBe(404);
    }
    expect((await service.api.get('/v1/shipments')).status).toBe(200);
    const documented = Object.keys(service.app.get(ApiDocument).document.paths);
    expect(documented.filter((each) => each.startsWith('/Carrier-2/'))).toHaveLength(2);
    expect(documented.some((each) => each.startsWith('/prime/'))).toBe(false);
  });

  test.each(['HHG', 'NTS'])('201 with %s, which SHIPMENT_TYPES lists', async (shipmentType) => {
    expect((await createShipment(service.api, { shipmentType })).shipmentType).toBe(shipmentType);
  });

  test.each(['PPM', 'hhg', 'HHG, NTS', ' NTS'])('422 with %p, which it does not', async (shipmentType) => {
    const { id, eTag } = await createShipment(service.api);
    const path = `/v1/shipments/${id}`;
    const answers = [
      await service.api.post('/v1/shipments', { shipmentType }),
      await service.api.patch(path, eTag, { shipmentType }),
      await service.api.put(path, eTag, { shipmentType }),
    ];
    for (const answer of answers) expect(expectInvalid(answer)).toEqual(['/shipmentType NOT_ALLOWED']);
  });

  // The allowed types are checked after all other fields, so they come alone, in a second answer.
  test('422 names a type that is not allowed together with the other faults', async () => {
    const answer = await service.api.post('/v1/shipments', { shipmentType: 'PPM', estimatedWeight: 0 });
    expect(expectInvalid(answer).sort()).toEqual(['/estimatedWeight OUT_OF_RANGE', '/shipmentType NOT_ALLOWED']);
  });

  test('200 for a change of a shipment whose type is no longer allowed', async () => {
    const { id } = await createShipment(service.api);
    await service.sql.query(`UPDATE shipments SET shipment_type = 'OLD' WHERE id = $1`, [id]);
    const patched = await service.api.patch(`/v1/shipments/${id}`, '*', { customerRemarks: 'kept' });
    expect(patched).toMatchObject({ status: 200, body: { shipmentType: 'OLD', customerRemarks: 'kept' } });
  });
});
