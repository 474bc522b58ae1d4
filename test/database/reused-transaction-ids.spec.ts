// Not through PgBouncer: it counts statements and injects faults on the connection between service and PostgreSQL.
import { randomUUID } from 'node:crypto';
import { createShipment } from '../support/records/records.js';
import { useProxiedService } from '../support/service/proxied-service.js';

/**
 * When PostgreSQL crashes, it forgets the ids of transactions that had not committed and hands them out again. So the id of a
 * lost transaction can be that of a committed one by the time the service asks what became of it.
 */

const { proxy, service } = useProxiedService();

/** How often the service asked what became of a transaction. */
let asked = 0;

/** PostgreSQL's statuses for the id after a crash: it belongs to another transaction now, or is not assigned yet. */
const AFTER_A_CRASH = {
  'was given to another one': `SELECT 'committed' AS status`,
  'has not been given to any yet': `SELECT pg_xact_status('9000000000000000000'::xid8) AS status`,
};

/** Loses the transaction at its COMMIT, and has this asked instead of what became of it. */
function loseCommit(instead: string): void {
  proxy.plan = (text) => {
    if (text.startsWith('COMMIT')) return { lose: 'before' };
    if (!text.includes('transaction_status') && !text.includes('pg_xact_status')) return undefined;
    asked += 1;
    return { replaceBy: instead };
  };
}

test('503 when an earlier transaction of the same request changed the record, and the id of the lost one is taken', async () => {
  const { api } = service;
  const headers = { 'X-Request-ID': randomUUID() };
  const { id, eTag } = await createShipment(api);
  const { body: first } = await api.patch(`/v1/shipments/${id}`, eTag, { actualWeight: 7 }, headers);
  loseCommit(`SELECT 'committed' AS status`);
  const { status, body } = await api.patch(`/v1/shipments/${id}`, first.eTag, { actualWeight: 8 }, headers);
  proxy.plan = () => undefined;
  expect([status, body.code]).toEqual([503, 'UNAVAILABLE']);
  expect((await api.get(`/v1/shipments/${id}`)).body).toEqual(first);
});

test.each(
  Object.entries(AFTER_A_CRASH).flatMap(([what, instead]) => [
    [what, 'with', instead, { 'Idempotency-Key': randomUUID() }] as const,
    [what, 'without', instead, {}] as const,
  ]),
)('503 and nothing stored when the id of a lost transaction %s, %s a key', async (_, __, instead, headers) => {
  const { api, sql } = service;
  const shipment = await createShipment(api);
  const path = `/v1/shipments/${shipment.id}`;
  const attempts = {
    PATCH: () => api.patch(path, shipment.eTag, { actualWeight: 7 }, headers),
    DELETE: () => api.delete(path, { 'If-Match': shipment.eTag, ...headers }),
    POST: () => api.post('/v1/moves', { orderID: 'LOST' }, headers),
  };
  for (const [name, attempt] of Object.entries(attempts)) {
    asked = 0;
    loseCommit(instead);
    const { status, body } = await attempt();
    proxy.plan = () => undefined;
    expect([name, asked, status, body?.code]).toEqual([name, 1, 503, 'UNAVAILABLE']);
    expect((await api.get(path)).body).toEqual(shipment);
  }
  expect((await sql.query(`SELECT FROM moves WHERE order_id = 'LOST'`)).rowCount).toBe(0);
});
