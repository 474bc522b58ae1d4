// Not through PgBouncer: it counts statements and injects faults on the connection between service and PostgreSQL.
import { ImportWorker, ROWS_PER_CHUNK } from '../../src/imports/import-worker.js';
import type { Json } from '../support/http/api.js';
import { applied, csvOf, imported, rowsOf, untilApplied } from '../support/records/imports.js';
import type { Fault } from '../support/database/postgres-proxy.js';
import { createShipment } from '../support/records/records.js';
import { shareOf } from '../support/repository/sweeps.js';
import { useProxiedService } from '../support/service/proxied-service.js';
import { startApp } from '../support/service/service.js';
import { timeoutsWithin } from '../support/service/timeouts.js';

const FAULTS: readonly (readonly [string, Fault])[] = [
  ['cannot be serialized', { refuse: '40001' }],
  ['loses its connection while it is under way', { lose: 'in flight' }],
  ['loses its connection before its answer', { lose: 'answer' }],
];

const { proxy, service } = useProxiedService({ ...timeoutsWithin(20_000), POOL_SIZE: '2' });
let shipment: Json;

beforeAll(async () => {
  shipment = await createShipment(service.api);
});

const COLUMNS = ['id', 'eTag', 'shipmentType', 'customerRemarks'];

/** A change, a conflict and a creation. */
async function fileOf(mark: string): Promise<string> {
  const { body } = await service.api.get(`/v1/shipments/${shipment.id}`);
  const other = await createShipment(service.api, { customerRemarks: 'before' });
  return csvOf(COLUMNS, [
    [body.id, body.eTag, 'HHG', mark],
    [other.id, other.eTag, 'HHG', `mine ${mark}`],
    ['', '', 'NTS', mark],
  ]);
}

/** The second row gets into conflict after the dry run. */
async function readyImport(mark: string): Promise<Json> {
  const ready = await imported(service.api, await fileOf(mark));
  const [, row] = await rowsOf(service.api, ready);
  expect((await service.api.patch(`/v1/shipments/${row.resourceID}`, '*', { customerRemarks: 'theirs' })).status).toBe(
    200,
  );
  return ready;
}

/** Applies an import directly, while the statement at a position goes wrong; returns the statements. */
async function applyWith(ready: Json, mark: string, position: number, fault?: Fault): Promise<string[]> {
  const sent: string[] = [];
  const update = `UPDATE imports SET state = 'applying' WHERE id = $1`;
  await service.sql.query(`BEGIN; SET LOCAL waybill.author = '${mark} tester'`);
  await service.sql.query(update, [ready.id]);
  await service.sql.query('COMMIT');
  proxy.plan = (text) => (sent.push(text) === position ? fault : undefined);
  const worker = service.app.get(ImportWorker);
  worker.start(ready.id, { requestID: mark, caller: { subject: 'tester' } });
  await worker.settled();
  proxy.plan = () => undefined;
  await untilApplied(service.api, ready.id);
  return sent;
}

async function faultOf(mark: string, position: number, fault?: Fault): Promise<string | undefined> {
  const ready = await readyImport(mark);
  await applyWith(ready, mark, position, fault);
  const { rows } = await service.sql.query(
    `SELECT record_id AS id, count(*)::int AS count FROM history WHERE request_id = $1 AND record_kind = 'shipment' GROUP BY 1`,
    [mark],
  );
  if (rows.length !== 2 || rows.some(({ count }) => count !== 1)) return `written: ${JSON.stringify(rows)}`;
  const outcomes = (await rowsOf(service.api, ready)).map(({ outcome, code }) => `${outcome} ${code}`);
  const expected = ['changed null', 'refused PRECONDITION_FAILED', 'created null'];
  return JSON.stringify(outcomes) === JSON.stringify(expected) ? undefined : JSON.stringify(outcomes);
}

test('every statement of applying may go wrong, and each row has its effect once', async () => {
  const statements = await applyWith(await readyImport('first'), 'first', 0);
  expect(statements.length).toBeGreaterThan(12);
  const found: string[] = [];
  for (let position = 1; position <= statements.length; position += 1) {
    for (const [name, fault] of shareOf(FAULTS, position, FAULTS.length)) {
      const wrong = await faultOf(`fault-${position}-${FAULTS.findIndex(([each]) => each === name)}`, position, fault);
      if (wrong !== undefined) found.push(`statement ${position} ${name}: ${wrong}`);
    }
  }
  expect(found).toEqual([]);
});

test('no row is looked at before the request to apply is committed', async () => {
  const ready = await imported(service.api, csvOf(['shipmentType'], [['LATER']]));
  const worker = service.app.get(ImportWorker);
  const begun: string[] = [];
  proxy.plan = (text) => {
    if (text.startsWith('BEGIN')) begun.push(text);
    return text.startsWith('COMMIT') ? { lose: 'before' } : undefined;
  };
  const { status } = await service.api.send('POST', `/v1/imports/${ready.id}/apply`);
  await worker.settled();
  proxy.plan = () => undefined;
  expect([status, begun.length]).toEqual([503, 1]);
  expect(await applied(service.api, ready)).toMatchObject({ created: 1 });
});

test('two replicas that apply an import at once do no row twice', async () => {
  const { app: other } = await startApp({ POOL_SIZE: '2', ...timeoutsWithin(60_000) }, service.databaseUrl);
  const count = 3 * ROWS_PER_CHUNK + 7;
  const ready = await imported(
    service.api,
    csvOf(
      ['shipmentType'],
      Array.from({ length: count }, () => ['TWICE?']),
    ),
  );
  other.get(ImportWorker).start(ready.id, { requestID: 'other', caller: { subject: 'other' } });
  const done = await Promise.all([applied(service.api, ready), other.get(ImportWorker).settled()]);
  other.get(ImportWorker).start(ready.id, { requestID: 'other', caller: { subject: 'other' } });
  await other.get(ImportWorker).settled();
  expect(done[0]).toMatchObject({ created: count, toCreate: 0 });
  const { rows } = await service.sql.query(`SELECT count(*)::int AS n FROM shipments WHERE shipment_type = 'TWICE?'`);
  expect(rows).toEqual([{ n: count }]);
  await other.close();
});

test('a row that fails whenever it is written is refused, and those beside it are written', async () => {
  const ready = await imported(service.api, csvOf(['shipmentType'], [['GOOD'], ['POISON'], ['GOOD']]));
  await service.sql.query(`
    CREATE FUNCTION refuse_poison() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'poison'; END $$;
    CREATE TRIGGER poison BEFORE INSERT ON shipments
      FOR EACH ROW WHEN (NEW.shipment_type = 'POISON') EXECUTE FUNCTION refuse_poison()`);
  expect(await applied(service.api, ready)).toMatchObject({ created: 2, refused: 1 });
  const outcomes = (await rowsOf(service.api, ready)).map(({ outcome, code }) => [outcome, code]);
  expect(outcomes).toEqual([
    ['created', null],
    ['refused', 'INTERNAL'],
    ['created', null],
  ]);
});
