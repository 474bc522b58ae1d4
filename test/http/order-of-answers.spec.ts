import { expectProblem } from '../support/http/problem.js';
import { createShipment, UNKNOWN_ID } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService();

/** A request in which everything is wrong; each step mends the one fault that was answered, until none is left. */
test('the first answer that applies: 404, 405, 415, 400, 406, 404, 428, 400, 412, 422, 409', async () => {
  const { id, eTag } = await createShipment(service.api);
  const request = {
    method: 'POST',
    path: `/nowhere/v1/shipments/${UNKNOWN_ID}/updateStatus`,
    body: '{"status": ',
    headers: { 'Content-Type': 'text/plain', Accept: 'image/png' } as Record<string, string>,
  };
  const send = () => service.api.send(request.method, request.path, request.body, request.headers);

  expectProblem(await send(), 404, 'NOT_FOUND');
  request.path = request.path.replace('nowhere', 'prime');
  expectProblem(await send(), 405, 'METHOD_NOT_ALLOWED');
  request.method = 'PATCH';
  expectProblem(await send(), 415, 'UNSUPPORTED_MEDIA_TYPE');
  request.headers['Content-Type'] = 'application/json';
  expectProblem(await send(), 400, 'MALFORMED_JSON');
  request.body = '{"status": "LOST"}';
  expectProblem(await send(), 406, 'NOT_ACCEPTABLE');
  request.headers['Accept'] = 'application/json';
  expectProblem(await send(), 404, 'NOT_FOUND');
  request.path = request.path.replace(UNKNOWN_ID, id);
  expectProblem(await send(), 428, 'PRECONDITION_REQUIRED');
  request.headers['If-Match'] = '"malformed';
  expectProblem(await send(), 400, 'INVALID_HEADER');
  request.headers['If-Match'] = '"stale"';
  expectProblem(await send(), 412, 'PRECONDITION_FAILED');
  request.headers['If-Match'] = `"${eTag}"`;
  expectProblem(await send(), 422, 'VALIDATION_FAILED');
  request.body = '{"status": "DELIVERED"}';
  expectProblem(await send(), 409, 'STATUS_TRANSITION');
  request.body = '{"status": "APPROVED"}';
  expect((await send()).status).toBe(200);
});

const HUGE = '{'.padEnd(100_000);

test.each([
  ['404 (path) before 413', 'POST', '/v1/nothing', HUGE, 404],
  ['405 before 413', 'PATCH', '/v1/shipments', HUGE, 405],
  ['413 before 406', 'POST', '/v1/shipments', HUGE, 413],
  ['413 before 404 (no such record)', 'PATCH', `/v1/shipments/${UNKNOWN_ID}`, HUGE, 413],
  ['406 before 404 (no such record)', 'GET', `/v1/shipments/${UNKNOWN_ID}`, undefined, 406],
  ['406 before 422', 'POST', '/v1/shipments', '{}', 406],
])('%s', async (_, method, path, body, status) => {
  expect((await service.api.send(method, path, body, { Accept: 'image/png' })).status).toBe(status);
});

test('404 (no such parent) before 422', async () => {
  expectProblem(await service.api.post(`/v1/shipments/${UNKNOWN_ID}/agents`, {}), 404, 'NOT_FOUND');
  expectProblem(await service.api.post(`/v1/shipments/${UNKNOWN_ID}/services`, {}), 404, 'NOT_FOUND');
});
