import { createShipment } from '../support/records/records.js';
import { useHostileService } from './suite.js';
import type { Refusal } from './client.js';

const TYPES = ['HHG', ...Array.from({ length: 500 }, (_, index) => `TYPE_${index}`)];
const hostile = useHostileService({ SHIPMENT_TYPES: TYPES.join(',') });
const FAILED: Refusal = { status: 422, code: 'VALIDATION_FAILED', faults: [], count: 'any' };

function post(path: string, body: object) {
  return { method: 'POST', path, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
}

function fields(count: number, name: (index: number) => string): object {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [name(index), index]));
}

test('no answer is larger than 8 kB, whatever a body holds', async () => {
  const bodies: Record<string, object> = {
    'a thousand unknown fields': fields(1000, (index) => `f${index}`),
    'long unknown fields': fields(30, (index) => `${index}${'x'.repeat(2000)}`),
    'one very long unknown field': fields(1, () => 'x'.repeat(60_000)),
    'unknown fields that grow when escaped': fields(100, (index) => `${index}${'\u0001'.repeat(80)}`),
    'unknown fields that grow when they are pointers': fields(100, (index) => `${index}${'~/'.repeat(200)}`),
    'unknown fields of emoji': fields(60, (index) => `${index}${'🚚'.repeat(200)}`),
    'a very long value': { shipmentType: 'x'.repeat(60_000) },
    'a very long list': { shipmentType: Array.from({ length: 20_000 }, () => 1) },
  };
  const cases = Object.entries(bodies).map(([name, body]) => ({
    name,
    ...post('/v1/shipments', body),
    refusal: FAILED,
  }));
  expect(await hostile.refusedAll(cases)).toEqual([]);
});

test('no answer is larger than 8 kB, whatever a URL holds', async () => {
  const { id } = await createShipment(hostile.api);
  const parameter: Refusal = { status: 400, code: 'INVALID_PARAMETER' };
  const cases = [
    { path: `/v1/${'x'.repeat(8000)}`, refusal: { status: 404, code: 'NOT_FOUND' } },
    { path: `/v1/moves/${'%F0%9F%9A%9A'.repeat(600)}`, refusal: { status: 404, code: 'NOT_FOUND' } },
    { path: `/v1/moves?${'x'.repeat(8000)}=1`, refusal: parameter },
    {
      path: `/v1/moves?${Array.from({ length: 60 }, (_, i) => `${'%01'.repeat(40)}${i}=1`).join('&')}`,
      refusal: parameter,
    },
    { path: `/v1/shipments/${id}?expand=${'x'.repeat(8000)}`, refusal: parameter },
  ];
  const requests = cases.map((sent) => ({ name: sent.path.slice(0, 40), method: 'GET', ...sent }));
  expect(await hostile.refusedAll(requests)).toEqual([]);
});

test('a list of allowed values is cut short', async () => {
  const { body } = await hostile.api.post('/v1/shipments', { shipmentType: 'OTHER' });
  expect(body).toMatchObject({ status: 422, errors: [{ pointer: '/shipmentType', code: 'NOT_ALLOWED' }] });
  expect(JSON.stringify(body).length).toBeLessThan(2000);
});

test('a pointer that is cut short is still well-formed', async () => {
  const { body } = await hostile.api.post('/v1/moves', { ['x'.repeat(77) + '🚚🚚']: 1 });
  expect(body.errors[0].pointer.length).toBeLessThanOrEqual(80);
  expect(body.errors[0].pointer.isWellFormed()).toBe(true);
});
