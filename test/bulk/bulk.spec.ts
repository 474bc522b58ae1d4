import type { Json } from '../support/http/api.js';
import { expectInvalid, expectProblem } from '../support/http/problem.js';
import { ADDRESS, createAgent, createMove, createShipment, UNKNOWN_ID } from '../support/records/records.js';
import { startService, useService } from '../support/service/service.js';
import { useSecuredService } from '../support/http/tokens.js';

const service = useService();

const BULK = '/v1/shipments/bulk';
const STALE = '0'.repeat(64);

const bulk = (items: readonly object[], atomic?: boolean, headers = {}) =>
  service.api.post(BULK, { ...(atomic !== undefined && { atomic }), items }, headers);
const read = async ({ id }: Json) => (await service.api.get(`/v1/shipments/${id}`)).body;
const update = ({ id, eTag }: Json, patch: object) => ({ op: 'update', id, ifMatch: eTag, patch });
const shipments = (count: number) =>
  Promise.all(Array.from({ length: count }, (_, index) => createShipment(service.api, { estimatedWeight: index + 1 })));

async function changesBy(requestID: string): Promise<Json[]> {
  const { rows } = await service.sql.query(
    'SELECT record_id AS id, type, changed_by FROM history WHERE request_id = $1 ORDER BY position',
    [requestID],
  );
  return rows;
}

describe('atomic, the default', () => {
  it('200 and every result in the order of the request, under one requestID', async () => {
    const [one, two, three] = await shipments(3);
    const move = await createMove(service.api);
    const items = [
      update(three, { actualWeight: 7 }),
      { op: 'create', values: { shipmentType: 'NTS', moveID: move.moveCode } },
      { op: 'delete', id: one.id },
      { op: 'updateStatus', id: two.id, ifMatch: two.eTag, status: 'APPROVED' },
    ];
    const { status, body, headers } = await bulk(items);
    expect(status).toBe(200);
    expect(body.items).toMatchObject([
      { status: 200, shipment: { id: three.id, actualWeight: 7, estimatedWeight: 3 } },
      { status: 201, shipment: { shipmentType: 'NTS', moveID: move.id } },
      { status: 204 },
      { status: 200, shipment: { id: two.id, status: 'APPROVED' } },
    ]);
    expect(await read(three)).toEqual(body.items[0].shipment);
    const changes = await changesBy(headers.get('X-Request-ID') ?? '');
    expect(changes.map(({ type }) => type)).toEqual(['updated', 'created', 'deleted', 'statusChanged']);
    expect((await service.api.get(`/v1/shipments/${one.id}`)).status).toBe(404);
  });

  it('409 when an item is refused: its own problem, 424 for the others, and nothing is written', async () => {
    const [one, two, three] = await shipments(3);
    await service.api.patch(`/v1/shipments/${two.id}`, two.eTag, { customerRemarks: 'first' });
    const items = [
      update(one, { actualWeight: 1 }),
      update(two, { customerRemarks: 'second' }),
      { op: 'update', id: three.id, patch: {} },
      { op: 'create', values: { moveID: UNKNOWN_ID, shipmentType: 'HHG' } },
      update({ id: UNKNOWN_ID, eTag: STALE }, {}),
    ];
    const answer = await bulk(items);
    const { items: results } = expectProblem(answer, 409, 'BULK_REFUSED');
    expect(results.map((result: Json) => [result.status, result.problem?.code])).toEqual([
      [424, undefined],
      [412, 'PRECONDITION_FAILED'],
      [428, 'PRECONDITION_REQUIRED'],
      [422, 'VALIDATION_FAILED'],
      [404, 'NOT_FOUND'],
    ]);
    expect(results[1].problem).toMatchObject({
      instance: `/v1/shipments/${two.id}`,
      changes: [{ field: 'customerRemarks', base: null, yours: 'second', current: 'first', conflicting: true }],
    });
    expect(await changesBy(answer.body.requestID)).toEqual([]);
    expect(await read(one)).toEqual(one);
  });
});

describe('item by item', () => {
  it('207, and each item succeeds or is refused on its own', async () => {
    const many = await shipments(60);
    const items = many.map((each, index) =>
      update({ ...each, ...(index % 3 === 0 && { eTag: STALE }) }, { actualWeight: 9 }),
    );
    const { status, body } = await bulk(items, false);
    expect(status).toBe(207);
    expect(body.items.map(({ status: each }: Json) => each)).toEqual(
      many.map((_, index) => (index % 3 === 0 ? 412 : 200)),
    );
    for (const [index, each] of many.entries()) {
      expect((await read(each)).actualWeight).toBe(index % 3 === 0 ? null : 9);
    }
  });

  it('what belongs to a deleted shipment goes along', async () => {
    const [one] = await shipments(1);
    const { id } = await createAgent(service.api, {}, one);
    expect((await bulk([{ op: 'delete', id: one.id, ifMatch: one.eTag }], false)).body.items).toEqual([
      { status: 204 },
    ]);
    expect((await service.api.get(`/v1/agents/${id}`)).status).toBe(404);
  });
});

describe('422 for the form of a bulk, with every fault', () => {
  it.each<[string, unknown, string[]]>([
    ['that is no object', [], [' WRONG_TYPE']],
    ['without items', {}, ['/items WRONG_TYPE']],
    ['with no item', { items: [] }, ['/items WRONG_TYPE']],
    ['with 201 items', { items: Array(201).fill({ op: 'delete', id: 'x' }) }, ['/items WRONG_TYPE']],
    ['with other members', { items: [{ op: 'delete', id: 'x' }], atmic: 1 }, ['/atmic UNKNOWN_FIELD']],
    ['whose atomic is no truth value', { atomic: 'no', items: [{ op: 'delete', id: 'x' }] }, ['/atomic WRONG_TYPE']],
    ['with an unknown op', { items: [{ op: 'upsert' }, 1] }, ['/items/0/op NOT_ALLOWED', '/items/1 WRONG_TYPE']],
    [
      'with items that lack or mistake members',
      {
        items: [
          { op: 'update', id: 1, ifMatch: null },
          { op: 'create', id: 'x', values: {} },
        ],
      },
      ['/items/0/patch REQUIRED', '/items/0/id WRONG_TYPE', '/items/0/ifMatch WRONG_TYPE', '/items/1/id UNKNOWN_FIELD'],
    ],
    [
      'that names a shipment twice',
      {
        items: [
          { op: 'delete', id: 'x' },
          { op: 'update', id: 'x', patch: {} },
        ],
      },
      ['/items/1/id DUPLICATE_ID'],
    ],
  ])('%s', async (_, body, faults) => {
    expect(expectInvalid(await service.api.post(BULK, body)).sort()).toEqual(faults.sort());
  });
});

it('takes 1 MB and 200 full items, and no more', async () => {
  const address = { ...ADDRESS, streetAddress2: 'b', streetAddress3: 'c', country: 'g' };
  const values = {
    shipmentType: 'HHG',
    pickupAddress: address,
    destinationAddress: address,
    customerRemarks: 'x'.repeat(2000),
  };
  const items = Array.from({ length: 200 }, () => ({ op: 'create', values }));
  const full = JSON.stringify({ items });
  const room = 1_048_576 - Buffer.byteLength(full);
  expect((await service.api.post(BULK, full + ' '.repeat(room))).status).toBe(200);
  expectProblem(await service.api.post(BULK, full + ' '.repeat(room + 1)), 413, 'TOO_LARGE');
});

it('a 412 of an item has at most 4 kB of values, and says where it left some out', async () => {
  const [one] = await shipments(1);
  const long = 'ü'.repeat(2000);
  await service.api.patch(`/v1/shipments/${one.id}`, one.eTag, { customerRemarks: long, actualWeight: 3 });
  const { body } = await bulk([update(one, { customerRemarks: 'mine', actualWeight: 4 })], false);
  const { changes } = body.items[0].problem;
  expect(changes.map(({ field, truncated }: Json) => [field, truncated])).toEqual([
    ['actualWeight', undefined],
    ['customerRemarks', undefined],
  ]);
  await service.api.patch(`/v1/shipments/${one.id}`, (await read(one)).eTag, { customerRemarks: `${long.slice(1)}!` });
  const between = { ...one, eTag: (await service.api.get(`/v1/shipments/${one.id}/history`)).body[1].eTag };
  const { body: later } = await bulk([update(between, { customerRemarks: 'mine' })], false);
  expect(later.items[0].problem.changes).toEqual([
    expect.objectContaining({ field: 'customerRemarks', truncated: true, conflicting: true, changedBy: 'anonymous' }),
  ]);
  expect(later.items[0].problem.changes[0]).not.toHaveProperty('current');
});

it('an id may be any text, and is repeated as far as it is short', async () => {
  const ids = ['\ud800', 'x'.repeat(5000), '../moves', '%'];
  const { body } = await bulk(
    ids.map((id) => ({ op: 'delete', id })),
    false,
  );
  expect(body.items.map(({ status }: Json) => status)).toEqual([404, 404, 404, 404]);
  for (const { problem } of body.items) expect(JSON.stringify(problem).length).toBeLessThan(700);
});

describe('with tokens', () => {
  const { as } = useSecuredService();

  it('403 before anything is looked at when a scope of one operation is missing', async () => {
    const items = [
      { op: 'updateStatus', id: UNKNOWN_ID, ifMatch: STALE, status: 'APPROVED' },
      { op: 'delete', id: UNKNOWN_ID, nonsense: true },
    ];
    for (const [scope, missing] of [
      ['shipments:status', 'shipments:write'],
      ['shipments:write', 'shipments:status'],
    ] as const) {
      const answer = await (await as({ scope })).post(BULK, { items });
      expect(expectProblem(answer, 403, 'FORBIDDEN').missingScope).toBe(missing);
    }
  });
});

it('413 or 429 when a caller has no room for all items; nothing is written and nothing is counted of them', async () => {
  const limited = await startService({ RATE_LIMIT: '10' });
  const items = (count: number) => ({ items: Array(count).fill({ op: 'create', values: { shipmentType: 'HHG' } }) });
  expectProblem(await limited.api.post(BULK, items(11)), 413, 'TOO_LARGE');
  expectProblem(await limited.api.post(BULK, items(10)), 429, 'RATE_LIMITED');
  const fits = await limited.api.post(BULK, items(9));
  expect([fits.status, fits.headers.get('RateLimit')]).toEqual([200, expect.stringContaining('r=0')]);
  expectProblem(await limited.api.post(BULK, items(1)), 429, 'RATE_LIMITED');
  const { rows } = await limited.sql.query('SELECT count(*)::int AS count FROM shipments');
  expect(rows).toEqual([{ count: 9 }]);
  await limited.stop();
});

it('draws another code when a move of a new shipment would get one that is taken', async () => {
  expect((await service.sql.query('SELECT FROM moves')).rowCount).toBeGreaterThan(0);
  await service.sql.query(`
    CREATE SEQUENCE attempts;
    CREATE FUNCTION take_code() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF nextval('attempts') = 1 THEN new.move_code := (SELECT move_code FROM moves LIMIT 1); END IF;
      RETURN new;
    END $$;
    CREATE TRIGGER take_code BEFORE INSERT ON moves FOR EACH ROW EXECUTE FUNCTION take_code()`);
  for (const atomic of [true, false]) {
    await service.sql.query('ALTER SEQUENCE attempts RESTART');
    const { body } = await bulk([{ op: 'create', values: { shipmentType: 'HHG' } }], atomic);
    expect(body.items.map(({ status }: Json) => status)).toEqual([201]);
  }
  await service.sql.query('DROP TRIGGER take_code ON moves');
});
