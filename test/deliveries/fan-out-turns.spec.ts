import { LOCK_BEHIND, LOOK } from '../../src/deliveries/queue-sql.js';
import { createMove } from '../support/records/records.js';
import { allNumbered } from '../support/records/events.js';
import { useService } from '../support/service/service.js';

const service = useService({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' });

test('the one webhook of a creator is among the next, whichever of the many of another one are', async () => {
  const ids: string[] = [];
  for (let made = 0; made < 61; made += 1) {
    const { body } = await service.api.post('/v1/webhooks', { url: 'http://127.0.0.1:9/', types: ['move.created'] });
    ids.push(body.id);
  }
  await service.sql.query(`UPDATE webhook_progress SET creator = 'another' WHERE webhook_id = $1`, [ids[30]]);
  await createMove(service.api);
  await allNumbered(service.sql);
  for (let turn = 0; turn < 20; turn += 1) {
    const { rows } = await service.sql.query<{ id: string }>(LOCK_BEHIND.text);
    expect(rows.length).toBeLessThan(ids.length);
    expect(rows.map(({ id }) => id)).toContain(ids[30]);
  }
});

test('a webhook gets no further deliveries while 200 are due', async () => {
  const { api, sql } = service;
  await sql.query('DELETE FROM webhooks');
  const { body } = await api.post('/v1/webhooks', { url: 'http://127.0.0.1:9/', types: ['move.created'] });
  await createMove(api);
  await allNumbered(sql);
  const due = (count: number) =>
    sql.query(
      `INSERT INTO webhook_deliveries (webhook_id, type, record_id, is_next)
       SELECT $1, 'move.created', gen_random_uuid(), true FROM generate_series(1, $2::int)`,
      [body.id, count],
    );
  const behind = async () => [
    (await sql.query<{ isBehind: boolean }>(LOOK.text)).rows[0]?.isBehind,
    (await sql.query(LOCK_BEHIND.text)).rowCount,
  ];
  await due(199);
  expect(await behind()).toEqual([true, 1]);
  await due(1);
  expect(await behind()).toEqual([false, 0]);
});
