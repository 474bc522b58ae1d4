import { expectProblem } from '../support/http/problem.js';
import { createMove, createShipment } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService();

test('each has another code of six characters that nobody confuses', async () => {
  const moves = await Promise.all(Array.from({ length: 30 }, () => createMove(service.api)));
  const codes = moves.map(({ moveCode }) => moveCode);
  for (const code of codes) expect(code).toMatch(/^[A-HJ-NP-Z2-9]{6}$/);
  expect(new Set(codes).size).toBe(codes.length);
});

describe('by its moveCode', () => {
  test('200 with the same move as by its id', async () => {
    const { moveCode, id } = await createMove(service.api, { orderID: 'A-1' });
    const [byCode, byID] = [await service.api.get(`/v1/moves/${moveCode}`), await service.api.get(`/v1/moves/${id}`)];
    expect(byCode.status).toBe(200);
    expect(byCode.body).toEqual(byID.body);
    expect(byCode.headers.get('ETag')).toBe(byID.headers.get('ETag'));
  });

  test('it is changed, replaced and deleted like by its id', async () => {
    const { moveCode, eTag } = await createMove(service.api, { orderID: 'A-1' });
    const path = `/v1/moves/${moveCode}`;
    const patched = await service.api.patch(path, eTag, { remarks: 'patched' });
    expect(patched).toMatchObject({ status: 200, body: { orderID: 'A-1', remarks: 'patched' } });
    const replaced = await service.api.put(path, patched.body.eTag, { remarks: 'replaced' });
    expect(replaced).toMatchObject({ status: 200, body: { orderID: null, remarks: 'replaced' } });
    expect((await service.api.delete(path, { 'If-Match': replaced.body.eTag })).status).toBe(204);
    expectProblem(await service.api.get(path), 404, 'NOT_FOUND');
  });

  test('it may be in lower case, also when it is echoed', async () => {
    const { moveCode, eTag, ...move } = await createMove(service.api);
    const path = `/v1/moves/${moveCode.toLowerCase()}`;
    expect((await service.api.get(path)).body).toEqual({ moveCode, eTag, ...move });
    const echoed = { ...move, moveCode: moveCode.toLowerCase() };
    expect(await service.api.put(path, eTag, echoed)).toMatchObject({ status: 200, body: { moveCode } });
  });
});

describe('with shipments', () => {
  test('409 on DELETE, and the move and its shipment are still there', async () => {
    const shipment = await createShipment(service.api);
    expectProblem(await service.api.delete(`/v1/moves/${shipment.moveID}`), 409, 'IN_USE');
    expect((await service.api.get(`/v1/moves/${shipment.moveID}`)).status).toBe(200);
    expect((await service.api.get(`/v1/shipments/${shipment.id}`)).body).toEqual(shipment);
  });

  test('412 comes before 409', async () => {
    const { moveID } = await createShipment(service.api);
    const answer = await service.api.delete(`/v1/moves/${moveID}`, { 'If-Match': '"stale"' });
    expectProblem(answer, 412, 'PRECONDITION_FAILED');
  });
});
