import { expectProblem } from '../support/http/problem.js';
import { deleted, deletionOf, undelete } from '../support/records/deletions.js';
import { createShipment } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService();

test('a draft survives the deletion: its 412 names who changed what, and no deletion', async () => {
  const as = (name: string) => service.api.as({ 'X-Display-Name': name });
  const draft = await createShipment(service.api, { customerRemarks: 'before', estimatedWeight: 1 });
  const path = `/v1/shipments/${draft.id}`;
  await as('Ann').patch(path, draft.eTag, { customerRemarks: 'by Ann' });
  await as('Bo').delete(path);
  const { deletionETag } = await deletionOf(service.api, path);
  await undelete(as('Cy'), path, deletionETag);
  const stale = await service.api.patch(path, draft.eTag, { estimatedWeight: 2 });
  const problem = expectProblem(stale, 412, 'PRECONDITION_FAILED');
  expect(problem.changes).toMatchObject([
    { field: 'customerRemarks', base: 'before', current: 'by Ann', changedBy: 'Ann', conflicting: false },
  ]);
  expect((await service.api.patch(path, problem.currentETag, { estimatedWeight: 2 })).status).toBe(200);
});

test('no lookup of versions finds the eTag of a deletion, and the versions before it stay readable', async () => {
  const { id, eTag } = await createShipment(service.api);
  const path = `/v1/shipments/${id}`;
  const { deletionETag } = await deleted(service.api, path);
  expectProblem(await service.api.get(`${path}?version=${deletionETag}`), 404, 'NOT_FOUND');
  await undelete(service.api, path, deletionETag);
  expectProblem(await service.api.get(`${path}?version=${deletionETag}`), 404, 'NOT_FOUND');
  expect((await service.api.get(`${path}?version=${eTag}`)).body).toMatchObject({ id, eTag });
  const patched = await service.api.patch(path, deletionETag, { estimatedWeight: 2 });
  expect(expectProblem(patched, 412, 'PRECONDITION_FAILED')).not.toHaveProperty('changes');
});

test.each([
  [undefined, 428, /If-Match is missing/],
  ['two words', 400, /must be one eTag/],
  ['', 412, /If-Match is empty/],
  ['null', 412, /"null", as a client sends it from a variable without a value/],
  ['"undefined"', 412, /"undefined", as a client sends it from a variable without a value/],
  ['stale', 412, /does not name the latest deletion/],
])('If-Match %j gets %i with a detail that says what to send', async (sent, status, detail) => {
  const { id } = await createShipment(service.api);
  await deleted(service.api, `/v1/shipments/${id}`);
  const items = [{ op: 'undelete', id, ...(sent !== undefined && { ifMatch: sent }) }];
  const bulk = await service.api.post('/v1/shipments/bulk', { atomic: false, items });
  const headers: Record<string, string> = sent === undefined ? {} : { 'If-Match': sent };
  const single = await service.api.post(`/v1/shipments/${id}/undelete`, undefined, headers);
  for (const problem of [single.body, bulk.body.items[0].problem]) {
    expect(problem).toMatchObject({ status, detail: expect.stringMatching(detail) as string });
    expect(problem.detail).toContain('Send the deletionETag from GET /v1/deletions');
    expect(problem.detail).not.toContain('eTag of the record');
  }
});

test('a weak tag of the deletion gets a 412 that says so', async () => {
  const { id } = await createShipment(service.api);
  const { deletionETag } = await deleted(service.api, `/v1/shipments/${id}`);
  const weak = await undelete(service.api, `/v1/shipments/${id}`, `W/"${deletionETag}"`);
  expect(expectProblem(weak, 412, 'PRECONDITION_FAILED').detail).toContain('weak tag');
});

test('a repetition learns who restored a shipment, however many services came back with it', async () => {
  const { id } = await createShipment(service.api);
  await service.sql.query(
    `INSERT INTO services (id, shipment_id, code) SELECT gen_random_uuid(), '${id}', 'PACKING' FROM generate_series(1, 1000)`,
  );
  await service.api.delete(`/v1/shipments/${id}`);
  const { body: deletions } = await service.api.get(`/v1/deletions?resourceID=${id}`);
  const as = service.api.as({ 'X-Display-Name': 'Cy' });
  const [restored, repeated] = [
    await undelete(as, `/v1/shipments/${id}`, deletions[0].deletionETag),
    await undelete(as, `/v1/shipments/${id}`, deletions[0].deletionETag),
  ];
  expect(expectProblem(repeated, 409, 'NOT_DELETED')).toMatchObject({
    currentETag: restored.body.eTag,
    restoredBy: 'Cy',
    restoredAt: restored.body.updatedAt,
  });
});
