import type { Client } from 'pg';
import { Verification } from '../../tools/campaigns/checker/verification.js';
import type { Json } from '../support/http/api.js';
import { eventually } from '../support/races/eventually.js';
import { RecordedWrites, replyWith } from '../support/races/race.js';
import { repetitions } from '../support/repository/sweeps.js';
import { createMove, createShipment } from '../support/records/records.js';
import { startService, type TestService } from '../support/service/service.js';

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
  const writes = new RecordedWrites(service.api);
  const { ledger } = writes;
  const shipments = await Promise.all(times(SHIPMENTS, () => writes.createShipment()));
  let bulksWithMany = 0;

  const single = async (writer: number) => {
    const known = new Map<string, string>(shipments.map(({ id, eTag }) => [id, eTag]));
    for (let turn = 0; turn < repetitions(20, 5); turn += 1) {
      const { id } = shipments[(writer + turn * 5) % SHIPMENTS];
      const { body } = await writes.send('patch', {
        method: 'PATCH',
        path: `/v1/shipments/${id}`,
        body: { actualWeight: turn + 1 },
        shipmentID: id,
        spent: known.get(id),
      });
      known.set(id, body.eTag ?? body.currentETag);
    }
  };
  const many = async (writer: number) => {
    const known = new Map<string, string>(shipments.map(({ id, eTag }) => [id, eTag]));
    for (let turn = 0; turn < repetitions(25, 8); turn += 1) {
      const some = shuffled(shipments).slice(0, turn % 2 === 0 ? SHIPMENTS : 2);
      const items = some.map(({ id }) => ({
        op: 'update',
        id,
        ifMatch: known.get(id),
        patch: { estimatedWeight: writer + 1 },
      }));
      const request = { method: 'POST', path: '/v1/shipments/bulk', requestID: `bulk-${writer}-${turn}` };
      const body = { atomic: turn % 4 > 1, items };
      const opened = items.map(({ id, ifMatch }) =>
        ledger.open('patch', { ...request, shipmentID: id, spent: ifMatch }),
      );
      const answer = await service.api.post(request.path, body, { 'X-Request-ID': request.requestID });
      ledger.attempted('bulk', String(answer.status));
      if (answer.status !== 409 && answer.body.items.filter((item: Json) => item.status === 200).length > 1) {
        bulksWithMany += 1;
      }
      answer.body.items.forEach(({ status, shipment, problem }: Json, index: number) => {
        const write = opened[index];
        if (write?.shipmentID === undefined) throw new Error('The answer has more items than the request');
        write.reply = replyWith(shipment === undefined ? (problem?.status ?? status) : status, shipment);
        known.set(write.shipmentID, shipment?.eTag ?? problem?.currentETag ?? write.spent ?? '');
      });
    }
  };
  await Promise.all([...times(SINGLE_WRITERS, single), ...times(BULK_WRITERS, many)]);

  expect(await (await Verification.of(ledger, service.sql)).faults()).toEqual([]);
  const outcomes = ['PATCH 200', 'PATCH 412', 'POST 201', 'bulk 200', 'bulk 207', 'bulk 409'];
  expect([...ledger.outcomes.keys()].sort()).toEqual(outcomes);
  expect(bulksWithMany).toBeGreaterThan(0);
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
    for (let turn = 0; turn < repetitions(30, 5); turn += 1) {
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
    for (let turn = 0; turn < repetitions(60, 8); turn += 1) {
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
