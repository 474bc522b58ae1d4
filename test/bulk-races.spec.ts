import type { Client } from 'pg';
import type { Json } from './support/api.js';
import { eventually } from './support/eventually.js';
import { chainFault, type Success } from './support/race.js';
import { createMove, createShipment } from './support/records.js';
import { startService, type TestService } from './support/service.js';

const SHIPMENTS = 12;
const SINGLE_WRITERS = 24;
const BULK_WRITERS = 4;

let service: TestService;

beforeEach(async () => {
  service = await startService({ POOL_SIZE: '10' });
});
afterEach(() => service.stop());

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** Backends tell how many deadlocks they saw when they end at the latest. */
async function deadlocks(sql: Client): Promise<number> {
  const others = `FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`;
  await sql.query(`SELECT pg_terminate_backend(pid) ${others} AND application_name = 'waybill'`);
  await eventually(
    async () => (await sql.query(`SELECT 1 ${others} AND application_name = 'waybill'`)).rowCount === 0,
    10_000,
    'the connections of the service have ended',
  );
  const { rows } = await sql.query<{ deadlocks: string }>(
    'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
  );
  return Number(rows[0]?.deadlocks);
}

/** In another order for each of them. */
function shuffled<T>(values: readonly T[]): T[] {
  return values
    .map((value) => [Math.random(), value] as const)
    .sort(([one], [other]) => one - other)
    .map(([, value]) => value);
}

test(`no update is lost and nobody deadlocks when ${SINGLE_WRITERS} single writers meet ${BULK_WRITERS} bulk writers`, async () => {
  const shipments = await Promise.all(times(SHIPMENTS, () => createShipment(service.api)));
  const successes = new Map<string, Success[]>(shipments.map(({ id }) => [id, []]));
  const statuses = new Set<string>();
  const bulks = { one: 0, many: 0 };

  const single = async (writer: number) => {
    const known = new Map<string, string>(shipments.map(({ id, eTag }) => [id, eTag]));
    for (let turn = 0; turn < 20; turn += 1) {
      const { id } = shipments[(writer + turn * 5) % SHIPMENTS];
      const spent = known.get(id) ?? '';
      const { status, body } = await service.api.patch(`/v1/shipments/${id}`, spent, { actualWeight: turn + 1 });
      statuses.add(`single ${status}`);
      if (status === 200) successes.get(id)?.push({ spent, gained: body.eTag });
      known.set(id, body.eTag ?? body.currentETag);
    }
  };
  const many = async (writer: number) => {
    const known = new Map<string, string>(shipments.map(({ id, eTag }) => [id, eTag]));
    for (let turn = 0; turn < 25; turn += 1) {
      const some = shuffled(shipments).slice(0, turn % 2 === 0 ? SHIPMENTS : 2);
      const items = some.map(({ id }) => ({
        op: 'update',
        id,
        ifMatch: known.get(id),
        patch: { estimatedWeight: writer + 1 },
      }));
      const { status, body } = await service.api.post('/v1/shipments/bulk', { atomic: turn % 4 > 1, items });
      statuses.add(`bulk ${status}`);
      if (status !== 409 && body.items.filter((item: Json) => item.status === 200).length > 1) bulks.many += 1;
      body.items.forEach(({ shipment, problem }: Json, index: number) => {
        const { id, ifMatch: spent = '' } = items[index] ?? { id: '' };
        if (shipment !== undefined) successes.get(id)?.push({ spent, gained: shipment.eTag });
        known.set(id, shipment?.eTag ?? problem?.currentETag ?? spent);
      });
    }
  };
  await Promise.all([...times(SINGLE_WRITERS, single), ...times(BULK_WRITERS, many)]);

  for (const { id, eTag } of shipments) {
    const { body: current } = await service.api.get(`/v1/shipments/${id}`);
    const steps = successes.get(id) ?? [];
    expect([id, chainFault(eTag, current.eTag, steps)]).toEqual([id, undefined]);
    const { rows } = await service.sql.query('SELECT count(*)::int AS count FROM history WHERE record_id = $1', [id]);
    expect(rows).toEqual([{ count: steps.length + 1 }]);
  }
  expect([...statuses].sort()).toEqual(['bulk 200', 'bulk 207', 'bulk 409', 'single 200', 'single 412']);
  expect(bulks.many).toBeGreaterThan(0);
  expect(await deadlocks(service.sql)).toBe(0);
});

test('nobody deadlocks when bulks create and delete while others delete moves and add agents', async () => {
  const moves: Json[] = await Promise.all(times(4, () => createMove(service.api)));
  const failures: string[] = [];
  const send = async (method: string, path: string, body?: unknown) => {
    const answer = await service.api.send(method, path, body);
    if (answer.status >= 500) failures.push(`${method} ${path} ${answer.status}`);
    return answer;
  };
  const bulkWriter = async () => {
    let mine: string[] = [];
    for (let turn = 0; turn < 30; turn += 1) {
      const items = [
        ...mine.map((id) => ({ op: 'delete', id })),
        ...shuffled(moves).map(({ id }) => ({ op: 'create', values: { shipmentType: 'HHG', moveID: id } })),
      ];
      const { body } = await send('POST', '/v1/shipments/bulk', { atomic: false, items });
      mine = body.items.flatMap(({ status, shipment }: Json) => (status === 201 ? [shipment.id] : []));
      await Promise.all(
        mine
          .slice(0, 2)
          .map((id) =>
            send('POST', `/v1/shipments/${id}/agents`, { agentType: 'RELEASING_AGENT', firstName: 'A', phone: '1' }),
          ),
      );
    }
  };
  const deleter = async (writer: number) => {
    for (let turn = 0; turn < 60; turn += 1) {
      const { id } = moves[(turn + writer) % moves.length];
      await send('DELETE', `/v1/moves/${id}`);
      await send('POST', '/v1/shipments', { shipmentType: 'HHG', moveID: id });
    }
  };
  await Promise.all([...times(4, bulkWriter), ...times(4, deleter)]);
  expect(failures).toEqual([]);
  expect(await deadlocks(service.sql)).toBe(0);
});

test('the counter of deadlocks counts them', async () => {
  const [one, two] = [await createShipment(service.api), await createShipment(service.api)];
  const clients = [await service.connect(), await service.connect()] as const;
  const codes: (string | undefined)[] = [];
  const lock = (client: Client, { id }: Json) =>
    client.query('SELECT FROM shipments WHERE id = $1 FOR UPDATE', [id]).then(
      () => codes.push(undefined),
      (error: unknown) => codes.push((error as { code: string }).code),
    );
  for (const client of clients) {
    client.on('error', () => undefined);
    await client.query(`SET application_name = 'waybill'`);
    await client.query('BEGIN');
  }
  await lock(clients[0], one);
  await lock(clients[1], two);
  await Promise.all([lock(clients[0], two), lock(clients[1], one)]);
  expect(codes).toContain('40P01');
  expect(await deadlocks(service.sql)).toBe(1);
});
