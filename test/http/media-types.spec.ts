import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { Answer, Json } from '../support/http/api.js';
import { expectProblem } from '../support/http/problem.js';
import { createMove } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService();

const LIMIT = 65_536;
const BODY = '{"orderID": "A-1"}';

function post(body: unknown, headers: Record<string, string> = {}): Promise<Answer<Json>> {
  return service.api.post('/v1/moves', body, { 'Content-Type': 'application/json', ...headers });
}

describe('the media type of a body', () => {
  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'APPLICATION/JSON; Charset="utf-8"',
    'application/json; profile=x',
  ])('201 with %s', async (type) => {
    expect((await post(BODY, { 'Content-Type': type })).status).toBe(201);
  });

  test.each(['text/plain', '', 'application/merge-patch+json'])(
    '415 with Accept on POST and PUT of "%s"',
    async (type) => {
      const { id, eTag } = await createMove(service.api);
      const headers = { 'Content-Type': type };
      const answers = [await post(BODY, headers), await service.api.put(`/v1/moves/${id}`, eTag, BODY, headers)];
      for (const answer of answers) {
        expectProblem(answer, 415, 'UNSUPPORTED_MEDIA_TYPE');
        expect(answer.headers.get('Accept')).toBe('application/json');
      }
    },
  );

  test.each(['text/plain', '', 'application/json-patch+json'])(
    '415 with Accept-Patch on PATCH of "%s"',
    async (type) => {
      const { id, eTag } = await createMove(service.api);
      const answer = await service.api.patch(`/v1/moves/${id}`, eTag, BODY, { 'Content-Type': type });
      expectProblem(answer, 415, 'UNSUPPORTED_MEDIA_TYPE');
      expect(answer.headers.get('Accept-Patch')).toBe('application/merge-patch+json, application/json');
    },
  );

  test('415 without any', async () => {
    expectProblem(await service.api.send('POST', '/v1/moves'), 415, 'UNSUPPORTED_MEDIA_TYPE');
  });
});

test.each(['text/plain', 'application/xml', 'application/json;q=0', 'image/*', 'application/problem+json'])(
  '406 with "Accept: %s", and nothing is written',
  async (Accept) => {
    const move = await createMove(service.api);
    const path = `/v1/moves/${move.id}`;
    const answers = [
      await service.api.get('/v1/moves', { Accept }),
      await post(BODY, { Accept }),
      await service.api.patch(path, move.eTag, BODY, { Accept }),
      await service.api.put(path, move.eTag, BODY, { Accept }),
    ];
    for (const answer of answers) expectProblem(answer, 406, 'NOT_ACCEPTABLE');
    expect((await service.api.get(path)).body).toEqual(move);
  },
);

test(`201 with exactly ${LIMIT} bytes, 413 with one more`, async () => {
  expect((await post(BODY.padEnd(LIMIT))).status).toBe(201);
  expectProblem(await post(BODY.padEnd(LIMIT + 1)), 413, 'TOO_LARGE');
});

describe('a packed body', () => {
  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['identity', (body: string) => Buffer.from(body)],
  ])('201 with %s', async (encoding, pack) => {
    const created = await post(new Uint8Array(pack(BODY)), { 'Content-Encoding': encoding });
    expect(created).toMatchObject({ status: 201, body: { orderID: 'A-1' } });
  });

  test('415 with Accept-Encoding for another packing', async () => {
    const answer = await post(BODY, { 'Content-Encoding': 'compress' });
    expectProblem(answer, 415, 'UNSUPPORTED_MEDIA_TYPE');
    expect(answer.headers.get('Accept-Encoding')).toContain('gzip');
  });
});
