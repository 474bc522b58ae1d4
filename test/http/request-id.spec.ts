import { createMove, createShipment } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService();

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

test('X-Request-ID is on every response, and another one on each', async () => {
  const { id, eTag } = await createShipment(service.api);
  const { moveID } = await createShipment(service.api);
  const path = `/v1/shipments/${id}`;
  const answers = [
    await service.api.get('/v1/moves'),
    await service.api.send('HEAD', path),
    await service.api.send('OPTIONS', path),
    await service.api.get(path, { 'If-None-Match': `"${eTag}"` }),
    await service.api.post('/v1/shipments', { shipmentType: 'HHG' }),
    await service.api.patch(path, eTag, {}),
    await service.api.delete(path),
    await service.api.post('/v1/shipments', '{'),
    await service.api.delete(`/v1/moves/${moveID}`),
    await service.api.get('/v1/nothing'),
    await service.api.send('DELETE', '/v1/moves'),
    await service.api.get('/v1/moves/%'),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 204, 304, 201, 200, 204, 400, 409, 404, 405, 400]);
  const ids = answers.map(({ headers }) => headers.get('X-Request-ID'));
  for (const requestID of ids) expect(requestID).toMatch(UUID);
  expect(new Set(ids).size).toBe(ids.length);
});

test.each(['abc', 'A-b_c.d~e', '01900000-0000-7000-8000-000000000000', 'trace:1/2@host=x+y', 'x'.repeat(128)])(
  'a sane one of the client is kept: %s',
  async (sent) => {
    const headers = { 'X-Request-ID': sent };
    expect((await service.api.get('/v1/moves', headers)).headers.get('X-Request-ID')).toBe(sent);
    const problem = await service.api.get('/v1/nothing', headers);
    expect([problem.headers.get('X-Request-ID'), problem.body.requestID]).toEqual([sent, sent]);
  },
);

test.each(['', 'two words', '<script>', '"quoted"', 'a,b', 'x'.repeat(129), 'ü', '${jndi:x}'])(
  'one that is not sane is replaced: %p',
  async (sent) => {
    const { headers, body } = await service.api.get('/v1/nothing', { 'X-Request-ID': sent });
    expect(headers.get('X-Request-ID')).toMatch(UUID);
    expect(body.requestID).toBe(headers.get('X-Request-ID'));
  },
);

test('two of them are replaced by one', async () => {
  const { id } = await createMove(service.api);
  const response = await fetch(`${service.url}/v1/moves/${id}`, {
    headers: [
      ['X-Request-ID', 'one'],
      ['X-Request-ID', 'two'],
    ],
  });
  expect(response.headers.get('X-Request-ID')).toMatch(UUID);
});
