import { Database } from '../../src/database/database.js';
import { poolOf } from '../../src/database/internals/typeorm-data-source.js';
import { createMove } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService();

/** The columns of statements that are prepared on every connection. */
const CHANGES = [
  'ALTER TABLE moves ALTER COLUMN remarks TYPE varchar(3000)',
  'ALTER TABLE moves ADD COLUMN later text',
  'ALTER TABLE moves ALTER COLUMN remarks TYPE text, DROP COLUMN later',
];

test('after a migration has changed a column, each request has its answer or 503, and all work soon', async () => {
  const { id } = await createMove(service.api, { remarks: 'as it was' });
  const path = `/v1/moves/${id}`;
  const requests = () => [
    ...Array.from({ length: 20 }, () => service.api.get(path)),
    ...Array.from({ length: 10 }, () => service.api.get('/v1/moves?limit=1')),
    ...Array.from({ length: 5 }, () => service.api.patch(path, '*', { orderID: 'A-1' })),
  ];
  await Promise.all(requests());
  for (const change of CHANGES) {
    await service.sql.query(change);
    for (const { status, body } of await Promise.all(requests())) {
      expect([200, 503]).toContain(status);
      if (status === 200) expect([body].flat()[0]).toMatchObject({ id, remarks: 'as it was' });
    }
    for (const request of requests()) await request;
    for (const { status } of await Promise.all(requests())) expect(status).toBe(200);
  }
});

test.each(['DEALLOCATE ALL', 'DISCARD ALL'])(
  'after %s, as a pooler may send it between two transactions, writes are retried and reads work soon',
  async (forget) => {
    const { id } = await createMove(service.api, { remarks: 'as it was' });
    const path = `/v1/moves/${id}`;
    const write = () => service.api.patch(path, '*', { orderID: 'A-1' });
    const read = () => service.api.get(path);
    const pool = poolOf(service.app.get(Database).dataSource);
    for (const request of [write, write, read, read]) expect((await request()).status).toBe(200);
    await pool.query(forget);
    expect((await write()).status).toBe(200);
    expect((await write()).status).toBe(200);
    await read();
    await pool.query(forget);
    expect([200, 503]).toContain((await read()).status);
    expect((await read()).status).toBe(200);
  },
);
