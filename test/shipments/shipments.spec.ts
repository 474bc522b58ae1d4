import { expectInvalid } from '../support/http/problem.js';
import { createShipment } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService();

async function moves(): Promise<number> {
  return (await service.sql.query('SELECT FROM moves')).rowCount ?? 0;
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

  test('201 without a moveID opens a move for the shipment, and with one opens none', async () => {
    const before = await moves();
    const { moveID } = await createShipment(service.api);
    expect(await moves()).toBe(before + 1);
    expect(await service.api.get(`/v1/moves/${moveID}`)).toMatchObject({ status: 200, body: { orderID: null } });
    expect((await createShipment(service.api, { moveID })).moveID).toBe(moveID);
    expect(await moves()).toBe(before + 1);
  });
});

describe('dates', () => {
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
