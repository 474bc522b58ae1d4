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
