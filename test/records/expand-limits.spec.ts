// Not through PgBouncer: it only reads, with statements that other specs send through it.
import type { Json } from '../support/http/api.js';
import { nextOf, walk } from '../support/http/paging.js';
import { countQueries } from '../support/database/queries.js';
import { createMove, createService, createShipment } from '../support/records/records.js';
import { startService, useService } from '../support/service/service.js';

const service = useService();

const MOST = 200;
const MAX_IN_ALL = 2000;

// Triggers take most of the time of what is inserted straight into the tables.
beforeAll(() => service.sql.query('SET session_replication_role = replica'));

/** Adds services to a shipment straight in the table, in an order of ids that is their order of creation. */
async function addServices({ id }: Json, count: number): Promise<void> {
  await service.sql.query(
    `INSERT INTO services (id, shipment_id, code) SELECT uuidv7(), $1, 'S' || n FROM generate_series(1, $2::int) n`,
    [id, count],
  );
}

async function addShipments({ id, moveCode }: Json, count: number, { sql } = service): Promise<void> {
  await sql.query(
    `INSERT INTO shipments (id, shipment_code, move_id, shipment_type, status)
     SELECT uuidv7(), $3 || '-' || 100 + n, $1, 'T' || n, 'SUBMITTED' FROM generate_series(1, $2::int) n`,
    [id, count, moveCode],
  );
}

/** All records that a list has from this address on. */
const allFrom = async (first: string) => (await walk(service.api, first)).flat();

const idsOf = (records: readonly Json[]) => records.map(({ id }) => id as string);

test.each([0, 1, MOST - 1, MOST, MOST + 1, 2 * MOST + 50])(
  'of %i services the newest 200 are inside, and servicesNext has the rest, if any',
  async (count) => {
    const shipment = await createShipment(service.api);
    await addServices(shipment, count);
    const { body } = await service.api.get(`/v1/shipments/${shipment.id}?expand=services,agents`);
    expect([body.services.length, body.agents, body.agentsNext]).toEqual([Math.min(count, MOST), [], null]);
    expect(body.servicesNext === null).toBe(count <= MOST);
    const all = await allFrom(`/v1/shipments/${shipment.id}/services?limit=200`);
    expect(all).toHaveLength(count);
    const rest = body.servicesNext === null ? [] : await allFrom(body.servicesNext);
    expect([...body.services, ...rest]).toEqual(all);
  },
);

test('a move shows its newest 200 shipments, and shipmentsNext has the rest', async () => {
  const move = await createMove(service.api);
  await addShipments(move, MOST + 10);
  const { body } = await service.api.get(`/v1/moves/${move.moveCode}?expand=shipments`);
  expect(body.shipments).toHaveLength(MOST);
  const all = await allFrom(`/v1/shipments?moveID=${move.id}&limit=200`);
  expect([...body.shipments, ...(await allFrom(body.shipmentsNext))]).toEqual(all);
});

test('PATCH shows the same', async () => {
  const shipment = await createShipment(service.api);
  await addServices(shipment, MOST + 1);
  const path = `/v1/shipments/${shipment.id}?expand=services`;
  const { status, body } = await service.api.patch(path, shipment.eTag, { customerRemarks: 'changed' });
  expect(status).toBe(200);
  expect((await service.api.get(path)).body).toEqual(body);
  expect([body.services.length, typeof body.servicesNext]).toEqual([MOST, 'string']);
});

test.each([10, 50, 200])(
  'a list of %i records shows at most 2,000 of their children, as many of each',
  async (limit) => {
    const move = await createMove(service.api);
    for (let number = 0; number < 3; number += 1) {
      await addServices(await createShipment(service.api, { moveID: move.id }), MOST + 1);
    }
    await createService(service.api, {}, await createShipment(service.api, { moveID: move.id }));
    const most = Math.min(MOST, MAX_IN_ALL / limit);
    let body: Json[] = [];
    const queries = await countQueries(async () => {
      ({ body } = await service.api.get<Json[]>(`/v1/shipments?moveID=${move.id}&expand=services&limit=${limit}`));
    });
    // One for the list: the move is named by its id.
    expect(queries).toBe(1);
    expect(body.map(({ services }) => services.length)).toEqual([1, most, most, most]);
    expect(body[0]?.servicesNext).toBeNull();
    const last = body[3] ?? {};
    const rest = await allFrom(last.servicesNext);
    expect(idsOf([...last.services, ...rest])).toEqual(
      idsOf(await allFrom(`/v1/shipments/${last.id}/services?limit=200`)),
    );
  },
);

test.each(["https://waybill.example/o'hare", "https://waybill.example/o'hare/"])(
  'Location, Link and the address of the rest are absolute when PUBLIC_URL is %s',
  async (PUBLIC_URL) => {
    const published = await startService({ PUBLIC_URL });
    try {
      const base = "https://waybill.example/o'hare";
      const { headers, body: move } = await published.api.post('/v1/moves', {});
      expect(headers.get('Location')).toBe(`${base}/v1/moves/${move.id}`);
      await addShipments(move, MOST + 1, published);
      const { body } = await published.api.get(`/v1/moves/${move.id}?expand=shipments`);
      expect(body.shipmentsNext).toContain(`${base}/v1/shipments?moveID=${move.id}&limit=200&cursor=`);
      const rest = await published.api.get(body.shipmentsNext.slice(base.length));
      expect(rest.status).toBe(200);
      const page = await published.api.get('/v1/shipments?limit=1');
      expect(nextOf(page.headers)).toContain(`${base}/v1/shipments?limit=1&cursor=`);
    } finally {
      await published.stop();
    }
  },
);
