import type { Json } from '../support/http/api.js';
import { expectInvalid, expectProblem } from '../support/http/problem.js';
import { applied, csvOf, imported, rowsOf } from '../support/records/imports.js';
import { ADDRESS, createMove, createShipment } from '../support/records/records.js';
import { repetitions } from '../support/repository/sweeps.js';
import { useService } from '../support/service/service.js';

const service = useService();

const WRITERS = 24;

const codesOf = (shipments: readonly Json[]): string[] => shipments.map(({ shipmentCode }) => shipmentCode);

/** The codes of a move whose shipments have the numbers 1 to `count`. */
function numbered({ moveCode }: Json, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${moveCode}-${String(index + 1).padStart(2, '0')}`);
}

async function allOf({ id }: Json): Promise<Json[]> {
  return (await service.api.get<Json[]>(`/v1/shipments?moveID=${id}&limit=200`)).body;
}

describe('numbers', () => {
  test('count up within the move, in the order of creation', async () => {
    const [one, other] = [await createMove(service.api), await createMove(service.api)];
    const made = [];
    for (const moveID of [one.id, one.moveCode, other.id, one.id]) {
      made.push(await createShipment(service.api, { moveID }));
    }
    const [first, second, third] = numbered(one, 3);
    expect(codesOf(made)).toEqual([first, second, `${other.moveCode}-01`, third]);
  });

  test('a shipment that opens its own move is its first', async () => {
    const shipment = await createShipment(service.api);
    const { body: move } = await service.api.get(`/v1/moves/${shipment.moveID}`);
    expect(shipment.shipmentCode).toBe(`${move.moveCode}-01`);
  });

  test('have three digits from 100 on', async () => {
    const move = await createMove(service.api);
    await service.sql.query('INSERT INTO shipment_numbers VALUES ($1, 98)', [move.moveCode]);
    const made = [await createShipment(service.api, { moveID: move.id })];
    made.push(await createShipment(service.api, { moveID: move.id }));
    expect(codesOf(made)).toEqual([`${move.moveCode}-99`, `${move.moveCode}-100`]);
    expect((await service.api.get(`/v1/shipments/${move.moveCode}-100`)).body).toEqual(made[1]);
  });

  test(`unique and contiguous when ${WRITERS} writers create in one move, alone, in bulk and by import, and the move keeps its version`, async () => {
    const move = await createMove(service.api);
    const values = { shipmentType: 'HHG', moveID: move.id };
    const create = { op: 'create', values };
    let created = 0;
    const write = async (writer: number) => {
      for (let turn = 0; turn < repetitions(4, 2); turn += 1) {
        // A caller may have two uploads open at a time.
        const way = writer < 2 ? 3 : (writer + turn) % 3;
        created += way < 2 ? 1 : 2;
        if (way === 0) await createShipment(service.api, { moveID: move.id });
        if (way === 1) await service.api.post('/prime/v1/shipments', values);
        if (way === 2)
          await service.api.post('/v1/shipments/bulk', { atomic: turn % 2 === 0, items: [create, create] });
        if (way === 3) {
          const file = csvOf(
            ['shipmentType', 'moveID'],
            [
              ['HHG', move.moveCode],
              ['BOAT', move.id],
            ],
          );
          await applied(service.api, await imported(service.api, file));
        }
      }
    };
    await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
    const shipments = await allOf(move);
    expect(codesOf(shipments).sort()).toEqual(numbered(move, created).sort());
    // Of two creations the one with the lower number was not later.
    const byNumber = [...shipments].sort((a, b) => Number(a.shipmentCode.slice(7)) - Number(b.shipmentCode.slice(7)));
    const moments = byNumber.map(({ createdAt }) => createdAt);
    expect(moments).toEqual([...moments].sort());
    expect((await service.api.get(`/v1/moves/${move.id}`)).body).toEqual(move);
  });

  test('a creation that is rolled back leaves no gap', async () => {
    const move = await createMove(service.api);
    const create = { op: 'create', values: { shipmentType: 'HHG', moveID: move.id } };
    const refused = { op: 'update', id: `${move.moveCode}-09`, ifMatch: '*', patch: {} };
    const items = [create, refused];
    expect((await service.api.post('/v1/shipments/bulk', { items })).status).toBe(409);
    expect((await createShipment(service.api, { moveID: move.id })).shipmentCode).toBe(`${move.moveCode}-01`);
  });

  test('are not used again after a deletion', async () => {
    const move = await createMove(service.api);
    const { shipmentCode } = await createShipment(service.api, { moveID: move.id });
    expect((await service.api.delete(`/v1/shipments/${shipmentCode}`)).status).toBe(204);
    expect((await createShipment(service.api, { moveID: move.id })).shipmentCode).toBe(`${move.moveCode}-02`);
    expectProblem(await service.api.get(`/v1/shipments/${shipmentCode}`), 404, 'NOT_FOUND');
  });

  test('are not used again when a new move has the code of a deleted one', async () => {
    const { moveID, shipmentCode } = await createShipment(service.api);
    const moveCode = shipmentCode.slice(0, 6);
    await service.api.delete(`/v1/shipments/${shipmentCode}`);
    expect((await service.api.delete(`/v1/moves/${moveID}`)).status).toBe(204);
    const next = await createMove(service.api);
    await service.sql.query('ALTER TABLE moves DISABLE TRIGGER moves_code_kept');
    await service.sql.query('UPDATE moves SET move_code = $1 WHERE id = $2', [moveCode, next.id]);
    await service.sql.query('ALTER TABLE moves ENABLE TRIGGER moves_code_kept');
    expect((await createShipment(service.api, { moveID: next.id })).shipmentCode).toBe(`${moveCode}-02`);
  });
});

describe('never changed', () => {
  test.each([
    `UPDATE shipments SET shipment_code = 'AAAAAA-01'`,
    `UPDATE shipments SET move_id = (SELECT id FROM moves WHERE id <> move_id LIMIT 1)`,
    `UPDATE moves SET move_code = 'AAAAAA'`,
  ])('refused by the database: %s', async (statement) => {
    await createShipment(service.api);
    await expect(service.sql.query(statement)).rejects.toThrow(/keeps its code/);
  });
});

/** The other names that a shipment has: its code, and its id in capitals. */
const NAMES = {
  code: ({ shipmentCode }: Json): string => shipmentCode,
  'code in lower case': ({ shipmentCode }: Json): string => shipmentCode.toLowerCase(),
  'id in capitals': ({ id }: Json): string => id.toUpperCase(),
};

describe.each(Object.entries(NAMES))('by its %s', (_, nameOf) => {
  const path = (shipment: Json) => `/v1/shipments/${nameOf(shipment)}`;

  test('read, with its history, and as it was', async () => {
    const shipment = await createShipment(service.api);
    const byName = await service.api.get(path(shipment));
    expect(byName.body).toEqual(shipment);
    expect(byName.headers.get('ETag')).toBe(`"${shipment.eTag}"`);
    expect((await service.api.get(`${path(shipment)}/history`)).body).toMatchObject([{ resourceID: shipment.id }]);
    expect((await service.api.get(`${path(shipment)}?version=${shipment.eTag}`)).body).toEqual(shipment);
  });

  test('changed, replaced and deleted, with the same conflicts', async () => {
    const shipment = await createShipment(service.api);
    const patched = await service.api.patch(path(shipment), shipment.eTag, { customerRemarks: 'Ring.' });
    expect(patched).toMatchObject({ status: 200, body: { id: shipment.id, customerRemarks: 'Ring.' } });
    const stale = await service.api.patch(path(shipment), shipment.eTag, { customerRemarks: 'Knock.' });
    expect(stale).toMatchObject({ status: 412, body: { currentETag: patched.body.eTag } });
    const { body } = await service.api.put(path(shipment), patched.body.eTag, { shipmentType: 'BOAT' });
    const approved = await service.api.patch(`/prime${path(shipment)}/updateStatus`, body.eTag, { status: 'APPROVED' });
    expect(approved).toMatchObject({ status: 200, body: { id: shipment.id, shipmentType: 'BOAT' } });
    expect((await service.api.delete(path(shipment), { 'If-Match': approved.body.eTag })).status).toBe(204);
    expectProblem(await service.api.get(path(shipment)), 404, 'NOT_FOUND');
  });

  test('agents, services and addresses', async () => {
    const shipment = await createShipment(service.api, { pickupAddress: ADDRESS });
    for (const [collection, fields] of Object.entries({
      agents: { agentType: 'RELEASING_AGENT', firstName: 'Ada', phone: '1' },
      services: { code: 'PACK' },
    })) {
      const { status, body } = await service.api.post(`${path(shipment)}/${collection}`, fields);
      expect([status, body.shipmentID]).toEqual([201, shipment.id]);
      expect((await service.api.get(`${path(shipment)}/${collection}`)).body).toEqual([body]);
    }
    const addressPath = `/v1/mto-shipment/${nameOf(shipment)}/address/${shipment.pickupAddress.id.toUpperCase()}`;
    expect((await service.api.get(addressPath)).body).toEqual(shipment.pickupAddress);
    const { body } = await service.api.put(addressPath, shipment.eTag, { ...ADDRESS, city: 'Kiel' });
    expect(body).toMatchObject({ id: shipment.pickupAddress.id, city: 'Kiel' });
  });

  test('its events', async () => {
    const shipment = await createShipment(service.api);
    await createShipment(service.api);
    const { body } = await service.api.get<Json[]>(`/v1/events?resourceID=${nameOf(shipment)}&wait=10`);
    expect(body.map(({ subject }) => subject)).toEqual([`shipments/${shipment.id}`]);
  });

  test('in a bulk, with the answers of the same items by id', async () => {
    const [one, two, three] = await Promise.all(Array.from({ length: 3 }, () => createShipment(service.api)));
    const items = [
      { op: 'update', id: nameOf(one), ifMatch: one.eTag, patch: { customerRemarks: 'Ring.' } },
      { op: 'updateStatus', id: nameOf(two), ifMatch: two.eTag, status: 'APPROVED' },
      { op: 'delete', id: nameOf(three), ifMatch: three.eTag },
      { op: 'update', id: 'AAAAAA-01', ifMatch: one.eTag, patch: {} },
    ];
    const { status, body } = await service.api.post('/v1/shipments/bulk', { atomic: false, items });
    expect(status).toBe(207);
    expect(body.items).toMatchObject([
      { status: 200, shipment: { id: one.id, customerRemarks: 'Ring.' } },
      { status: 200, shipment: { id: two.id, status: 'APPROVED' } },
      { status: 204 },
      { status: 404, problem: { code: 'NOT_FOUND' } },
    ]);
  });

  test('422 for a bulk that names a shipment by its id, too', async () => {
    const { id, eTag, ...shipment } = await createShipment(service.api);
    const item = { op: 'update', ifMatch: eTag, patch: {} };
    const items = [
      { ...item, id },
      { ...item, id: nameOf({ id, ...shipment }) },
    ];
    expect(expectInvalid(await service.api.post('/v1/shipments/bulk', { items }))).toEqual([
      '/items/1/id DUPLICATE_ID',
    ]);
  });

  test('in an import', async () => {
    const shipment = await createShipment(service.api);
    const file = csvOf(
      ['id', 'shipmentCode', 'customerRemarks', 'eTag'],
      [
        [nameOf(shipment), shipment.shipmentCode.toLowerCase(), 'Ring.', shipment.eTag],
        [shipment.id, shipment.shipmentCode, 'Knock.', shipment.eTag],
        ['AAAAAA-01', '', 'Nobody.', shipment.eTag],
      ],
    );
    const dryRun = await imported(service.api, file);
    expect(await rowsOf(service.api, dryRun)).toMatchObject([
      { outcome: 'change', resourceID: shipment.id },
      { outcome: 'refused', faults: [{ column: 'id', code: 'DUPLICATE_ID' }] },
      { outcome: 'refused', code: 'NOT_FOUND' },
    ]);
    expect(await applied(service.api, dryRun)).toMatchObject({ changed: 1, refused: 2 });
    expect((await service.api.get(path(shipment))).body.customerRemarks).toBe('Ring.');
  });
});

test('200 when ids in a body are echoed in capitals, and the code in lower case', async () => {
  const shipment = await createShipment(service.api, { pickupAddress: ADDRESS });
  const echoed = {
    ...{ ...shipment, id: shipment.id.toUpperCase(), moveID: shipment.moveID.toUpperCase() },
    shipmentCode: shipment.shipmentCode.toLowerCase(),
  };
  expect(await service.api.put(`/v1/shipments/${shipment.id}`, shipment.eTag, echoed)).toMatchObject({ status: 200 });
});

test.each([
  ['id in capitals', ({ id }: Json) => String(id).toUpperCase()],
  ['code in lower case', ({ moveCode }: Json) => String(moveCode).toLowerCase()],
])('201 in a move that is named by its %s: alone, in a bulk and by import', async (_, nameOf) => {
  const move = await createMove(service.api);
  const values = { shipmentType: 'HHG', moveID: nameOf(move) };
  expect((await createShipment(service.api, values)).moveID).toBe(move.id);
  const { body } = await service.api.post('/v1/shipments/bulk', { items: [{ op: 'create', values }] });
  expect(body.items[0].shipment.moveID).toBe(move.id);
  const file = csvOf(['shipmentType', 'moveID'], [['HHG', nameOf(move)]]);
  await applied(service.api, await imported(service.api, file));
  expect((await service.api.get(`/v1/shipments?moveID=${nameOf(move)}`)).body).toHaveLength(3);
  const events = await service.api.get<Json[]>(`/v1/events?moveID=${nameOf(move)}&wait=10`);
  expect(events.body.length).toBeGreaterThan(0);
});

test('404 for a code that no shipment has', async () => {
  for (const code of ['AAAAAA-01', 'aaaaaa-01', 'AAAAAA-1', 'AAAAAA-00', 'AAAAAA-001', 'AAAAAA-99999999999']) {
    expectProblem(await service.api.get(`/v1/shipments/${code}`), 404, 'NOT_FOUND');
  }
});

test('400 for a filter with a letter that becomes one of a code only in capitals', async () => {
  expectProblem(await service.api.get('/v1/shipments?moveID=ſaaaaa'), 400, 'INVALID_PARAMETER');
});
