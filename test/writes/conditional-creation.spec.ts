import { expectProblem } from '../support/http/problem.js';
import { collectionOf, createMove, KINDS, UNKNOWN_ID } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService();

describe.each(KINDS)('POST of a $name', (kind) => {
  async function rows(): Promise<unknown> {
    const { rows } = await service.sql.query<{ count: string }>(`SELECT count(*) FROM ${kind.name}s`);
    return rows[0]?.count;
  }

  async function send(name: string, value: string, body: unknown = kind.full) {
    return service.api.post(await collectionOf(service.api, kind), body, { [name]: value });
  }

  test.each([
    ['If-None-Match', '*', 'the collection is there'],
    ['If-Match', '"x"', 'a collection has no version'],
    ['If-Match', '0'.repeat(64), 'a collection has no version'],
    ['If-Match', ',', 'an empty list matches nothing'],
  ])('412 with %s: %s, for %s; nothing is created', async (name, value) => {
    const before = await rows();
    expectProblem(await send(name, value), 412, 'PRECONDITION_FAILED');
    expect(await rows()).toBe(before);
  });

  test('201 with a condition that holds', async () => {
    for (const [name, value] of [
      ['If-Match', '*'],
      ['If-None-Match', '"x"'],
      ['If-None-Match', 'W/"x", "y"'],
    ] as const) {
      expect((await send(name, value)).status).toBe(201);
    }
  });

  test('400 with a malformed one, and 412 comes before 422', async () => {
    for (const name of ['If-Match', 'If-None-Match']) {
      expectProblem(await send(name, '"x'), 400, 'INVALID_HEADER');
    }
    expectProblem(await send('If-None-Match', '*', []), 412, 'PRECONDITION_FAILED');
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
