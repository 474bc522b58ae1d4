import { Client } from 'pg';
import { openDatabase } from '../src/app.setup.js';
import { readConfig } from '../src/config/config.js';
import { createAgent, createShipment } from './support/records.js';
import { startService, type TestService } from './support/service.js';

const ROLE = 'waybill_service';

let service: TestService;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

test('the owner can erase a person from history, and the guard is back afterwards', async () => {
  const { sql, api } = service;
  const shipment = await createShipment(api, { customerRemarks: 'ask for Ada' });
  const agent = await createAgent(api, {}, shipment);
  await sql.query('BEGIN');
  await sql.query('ALTER TABLE history DISABLE TRIGGER history_append_only');
  await sql.query(
    `UPDATE history SET record = record - '{customer_remarks,first_name,last_name,email,phone}'::text[]
     WHERE root_id = $1 AND record IS NOT NULL`,
    [shipment.id],
  );
  await sql.query('ALTER TABLE history ENABLE TRIGGER history_append_only');
  await sql.query('COMMIT');
  const { rows } = await sql.query('SELECT record FROM history WHERE root_id = $1', [shipment.id]);
  expect(rows).toHaveLength(2);
  expect(JSON.stringify(rows)).not.toMatch(/\bada\b/i);
  expect((await api.get(`/v1/shipments/${shipment.id}/history`)).status).toBe(200);
  expect((await api.get(`/v1/agents/${agent.id}`)).body.firstName).toBe('Ada');
  await expect(sql.query('DELETE FROM history')).rejects.toThrow('history is append-only');
});

describe('a service whose role owns nothing', () => {
  let role: Client;

  beforeAll(async () => {
    const { sql } = service;
    await sql.query(`
      CREATE ROLE ${ROLE} LOGIN;
      GRANT SELECT ON migrations TO ${ROLE};
      GRANT SELECT, INSERT, UPDATE, DELETE ON moves, shipments, agents, services, idempotency_keys TO ${ROLE};
      GRANT SELECT, INSERT ON history TO ${ROLE};
      GRANT EXECUTE ON FUNCTION prepare_history(timestamptz, timestamptz) TO ${ROLE}`);
    role = new Client({ connectionString: service.databaseUrl.replace(/\/\/[^@]+@/, `//${ROLE}@`) });
    await role.connect();
  });
  afterAll(async () => {
    await role.end();
    await service.sql.query(`DROP OWNED BY ${ROLE}; DROP ROLE ${ROLE}`);
  });

  test('starts when there is nothing to migrate', async () => {
    const url = service.databaseUrl.replace(/\/\/[^@]+@/, `//${ROLE}@`);
    await (await openDatabase(readConfig({ POOL_SIZE: '2' }), url)).dataSource.destroy();
  });

  test('writes history and prepares its months', async () => {
    const { id } = await createShipment(service.api);
    await role.query('UPDATE shipments SET estimated_weight = 7 WHERE id = $1', [id]);
    const { rows } = await role.query('SELECT changed_by FROM history WHERE record_id = $1 ORDER BY position', [id]);
    expect(rows).toEqual([{ changed_by: 'anonymous' }, { changed_by: `sql:${ROLE}` }]);
    await role.query(`SELECT prepare_history('2033-01-01', '2033-02-01')`);
    expect((await role.query(`SELECT to_regclass('history_2033_02') AS name`)).rows[0]).toEqual({
      name: 'history_2033_02',
    });
  });

  test.each([
    ['ALTER TABLE history DISABLE TRIGGER history_append_only', 'must be owner'],
    ['DELETE FROM history', 'permission denied'],
    ['DROP TABLE history_default', 'must be owner'],
  ])('cannot %s', async (statement, reason) => {
    await expect(role.query(statement)).rejects.toThrow(reason);
  });
});
