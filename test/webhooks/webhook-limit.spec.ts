import { untilBlocked } from '../support/database/activity.js';
import { expectProblem } from '../support/http/problem.js';
import { useService } from '../support/service/service.js';

const LIMIT = 3;
const AT_ONCE = 5;

const service = useService({ WEBHOOKS_PER_CALLER: String(LIMIT), POOL_SIZE: String(AT_ONCE) });

const create = () => service.api.post('/v1/webhooks', { url: 'https://partner.example/hook' });

test('409 beyond the limit of webhooks, also for creations at the same time; a deleted one makes room', async () => {
  const { sql } = service;
  // Reads pass, and nothing can be added: without a lock of their own, all of them would now count none.
  await sql.query('BEGIN; LOCK TABLE webhook_progress IN SHARE MODE');
  const creations = Array.from({ length: AT_ONCE }, create);
  await untilBlocked(sql, AT_ONCE);
  await sql.query('COMMIT');
  const answers = await Promise.all(creations);
  const created = answers.filter(({ status }) => status === 201);
  expect(created).toHaveLength(LIMIT);
  for (const answer of answers) if (answer.status !== 201) expectProblem(answer, 409, 'LIMIT_REACHED');
  await service.api.delete(`/v1/webhooks/${created[0]?.body.id}`);
  expect((await create()).status).toBe(201);
  expectProblem(await create(), 409, 'LIMIT_REACHED');
});
