import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { PostgresProxy } from '../support/database/postgres-proxy.js';
import { connect, createTestDatabase, urlOf, type TestDatabase } from '../support/database/test-database.js';
import { deleted, undelete } from '../support/records/deletions.js';
import { createAgent, createService, createShipment } from '../support/records/records.js';
import { Replica } from '../support/service/replica.js';

/** kill -9 at each statement of a restoration: the reread finds the shipment with its three children, or none of them. */

const proxy = new PostgresProxy();
let database: TestDatabase;
let sql: Client;
let replica: Replica;

beforeAll(async () => {
  database = await createTestDatabase();
  sql = await connect(database.url);
  await proxy.start(urlOf('waybill'));
  replica = await Replica.start({ DATABASE_URL: proxy.urlOf(database.url), WEBHOOKS: 'off' });
});
afterAll(async () => {
  await replica.stop();
  await proxy.stop();
  await sql.end();
  await database.drop();
});

async function livingOf(ids: readonly string[]): Promise<number> {
  // A lost backend ends its transaction before another one can lock what it held.
  await sql.query('BEGIN; LOCK TABLE shipments, agents, services IN SHARE MODE; COMMIT');
  const { rows } = await sql.query<{ count: number }>(
    `SELECT count(*)::int FROM (SELECT id FROM shipments UNION ALL SELECT id FROM agents UNION ALL SELECT id FROM services) r
     WHERE id = ANY ($1)`,
    [ids],
  );
  return rows[0]?.count ?? -1;
}

test('all of them or none, and a repetition with the same key restores them once', async () => {
  const outcomes: number[] = [];
  for (let position = 1, isBehindEnd = false; !isBehindEnd; position += 1) {
    const shipment = await createShipment(replica.api);
    const children = [
      await createAgent(replica.api, {}, shipment),
      await createAgent(replica.api, { agentType: 'RECEIVING_AGENT' }, shipment),
      await createService(replica.api, {}, shipment),
    ];
    const ids = [shipment, ...children].map(({ id }) => id);
    const path = `/v1/shipments/${shipment.id}`;
    const { deletionETag } = await deleted(replica.api, path);
    const key = { 'Idempotency-Key': `"${randomUUID()}"` };
    let sent = 0;
    proxy.plan = () => {
      sent += 1;
      if (sent === position) replica.signal('SIGKILL');
      return undefined;
    };
    const answer = await undelete(replica.api, path, deletionETag, key).catch(() => undefined);
    proxy.plan = () => undefined;
    isBehindEnd = sent < position;
    if (!isBehindEnd) {
      await replica.kill();
      outcomes.push(await livingOf(ids));
      await replica.startAgain();
    } else expect(answer?.status).toBe(200);
    expect((await undelete(replica.api, path, deletionETag, key)).status).toBe(200);
    expect(await livingOf(ids)).toBe(4);
    const { rowCount } = await sql.query(`SELECT FROM history WHERE record_id = ANY ($1) AND type = 'restored'`, [ids]);
    expect(rowCount).toBe(4);
  }
  expect(outcomes.length).toBeGreaterThan(6);
  expect(outcomes.filter((living) => living !== 0 && living !== 4)).toEqual([]);
}, 600_000);
