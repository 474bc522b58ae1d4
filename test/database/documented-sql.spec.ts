// Not through PgBouncer: it reads what the connections of the service have prepared.
import { readdirSync, readFileSync } from 'node:fs';
import { Database } from '../../src/database/database.js';
import { poolOf } from '../../src/database/internals/typeorm-data-source.js';
import { cursorOf } from '../../src/records/paging.js';
import { createAgent, createMove, createService, createShipment } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

interface Documented {
  readonly name: string;
  readonly about: readonly string[];
  readonly text: string;
}

const AREAS = readdirSync('docs/sql').map((file) => file.replace('.sql', ''));
const RECORDS = ['moves', 'shipments', 'agents', 'services'];
const ID = '01900000-0000-7000-8000-000000000000';

const service = useService({ POOL_SIZE: '1' });

/** The statements of a file, each with the lines below its name. */
function documented(area: string): Documented[] {
  const [, ...parts] = readFileSync(`docs/sql/${area}.sql`, 'utf8').split(/^-- (?=\w+$)/m);
  return parts.map((part) => {
    const [name = '', ...lines] = part.trimEnd().split('\n');
    const about = lines.filter((line) => line.startsWith('--   ')).map((line) => line.slice(5));
    return { name, about, text: lines.slice(about.length).join('\n') };
  });
}

async function prepared(): Promise<readonly string[]> {
  const client = await poolOf(service.app.get(Database).dataSource).connect();
  const { rows } = await client.query<{ name: string }>('SELECT name FROM pg_prepared_statements');
  client.release();
  return rows.map(({ name }) => name);
}

test.each(AREAS)('PostgreSQL takes every statement of docs/sql/%s.sql', async (area) => {
  const refused: string[] = [];
  const statements = documented(area).filter(({ text }) => !/^(BEGIN|COMMIT|ROLLBACK);$/.test(text));
  for (const { name, text } of statements) {
    await service.sql.query(`PREPARE documented AS ${text} DEALLOCATE documented`).catch((error: unknown) => {
      refused.push(`${name}: ${String(error)}`);
    });
  }
  expect(refused).toEqual([]);
  expect(statements).not.toEqual([]);
});

test('the requests run the statements that they are written next to', async () => {
  const orderID = ID;
  await createMove(service.api, { orderID, remarks: 'fragile' });
  const move = await createMove(service.api, { orderID, remarks: 'fragile' });
  await createShipment(service.api, { moveID: move.id, customerRemarks: 'fragile' });
  const shipment = await createShipment(service.api, { moveID: move.id, customerRemarks: 'fragile' });
  const agent = await createAgent(service.api, {}, shipment);
  const added = await createService(service.api, {}, shipment);
  const recordOf = { moves: move, shipments: shipment, agents: agent, services: added };
  const valueOf: Record<string, string> = { status: 'SUBMITTED', shipmentType: 'HHG', moveID: move.id, orderID };

  const runs = RECORDS.flatMap((area) =>
    documented(area).flatMap(({ name, about }) => about.map((request) => ({ name, request }))),
  );
  const missing: string[] = [];
  const reads = runs.filter(({ request }) => request.startsWith('GET '));
  for (const { name, request } of reads) {
    const path = request.slice(4);
    const [, collection = ''] = /^\/v1\/(\w+)/.exec(path) ?? [];
    const { id, eTag, moveCode, shipmentCode } = recordOf[collection as keyof typeof recordOf];
    const [, sort = '-createdAt'] = /sort=([-\w]+)/.exec(path) ?? [];
    const key = sort.endsWith('createdAt')
      ? ID
      : `${sort.endsWith('updatedAt') ? '2026-01-01T00:00:00.000Z' : '2026-01-01'} ${ID}`;
    const url = path
      .replace('{id}', id)
      .replace('{eTag}', eTag)
      .replace('{moveCode}', moveCode)
      .replace('{shipmentCode}', shipmentCode)
      .replace('{cursor}', cursorOf(`${sort} ${key}`))
      .replaceAll('{day}', '2026-01-01')
      .replace('{time}', '2026-01-01T00:00:00.000Z')
      .replace('{words}', 'fragile')
      .replace('{other}', 'APPROVED')
      .replace(/(\w+)=\{value\}/, (_, filter: string) => `${filter}=${valueOf[filter] ?? ''}`);
    // A page that has all records is not counted.
    const { status } = await service.api.get(url.replace('count=true', 'count=true&limit=1'));
    if (status !== 200 || !(await prepared()).includes(name)) missing.push(`${request}: ${status} without ${name}`);
  }
  expect(missing).toEqual([]);
  expect(reads.length).toBeGreaterThan(50);
});

test('the writes run theirs', async () => {
  const { id, eTag } = await createShipment(service.api);
  const changed = await service.api.patch(`/v1/shipments/${id}`, eTag, { destinationAddress: null });
  await service.api.patch(`/v1/shipments/${id}`, eTag, { customerRemarks: 'stale' });
  await service.api.patch(`/v1/shipments/${id}`, '*', { customerRemarks: 'any' });
  const { eTag: last } = (await service.api.get(`/v1/shipments/${id}`)).body;
  expect(changed.status).toBe(200);
  await service.api.delete(`/v1/shipments/${id}`, { 'If-Match': last });
  const names = await prepared();
  const ran = documented('shipments').filter(({ name }) => names.includes(name));
  expect(ran.flatMap(({ about }) => about)).toEqual(
    expect.arrayContaining([
      'a write with If-Match: the lock, if the version is this one',
      'a write with If-Match: *',
      'a write with If-Match that does not match, to explain the 412',
      'DELETE',
    ]),
  );
});
