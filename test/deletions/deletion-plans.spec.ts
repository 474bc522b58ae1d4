import { deletionOf } from '../support/records/deletions.js';
import { createAgent, createService, createShipment } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

/** Plans that a connection makes while few records are deleted, and uses when there are many. */
const service = useService();

/** How often a write reads the whole table. */
async function fullScansOf(write: string, values: readonly unknown[]): Promise<number> {
  const { sql } = service;
  await sql.query(`BEGIN; SET LOCAL plan_cache_mode = force_generic_plan; SET LOCAL waybill.author = 'request me'`);
  await sql.query(write, [...values]);
  const { rows } = await sql.query<{ scans: string }>(
    `SELECT seq_scan AS scans FROM pg_stat_xact_user_tables WHERE relname = 'deletions'`,
  );
  await sql.query('COMMIT');
  return Number(rows[0]?.scans);
}

test('deletions are looked up by index, also if there was none at the time of the plan', async () => {
  const { id } = await createShipment(service.api);
  await createAgent(service.api, {}, { id });
  await createService(service.api, {}, { id });
  await service.sql.query('VACUUM ANALYZE deletions');
  expect(await fullScansOf('DELETE FROM shipments WHERE id = $1', [id])).toBe(0);

  const { resource, deletedAt } = await deletionOf(service.api, `/v1/shipments/${id}`);
  await service.sql.query('VACUUM ANALYZE deletions');
  const restore = 'INSERT INTO undeletions (record_kind, record_id, deleted_at) VALUES ($1, $2, $3)';
  expect(await fullScansOf(restore, [resource, id, deletedAt])).toBe(0);
  expect((await service.api.get(`/v1/shipments/${id}/agents`)).body).toHaveLength(1);
});
