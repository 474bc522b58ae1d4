import { expectProblem } from '../support/http/problem.js';
import { collectionOf, createMove, KINDS, UNKNOWN_ID } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService();

describe.each(KINDS)('POST of a $name', (kind) => {
  async function rows(): Promise<unknown> {
    const { rows } = await service.sql.query<{ count: string }>(`SELECT count(*) FROM ${kind.name}s`);
    return rows[0]?.count;
  }

  test.each([
    ['If-None-Match', '*', 'the collection is there'],
    ['If-Match', '"x"', 'a collection has no version'],
    ['If-Match', '0'.repeat(64), 'a collection has no version'],
    ['If-Match', ',', 'an empty list matches nothing'],
  ])('412 with %s: %s, for %s; nothing is created', async (name, value) => {
    const collection = await collectionOf(service.api, kind);
    const before = await rows();
    const answer = await service.api.post(collection, kind.full, { [name]: value });
    expectProblem(answer, 412, 'PRECONDITION_FAILED');
    expect(await rows()).toBe(before);
  });

  test.each([
    ['If-Match', '*'],
    ['If-None-Match', '"x"'],
    ['If-None-Match', 'W/"x", "y"'],
  ])('201 with %s: %s, which holds', async (name, value) => {
    const answer = await service.api.post(await collectionOf(service.api, kind), kind.full, { [name]: value });
    expect(answer.status).toBe(201);
  });

  test.each(['If-Match', 'If-None-Match'])('400 with a malformed %s', async (name) => {
    const answer = await service.api.post(await collectionOf(service.api, kind), kind.full, { [name]: '"x' });
    expectProblem(answer, 400, 'INVALID_HEADER');
  });

  test('412 comes before 422', async () => {
    const answer = await service.api.post(await collectionOf(service.api, kind), [], { 'If-None-Match': '*' });
    expectProblem(answer, 412, 'PRECONDITION_FAILED');
  });
});

test('412 on the prefixed path too', async () => {
  const shipment = { shipmentType: 'HHG' };
  const answer = await service.api.post('/prime/v1/shipments', shipment, { 'If-None-Match': '*' });
  expectProblem(answer, 412, 'PRECONDITION_FAILED');
});

test('404 comes before 412', async () => {
  const path = `/v1/shipments/${UNKNOWN_ID}/services`;
  const answer = await service.api.post(path, { code: 'PACK' }, { 'If-None-Match': '*' });
  expectProblem(answer, 404, 'NOT_FOUND');
});

test('412 when If-None-Match: * meets a PATCH, PUT or DELETE', async () => {
  const { id, eTag } = await createMove(service.api);
  for (const method of ['PATCH', 'PUT', 'DELETE']) {
    const body = method === 'DELETE' ? undefined : {};
    const headers = { 'If-Match': eTag, 'If-None-Match': '*' };
    expectProblem(await service.api.send(method, `/v1/moves/${id}`, body, headers), 412, 'PRECONDITION_FAILED');
  }
  expect((await service.api.get(`/v1/moves/${id}`)).body.eTag).toBe(eTag);
});
