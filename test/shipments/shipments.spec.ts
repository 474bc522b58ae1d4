import type { Json } from '../support/http/api.js';
import { expectInvalid, expectProblem } from '../support/http/problem.js';
import {
  ADDRESS,
  createAgent,
  createMove,
  createService,
  createShipment,
  UNKNOWN_ID,
} from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService();

async function count(table: string): Promise<number> {
  const { rows } = await service.sql.query<{ count: string }>(`SELECT count(*) FROM ${table}`);
  return Number(rows[0]?.count);
}

describe('creation', () => {
  test.each(['/v1/shipments', '/prime/v1/shipments'])(
    '201 on POST %s from a shipmentType alone, and what is absent is null',
    async (path) => {
      const { status, body, headers } = await service.api.post(path, { shipmentType: 'HHG' });
      expect(status).toBe(201);
      expect(headers.get('Location')).toBe(`/v1/shipments/${body.id}`);
      expect(body).toEqual({
        id: expect.any(String),
        shipmentCode: expect.stringMatching(/^[A-HJ-NP-Z2-9]{6}-01$/),
        moveID: expect.any(String),
        shipmentType: 'HHG',
        status: 'SUBMITTED',
        rejectionReason: null,
        pickupDate: null,
        deliveryDate: null,
        pickupAddress: null,
        destinationAddress: null,
        estimatedWeight: null,
        actualWeight: null,
        customerRemarks: null,
        createdAt: expect.any(String),
        updatedAt: body.createdAt,
        eTag: expect.any(String),
      });
    },
  );

  test('201 without a moveID opens a move for the shipment', async () => {
    const before = await count('moves');
    const { moveID } = await createShipment(service.api);
    expect(await count('moves')).toBe(before + 1);
    expect(await service.api.get(`/v1/moves/${moveID}`)).toMatchObject({ status: 200, body: { orderID: null } });
  });

  test('201 with a moveID puts the shipment into that move and opens none', async () => {
    const move = await createMove(service.api);
    const before = await count('moves');
    const shipments = [
      await createShipment(service.api, { moveID: move.id }),
      await createShipment(service.api, { moveID: move.id }),
    ];
    expect(shipments.map(({ moveID }) => moveID)).toEqual([move.id, move.id]);
    expect(await count('moves')).toBe(before);
  });

  test.each([
    ['of an unknown move', UNKNOWN_ID, 'UNKNOWN_MOVE'],
    ['that is neither an id nor a code', 'abc234', 'INVALID_ID'],
    ['of another type', 7, 'INVALID_ID'],
  ])('422 with a moveID %s', async (_, moveID, code) => {
    const answer = await service.api.post('/v1/shipments', { shipmentType: 'HHG', moveID });
    expect(expectInvalid(answer)).toEqual([`/moveID ${code}`]);
  });

  test('a refused shipment opens no move and leaves nothing behind', async () => {
    const before = [await count('moves'), await count('shipments')];
    expectInvalid(await service.api.post('/v1/shipments', { shipmentType: 'HHG', estimatedWeight: 0 }));
    expect([await count('moves'), await count('shipments')]).toEqual(before);
  });
});

describe('dates', () => {
  test.each(['2026-02-28', '2024-02-29', '1999-12-31'])('201 with %s, answered as it was sent', async (day) => {
    const { pickupDate, deliveryDate } = await createShipment(service.api, { pickupDate: day, deliveryDate: day });
    expect([pickupDate, deliveryDate]).toEqual([day, day]);
  });

  test.each([
    ['2026-02-29', 'INVALID_DATE'],
    ['2026-13-01', 'INVALID_DATE'],
    ['2026-1-1', 'INVALID_DATE'],
    ['01/02/2026', 'INVALID_DATE'],
    ['2026-01-01T00:00:00Z', 'INVALID_DATE'],
    ['tomorrow', 'INVALID_DATE'],
    ['', 'INVALID_DATE'],
    [20260101, 'WRONG_TYPE'],
    [{}, 'WRONG_TYPE'],
  ])('422 with %p', async (day, code) => {
    const answer = await service.api.post('/v1/shipments', { shipmentType: 'HHG', deliveryDate: day });
    expect(expectInvalid(answer)).toEqual([`/deliveryDate ${code}`]);
  });

  const OUT_OF_ORDER = { pickupDate: '2026-03-02', deliveryDate: '2026-03-01' };

  test('422 on both when the pickup is after the delivery', async () => {
    const answer = await service.api.post('/v1/shipments', { shipmentType: 'HHG', ...OUT_OF_ORDER });
    expect(expectInvalid(answer)).toEqual(['/pickupDate DATES_OUT_OF_ORDER', '/deliveryDate DATES_OUT_OF_ORDER']);
  });

  test.each(['pickupDate', 'deliveryDate'] as const)(
    '422 when a PATCH of %s alone puts them out of order',
    async (sent) => {
      const other = sent === 'pickupDate' ? 'deliveryDate' : 'pickupDate';
      const { id, eTag } = await createShipment(service.api, { [other]: OUT_OF_ORDER[other] });
      const answer = await service.api.patch(`/v1/shipments/${id}`, eTag, { [sent]: OUT_OF_ORDER[sent] });
      expect(expectInvalid(answer)).toEqual([`/${sent} DATES_OUT_OF_ORDER`]);
    },
  );
});

describe.each(['estimatedWeight', 'actualWeight'])('%s', (field) => {
  test.each([1, 1_000_000, null])('201 with %p', async (pounds) => {
    expect((await createShipment(service.api, { [field]: pounds }))[field]).toBe(pounds);
  });

  test.each([
    ['0', 'OUT_OF_RANGE'],
    ['-1', 'OUT_OF_RANGE'],
    ['1000001', 'OUT_OF_RANGE'],
    ['1.5', 'WRONG_TYPE'],
    ['1e400', 'OUT_OF_RANGE'],
    ['"100"', 'WRONG_TYPE'],
    ['true', 'WRONG_TYPE'],
    ['[1]', 'WRONG_TYPE'],
  ])('422 with %s', async (written, code) => {
    const answer = await service.api.post('/v1/shipments', `{"shipmentType": "HHG", "${field}": ${written}}`);
    expect(expectInvalid(answer)).toEqual([`/${field} ${code}`]);
  });
});

describe('shipmentType', () => {
  test.each(['HHG', 'x', 'Unaccompanied baggage / Übergepäck'])(
    '201 with any value such as %p',
    async (shipmentType) => {
      expect((await createShipment(service.api, { shipmentType })).shipmentType).toBe(shipmentType);
    },
  );

  test.each([
    [undefined, 'REQUIRED'],
    [null, 'REQUIRED'],
    ['', 'BLANK'],
    [7, 'WRONG_TYPE'],
  ])('422 with %p', async (shipmentType, code) => {
    expect(expectInvalid(await service.api.post('/v1/shipments', { shipmentType }))).toEqual([`/shipmentType ${code}`]);
  });
});

test('204 on DELETE takes addresses, agents and services along and leaves the move', async () => {
  const shipment = await createShipment(service.api, { pickupAddress: ADDRESS });
  const agent = await createAgent(service.api, {}, shipment);
  const packing = await createService(service.api, {}, shipment);
  expect((await service.api.delete(`/v1/shipments/${shipment.id}`)).status).toBe(204);
  const gone = [
    `/v1/shipments/${shipment.id}`,
    `/v1/shipments/${shipment.id}/agents`,
    `/v1/shipments/${shipment.id}/services`,
    `/v1/mto-shipment/${shipment.id}/address/${shipment.pickupAddress.id}`,
    `/v1/agents/${agent.id}`,
    `/v1/services/${packing.id}`,
  ];
  for (const path of gone) expectProblem(await service.api.get(path), 404, 'NOT_FOUND');
  expect((await service.api.get(`/v1/moves/${shipment.moveID}`)).status).toBe(200);
});

test('412 leaves every field of the shipment as it was', async () => {
  const shipment = await createShipment(service.api, { destinationAddress: ADDRESS });
  const path = `/v1/shipments/${shipment.id}`;
  const changes = { deliveryDate: '2026-05-05', destinationAddress: { city: 'Elsewhere' } };
  const refused: Json = await service.api.patch(path, '0'.repeat(64), changes);
  expect(expectProblem(refused, 412, 'PRECONDITION_FAILED').currentETag).toBe(shipment.eTag);
  expect((await service.api.get(path)).body).toEqual(shipment);
});
