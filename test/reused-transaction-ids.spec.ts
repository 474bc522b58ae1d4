import { randomUUID } from 'node:crypto';
import { PostgresProxy } from './support/postgres-proxy.js';
import { createShipment } from './support/records.js';
import { startService, type TestService } from './support/service.js';
import { urlOfTemplate } from './support/write-witness.js';

/**
 * When PostgreSQL crashes, it forgets the ids of transactions that had not committed and hands them out again. So the id of a
 * lost transaction can be that of a committed one by the time the service asks what became of it.
 */

let proxy: PostgresProxy;
let service: TestService;

beforeAll(async () => {
  proxy = await PostgresProxy.start(urlOfTemplate());
  service = await startService({}, (url) => proxy.urlOf(url));
});
afterAll(async () => {
  await service.stop();
  await proxy.stop();
});
afterEach(() => {
  proxy.plan = () => undefined;
});

/** How often the service asked what became of a transaction. */
let asked = 0;

/** Loses the transaction at its COMMIT, and answers for its id as if another transaction had it now. */
function loseCommitAndReuseID(): void {
  proxy.plan = (text) => {
    if (text.startsWith('COMMIT')) return { lose: 'before' };
    if (!text.includes('transaction_status') && !text.includes('pg_xact_status')) return undefined;
    asked += 1;
    return { replaceBy: `SELECT 'committed' AS status` };
  };
}

test.each([
  ['with', { 'Idempotency-Key': randomUUID() }],
  ['without', {}],
])(
  '503 and nothing stored when the id of a lost transaction was given to another one, %s a key',
  async (_, headers) => {
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
      loseCommitAndReuseID();
      const { status, body } = await attempt();
      proxy.plan = () => undefined;
      expect([name, asked, status, body?.code]).toEqual([name, 1, 503, 'UNAVAILABLE']);
      expect((await api.get(path)).body).toEqual(shipment);
    }
    expect((await sql.query(`SELECT FROM moves WHERE order_id = 'LOST'`)).rowCount).toBe(0);
  },
);
