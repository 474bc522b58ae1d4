import type { Client } from 'pg';
import { openDatabase } from '../../src/open-database.js';
import { readConfig } from '../../src/config/read-config.js';
import { Database } from '../../src/database/database.js';
import { toProblem } from '../../src/problem/failures.js';
import type { Json } from '../support/http/api.js';
import { createShipment, KINDS, type Kind } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService();

/** Everything in a table of records, and how much history there is. */
async function stored(sql: Client, table: string): Promise<unknown> {
  const { rows } = await sql.query<object>(
    `SELECT (SELECT jsonb_agg(r ORDER BY id) FROM ${table} r) AS records, (SELECT count(*) FROM history) AS entries`,
  );
  return rows[0];
}

/** Inserts a record next to an existing one of the same kind. */
const INSERTS: Record<string, string> = {
  move: `INSERT INTO moves (id, move_code) SELECT gen_random_uuid(), 'ZZZZZZ' FROM moves`,
  shipment: `INSERT INTO shipments (id, move_id, shipment_type, status)
    SELECT gen_random_uuid(), move_id, shipment_type, status FROM shipments`,
  agent: `INSERT INTO agents (id, shipment_id, agent_type, first_name, phone)
    SELECT gen_random_uuid(), shipment_id, 'RECEIVING_AGENT', first_name, '555-0100' FROM agents`,
};

/** Of most kinds, a copy with another id will do. */
function insertOf({ name }: Kind): string {
  const copy = `(jsonb_populate_record(r, jsonb_build_object('id', gen_random_uuid()))).*`;
  return INSERTS[name] ?? `INSERT INTO ${name}s SELECT ${copy} FROM ${name}s r`;
}

/** A statement on a connection of the service's own pool, outside of any transaction. */
async function onPool(text: string): Promise<unknown> {
  return service.app.get(Database).query({ text });
}

test('the connections of the service say who they are, also through a connection pooler', async () => {
  expect(await onPool(`SELECT current_setting('application_name') AS name`)).toEqual([{ name: 'waybill' }]);
});

test('they say so also when DATABASE_URL has another name', async () => {
  const config = readConfig({ POOL_SIZE: '1' });
  const name = `SELECT current_setting('application_name') AS name`;
  const url = service.databaseUrl;
  for (const named of [`${url}&application_name=other`, url.replace('?', '?application_name=other&')]) {
    const database = await openDatabase(config, named);
    expect(await database.query({ text: name })).toEqual([{ name: 'waybill' }]);
    await database.dataSource.destroy();
  }
});

describe.each(KINDS)('a change of a $name without an author', (kind) => {
  const table = `${kind.name}s`;

  test.each([`UPDATE ${table} SET id = id`, `DELETE FROM ${table}`, insertOf(kind)])(
    'is refused as INTERNAL and writes nothing: %s',
    async (statement) => {
      const { id } = await kind.create(service.api);
      const before = await stored(service.sql, table);
      const failure = await onPool(`${statement} WHERE id = '${id}'`).catch((error: unknown) => error);
      expect(failure).toMatchObject({ code: '23001', message: `a change of ${table} has no author` });
      expect(toProblem(failure)).toMatchObject({ code: 'INTERNAL', status: 500 });
      expect(await stored(service.sql, table)).toEqual(before);
    },
  );
});

test('the owner in psql needs no author and is recorded by role', async () => {
  const shipment: Json = await createShipment(service.api);
  await service.sql.query(`UPDATE shipments SET customer_remarks = 'by hand' WHERE id = $1`, [shipment.id]);
  const { body } = await service.api.get(`/v1/shipments/${shipment.id}/history`);
  expect(body[0]).toMatchObject({ type: 'updated', changedBy: 'sql:waybill', requestID: null });
});
