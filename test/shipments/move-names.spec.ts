import { nextOf } from '../support/http/paging.js';
import { expectInvalid, expectProblem } from '../support/http/problem.js';
import { createMove, createShipment, UNKNOWN_ID } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService();
const UNKNOWN_CODE = 'ZZZZZZ';

/** Both paths that create shipments. */
const COLLECTIONS = ['/v1/shipments', '/prime/v1/shipments'];

describe('moveID in the body of a new shipment', () => {
  test.each(COLLECTIONS)('201 for the id and for the moveCode, and the answer has the id: POST %s', async (path) => {
    const move = await createMove(service.api);
    for (const moveID of [move.id, move.moveCode]) {
      const { status, body } = await service.api.post(path, { shipmentType: 'HHG', moveID });
      expect([status, body.moveID]).toEqual([201, move.id]);
      expect((await service.api.get(`/v1/shipments/${body.id}`)).body.moveID).toBe(move.id);
    }
  });

  test('422 for an id and for a code that no move has, and nothing is created', async () => {
    const { rows: before } = await service.sql.query('SELECT (SELECT count(*) FROM moves), count(*) FROM shipments');
    for (const moveID of [UNKNOWN_ID, UNKNOWN_CODE]) {
      const answer = await service.api.post('/v1/shipments', { shipmentType: 'HHG', moveID });
      expect(expectInvalid(answer)).toEqual(['/moveID UNKNOWN_MOVE']);
    }
    const { rows: after } = await service.sql.query('SELECT (SELECT count(*) FROM moves), count(*) FROM shipments');
    expect(after).toEqual(before);
  });
});

describe('moveID as a filter', () => {
  test('the same shipments for the id and for the moveCode, page by page', async () => {
    const { id, moveCode } = await createMove(service.api);
    const shipments = [];
    for (let i = 0; i < 3; i += 1) shipments.unshift(await createShipment(service.api, { moveID: id }));
    await createShipment(service.api);
    for (const name of [id, moveCode]) {
      expect((await service.api.get(`/v1/shipments?moveID=${name}`)).body).toEqual(shipments);
      const first = await service.api.get(`/v1/shipments?moveID=${name}&limit=2&status=SUBMITTED`);
      const next = nextOf(first.headers) ?? '';
      expect(next).toContain(`moveID=${name}`);
      expect([...first.body, ...(await service.api.get(next)).body]).toEqual(shipments);
    }
  });

  test.each([UNKNOWN_ID, UNKNOWN_CODE])('an empty list for the name of no move: %s', async (name) => {
    await createShipment(service.api);
    for (const filters of ['', '&status=SUBMITTED', '&shipmentType=HHG', '&updatedSince=2026-01-01T00:00:00Z']) {
      const { status, body } = await service.api.get(`/v1/shipments?moveID=${name}${filters}`);
      expect([filters, status, body]).toEqual([filters, 200, []]);
    }
  });
});

test('404 for the history of a code that no move has, and for one that a deleted move had', async () => {
  const { id, moveCode } = await createMove(service.api);
  await service.api.delete(`/v1/moves/${id}`);
  for (const code of [UNKNOWN_CODE, moveCode]) {
    expectProblem(await service.api.get(`/v1/moves/${code}/history`), 404, 'NOT_FOUND');
  }
  expect((await service.api.get(`/v1/moves/${id}/history`)).status).toBe(200);
});
