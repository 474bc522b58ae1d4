import { eventually } from '../support/races/eventually.js';
import { allNumbered } from '../support/records/events.js';
import { createShipment } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService();

/** The connection that numbers events, if it waits for a lock. */
const BLOCKED = `
  SELECT pid FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = 'waybill-events' AND wait_event_type = 'Lock'`;

test('numbering resumes when its connection is lost during a statement', async () => {
  const holder = await service.connect();
  await createShipment(service.api);
  await holder.query('BEGIN; LOCK TABLE events IN ACCESS EXCLUSIVE MODE');
  const isBlocked = async () => (await service.sql.query(BLOCKED)).rowCount === 1;
  await eventually(isBlocked, 30_000, 'numbering waits for the lock');
  await service.sql.query(`SELECT pg_terminate_backend(pid) FROM (${BLOCKED}) blocked`);
  await holder.query('ROLLBACK');
  await holder.end();
  await createShipment(service.api);
  await allNumbered(service.sql);
  expect((await service.api.get('/v1/events?limit=1000')).body).toHaveLength(4);
});
