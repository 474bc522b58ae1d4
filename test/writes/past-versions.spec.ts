import { expectProblem } from '../support/http/problem.js';
import { createMove, createShipment, KINDS } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService();

const WITH_VERSIONS = KINDS.filter(({ name }) => name === 'move' || name === 'shipment');

test.each(WITH_VERSIONS)(
  'a $name is served as it was at each of its versions',
  async ({ path, create, full, optional }) => {
    const first = await create(service.api, full);
    const { body: second } = await service.api.patch(`${path}/${first.id}`, first.eTag, { [optional]: 'other' });
    for (const version of [first, second]) {
      const answer = await service.api.get(`${path}/${first.id}?version=${version.eTag}`);
      expect(answer.body).toEqual(version);
      expect(answer.headers.get('ETag')).toBe(`"${version.eTag}"`);
    }
  },
);

test('a past version is served also by the code of a move, and after DELETE', async () => {
  const move = await createMove(service.api);
  expect((await service.api.get(`/v1/moves/${move.moveCode}?version=${move.eTag}`)).body).toEqual(move);
  await service.api.delete(`/v1/moves/${move.id}`);
  expect((await service.api.get(`/v1/moves/${move.id}?version=${move.eTag}`)).body).toEqual(move);
});

test('404 for a version that the record never had', async () => {
  const shipment = await createShipment(service.api);
  const other = await createShipment(service.api);
  expectProblem(await service.api.get(`/v1/shipments/${shipment.id}?version=${'0'.repeat(64)}`), 404, 'NOT_FOUND');
  expectProblem(await service.api.get(`/v1/shipments/${shipment.id}?version=${other.eTag}`), 404, 'NOT_FOUND');
});

test('400 for what is no eTag, and for a version together with expand', async () => {
  const { id, eTag } = await createShipment(service.api);
  for (const query of ['version=abc', `version=${eTag}&expand=agents`]) {
    expectProblem(await service.api.get(`/v1/shipments/${id}?${query}`), 400, 'INVALID_PARAMETER');
  }
});
