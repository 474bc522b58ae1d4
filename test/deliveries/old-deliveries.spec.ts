import { Housekeeping } from '../../src/operations/housekeeping.js';
import { useService } from '../support/service/service.js';

const service = useService({ WEBHOOKS: 'off' });

async function webhook(): Promise<string> {
  const { body } = await service.api.post('/v1/webhooks', { url: 'https://partner.example/hook' });
  return body.id as string;
}

test('pending deliveries are kept at any age while their webhook exists, and others for 30 days', async () => {
  const { sql } = service;
  const [kept, deleted] = [await webhook(), await webhook()];
  await sql.query(
    `INSERT INTO webhook_deliveries (webhook_id, type, record_id, is_next, state, created_at)
     SELECT webhook, 'move.created', gen_random_uuid(), true, state, now() - days * interval '1 day'
     FROM unnest($1::uuid[]) webhook, unnest('{pending,delivered,failed}'::text[]) state, unnest('{29,31,400}'::int[]) days`,
    [[kept, deleted]],
  );
  await service.api.delete(`/v1/webhooks/${deleted}`);
  await service.app.get(Housekeeping).tidy();
  const { rows } = await sql.query<{ webhook: string; state: string; days: number }>(
    `SELECT webhook_id AS webhook, state, extract(day FROM now() - created_at)::int AS days FROM webhook_deliveries ORDER BY state, days`,
  );
  const left = (id: string) => rows.filter((row) => row.webhook === id).map(({ state, days }) => `${state} ${days}`);
  expect(left(kept)).toEqual(['delivered 29', 'failed 29', 'pending 29', 'pending 31', 'pending 400']);
  expect(left(deleted)).toEqual(['delivered 29', 'failed 29']);
});
