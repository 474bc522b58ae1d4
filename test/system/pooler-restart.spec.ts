import { randomUUID } from 'node:crypto';
import { startPgBouncer, type PgBouncer } from '../support/database/pgbouncer.mjs';
import { PostgresProxy } from '../support/database/postgres-proxy.js';
import { urlOf } from '../support/database/test-database.js';
import { untilNoTransaction } from '../support/database/activity.js';
import { WRITES } from '../support/races/faulty-writes.js';
import { Stored } from '../support/races/write-witness.js';
import { startService, type TestService } from '../support/service/service.js';
import { timeoutsWithin } from '../support/service/timeouts.js';

/** Not what housekeeping writes meanwhile. */
const WRITES_RECORD = /^\s*(UPDATE|INSERT INTO|DELETE FROM) (moves|shipments|agents|services)\b/;

/** PgBouncer in transaction mode. The proxy before it only looks at the statements. */
const proxy = new PostgresProxy();
let bouncer: PgBouncer;
let service: TestService;

beforeAll(async () => {
  bouncer = await startPgBouncer(urlOf('waybill'));
  await proxy.start(bouncer.url);
  const environment = { DATABASE_POOLER: 'transaction', PREPARED_STATEMENTS: 'off', ...timeoutsWithin(20_000) };
  service = await startService(environment, (url) => proxy.urlOf(url));
});
afterAll(async () => {
  await service.stop();
  await proxy.stop();
  await bouncer.stop();
});

test.each(WRITES.map((write) => [write.name, write] as const))(
  '%s between whose batches PgBouncer is restarted has left nothing, and works when it is sent again',
  async (_, write) => {
    const record = await write.prepare(service.api);
    const before = await Stored.read(service.sql);
    let restarted: Promise<void> | undefined;
    proxy.plan = (text) => {
      if (WRITES_RECORD.test(text)) restarted ??= bouncer.restart();
      return undefined;
    };
    const requestID = randomUUID();
    const { status } = await write.send(service.api, record, { 'X-Request-ID': requestID });
    proxy.plan = () => undefined;
    expect(restarted).toBeDefined();
    await restarted;
    expect(status).toBe(503);
    await untilNoTransaction(service.sql);
    expect(await before.faultNow(service.sql, { accepted: false, requestID, eTag: undefined })).toBeUndefined();

    const { status: again, body } = await write.send(service.api, record, { 'X-Request-ID': requestID });
    expect(again).toBeLessThan(300);
    const outcome = { accepted: true, requestID, eTag: body?.eTag };
    expect(await before.faultNow(service.sql, outcome)).toBeUndefined();
  },
);
