import { LOCK_BEHIND } from '../../src/deliveries/queue-sql.js';
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
