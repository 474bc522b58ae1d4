import type { Json } from '../support/http/api.js';
import { expectInvalid, expectProblem } from '../support/http/problem.js';
import { createMove, createShipment, UNKNOWN_ID } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService();

const MEMBERS = ['type', 'title', 'status', 'detail', 'instance', 'code', 'requestID'];

describe('the payload', () => {
  test('has these members and no others', async () => {
    const { body } = await service.api.get('/v1/nothing');
    expect(body).toEqual({
      type: '/problems/NOT_FOUND',
      title: expect.any(String),
      status: 404,
      detail: expect.any(String),
      instance: '/v1/nothing',
      code: 'NOT_FOUND',
      requestID: expect.any(String),
    });
  });

  test('also has errors and their count when fields are at fault', async () => {
    const { body } = await service.api.post('/v1/shipments', { shipmentType: 7 });
    expect(Object.keys(body)).toEqual([...MEMBERS, 'errors', 'errorCount']);
    expect(body.errors).toEqual([{ pointer: '/shipmentType', code: 'WRONG_TYPE', message: expect.any(String) }]);
  });

  test('names the path as the instance, without its query', async () => {
    const path = `/v1/shipments/${UNKNOWN_ID}`;
    expect(expectProblem(await service.api.get(`${path}?expand=agents`), 404, 'NOT_FOUND').instance).toBe(path);
    const unknown = await service.api.get('/v1/nothing/%C3%A4/?secret=s3cr3t#fragment');
    expect(expectProblem(unknown, 404, 'NOT_FOUND').instance).toBe('/v1/nothing/%C3%A4/');
    expect(JSON.stringify(unknown.body)).not.toContain('s3cr3t');
  });

  test('is not stored by caches, and HEAD gets its headers only', async () => {
    const [get, head] = [await service.api.get('/v1/nothing'), await service.api.send('HEAD', '/v1/nothing')];
    expect(get.headers.get('Cache-Control')).toBe('no-store');
    expect(head.status).toBe(404);
    expect(head.body).toBeUndefined();
    expect(head.headers.get('Content-Type')).toBe('application/problem+json');
  });
});

describe('the detail', () => {
  const write = async (body: object) => {
    const { id, eTag } = await createShipment(service.api);
    return service.api.patch(`/v1/shipments/${id}`, eTag, body);
  };

  test.each([
    ['the field that was probably meant', ['/deliveryDtae', 'deliveryDate?'], () => write({ deliveryDtae: '' })],
    ['the parameter that was probably meant', ['?limt', 'limit?'], () => service.api.get('/v1/moves?limt=5')],
    ['the path that was probably meant', ['/v1/shipments?'], () => service.api.get('/v1/shipment')],
    ['the values that are allowed', ['/estimatedWeight', '1 to 1000000'], () => write({ estimatedWeight: 0 })],
    ['the methods that are allowed', ['GET, HEAD, OPTIONS, POST'], () => service.api.delete('/v1/shipments')],
    ['the request that changes a status', ['/status', 'PATCH /prime/v1/shipments/'], () => write({ status: 'LOST' })],
    ['the place in a body', ['line 2, column 1'], () => service.api.post('/v1/moves', '{\na}')],
  ])('names %s', async (_, named, send) => {
    const { detail } = (await send()).body;
    for (const part of named) expect(detail).toContain(part);
    expect(detail).not.toMatch(/undefined|\[object/);
  });

  test('does not repeat what a client sent beyond its name', async () => {
    expect(JSON.stringify((await write({ colour: 's3cr3t' })).body)).not.toContain('s3cr3t');
    const { body } = await service.api.get('/v1/shipmentz/%3Cscript%3E');
    expect(body.detail).toBe('The service has no such path. Did you mean /v1/shipments/{shipmentID}?');
  });
});

describe('field errors', () => {
  test('come all at once', async () => {
    const answer = await service.api.post('/v1/shipments', {
      shipmentType: '',
      pickupDate: 'soon',
      estimatedWeight: 0,
      pickupAddress: { city: 7 },
      status: 'APPROVED',
      colour: 'red',
    });
    expect(expectInvalid(answer).sort()).toEqual([
      '/colour UNKNOWN_FIELD',
      '/estimatedWeight OUT_OF_RANGE',
      '/pickupAddress/city WRONG_TYPE',
      '/pickupAddress/postalCode REQUIRED',
      '/pickupAddress/state REQUIRED',
      '/pickupAddress/streetAddress1 REQUIRED',
      '/pickupDate INVALID_DATE',
      '/shipmentType BLANK',
      '/status READ_ONLY',
    ]);
  });

  test.each([
    [20, 20],
    [21, 20],
    [300, 20],
  ])('%i of them: %i are listed, and all are counted', async (wrong, listed) => {
    const fields = Object.fromEntries(Array.from({ length: wrong }, (_, i) => [`field${i}`, i]));
    const problem = expectProblem(await service.api.post('/v1/moves', fields), 422, 'VALIDATION_FAILED');
    expect(problem.errors).toHaveLength(listed);
    expect(problem.errorCount).toBe(wrong);
  });

  test('in a query are limited as well', async () => {
    const query = Array.from({ length: 25 }, (_, i) => `p${i}=1`).join('&');
    const problem = expectProblem(await service.api.get(`/v1/moves?${query}`), 400, 'INVALID_PARAMETER');
    expect([problem.errors.length, problem.errorCount]).toEqual([20, 25]);
  });
});

describe('a failure of the service', () => {
  const broken = useService({ LOCK_TIMEOUT_MS: '50' });

  const SECRETS = /relation|agents|column|SELECT|INSERT|select|\.ts|\.js|at |Error|stack|42P01|55P03|lock/;

  test('500 reveals only its requestID, and the service keeps running', async () => {
    const shipment = await createShipment(broken.api);
    await broken.sql.query('DROP TABLE agents');
    const path = `/v1/shipments/${shipment.id}`;
    const agent = { agentType: 'RELEASING_AGENT', firstName: 'Ada', phone: '1' };
    const answers: Json[] = [
      await broken.api.get(`${path}?expand=agents`),
      await broken.api.post(`${path}/agents`, agent),
      await broken.api.patch(`${path}?expand=agents`, shipment.eTag, { customerRemarks: 'lost' }),
    ];
    for (const answer of answers) {
      const { instance, ...said } = expectProblem(answer, 500, 'INTERNAL');
      expect(Object.keys(answer.body)).toEqual(MEMBERS);
      expect(instance).not.toContain('?');
      expect(JSON.stringify(said)).not.toMatch(SECRETS);
    }
    expect((await broken.api.get(path)).body).toEqual(shipment);
  });

  test('503 with Retry-After when a lock takes too long, and nothing has changed', async () => {
    const move = await createMove(broken.api);
    await broken.sql.query('BEGIN');
    await broken.sql.query('SELECT 1 FROM moves WHERE id = $1 FOR UPDATE', [move.id]);
    const answer = await broken.api.patch(`/v1/moves/${move.id}`, move.eTag, { remarks: 'late' });
    await broken.sql.query('ROLLBACK');
    const { instance: _, ...said } = expectProblem(answer, 503, 'UNAVAILABLE');
    expect(JSON.stringify(said)).not.toMatch(SECRETS);
    expect(said.detail).toMatch(/^Another transaction is using the record/);
    expect(answer.headers.get('Retry-After')).toMatch(/^\d+$/);
    expect((await broken.api.get(`/v1/moves/${move.id}`)).body).toEqual(move);
  });
});
