import type { Client } from 'pg';
import { isBlocking, untilBlocking } from '../support/database/activity.js';
import { expectProblem } from '../support/http/problem.js';
import type { Answer, Json } from '../support/http/api.js';
import { deleted, undelete } from '../support/records/deletions.js';
import { erased, tablesWith } from '../support/records/erasing.js';
import { eventually } from '../support/races/eventually.js';
import { createAgent, createMove, createShipment } from '../support/records/records.js';
import { startApp, startService, type TestService } from '../support/service/service.js';
import { Api } from '../support/http/api.js';
import { stopWorkers } from '../support/records/events.js';
import type { App } from '../../src/app.setup.js';
import { erase } from '../../tools/erase/erase.js';
import type { Target } from '../../tools/erase/erasure.js';

let service: TestService;
/** Another replica. */
let other: Api;
let otherApp: App;
let sql: Client;

beforeAll(async () => {
  service = await startService({ POOL_SIZE: '5' });
  const { app, url } = await startApp({ WEBHOOKS: 'off', POOL_SIZE: '5' }, service.databaseUrl);
  [otherApp, other] = [app, new Api(url)];
  sql = await service.connect();
});
afterAll(async () => {
  await sql.end();
  await stopWorkers(otherApp);
  await otherApp.close();
  await service.stop();
});

/** Sends a request while another transaction does something and holds its locks, then commits. */
async function meanwhile(statements: string, send: () => Promise<Answer<Json>>): Promise<Answer<Json>> {
  await sql.query('BEGIN');
  await sql.query(statements);
  const answer = send();
  await untilBlocking(sql);
  await sql.query('COMMIT');
  return answer;
}

test('two replicas: one restores it, and the other one says so', async () => {
  for (let round = 0; round < 5; round += 1) {
    const shipment = await createShipment(service.api);
    await createAgent(service.api, {}, shipment);
    const path = `/v1/shipments/${shipment.id}`;
    const { deletionETag } = await deleted(service.api, path);
    const answers = await Promise.all(
      [service.api, other, service.api, other].map((api) => undelete(api, path, deletionETag)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    const body = answers.find(({ status }) => status === 200)?.body;
    for (const answer of answers.filter(({ status }) => status === 409)) {
      expect(expectProblem(answer, 409, 'NOT_DELETED')).toMatchObject({
        currentETag: body.eTag,
        restoredAt: body.updatedAt,
      });
    }
    const { rows } = await service.sql.query(
      `SELECT record_kind, count(*)::int FROM history WHERE root_id = $1 AND type = 'restored' GROUP BY 1 ORDER BY 1`,
      [shipment.id],
    );
    expect(rows).toEqual([
      { record_kind: 'agent', count: 1 },
      { record_kind: 'shipment', count: 1 },
    ]);
  }
});

test('the creation of an agent of the same type: 409 for whoever comes second', async () => {
  const shipment = await createShipment(service.api);
  const agent = await createAgent(service.api, {}, shipment);
  const path = `/v1/agents/${agent.id}`;
  const { deletionETag } = await deleted(service.api, path);
  const answer = await meanwhile(
    `INSERT INTO agents (id, shipment_id, agent_type, first_name, phone)
     VALUES (gen_random_uuid(), '${shipment.id}', '${agent.agentType}', 'Bo', '1')`,
    () => undelete(service.api, path, deletionETag),
  );
  expectProblem(answer, 409, 'DUPLICATE');
});

test('the deletion of the move: the shipment names the path that restores the move', async () => {
  const shipment = await createShipment(service.api);
  const path = `/v1/shipments/${shipment.id}`;
  const { deletionETag } = await deleted(service.api, path);
  const answer = await meanwhile(`DELETE FROM moves WHERE id = '${shipment.moveID}'`, () =>
    undelete(service.api, path, deletionETag),
  );
  expect(expectProblem(answer, 409, 'PARENT_DELETED')).toMatchObject({
    restorePath: `/v1/moves/${shipment.moveID}/undelete`,
  });
});

test('the deletion of the move waits for the restoration of its shipment, and is refused', async () => {
  const shipment = await createShipment(service.api);
  const path = `/v1/shipments/${shipment.id}`;
  const { deletedAt } = await deleted(service.api, path);
  const answer = await meanwhile(
    `SELECT set_config('waybill.author', 'one somebody', true);
     INSERT INTO undeletions (record_kind, record_id, deleted_at) VALUES ('shipment', '${shipment.id}', '${deletedAt}')`,
    () => other.delete(`/v1/moves/${shipment.moveID}`),
  );
  expectProblem(answer, 409, 'IN_USE');
});

test('an erasure: the restoration waits for it and finds the values erased', async () => {
  const shipment = await createShipment(service.api);
  const path = `/v1/shipments/${shipment.id}`;
  const { deletionETag } = await deleted(service.api, path);
  const answer = await meanwhile(
    `SELECT lock_deletions('${shipment.id}');
     UPDATE deletions SET record = NULL, erased = true WHERE record_id = '${shipment.id}'`,
    () => undelete(service.api, path, deletionETag),
  );
  expectProblem(answer, 410, 'ERASED');
});

test('an erasure waits for a restoration, keeps what exists by then, and says so', async () => {
  const shipment = await createShipment(service.api);
  const path = `/v1/shipments/${shipment.id}`;
  const { deletedAt } = await deleted(service.api, path);
  await sql.query(
    `BEGIN; SELECT set_config('waybill.author', 'one somebody', true);
     INSERT INTO undeletions (record_kind, record_id, deleted_at) VALUES ('shipment', '${shipment.id}', '${deletedAt}')`,
  );
  const erasing = erased(service, { recordID: shipment.id });
  await untilBlocking(sql);
  await sql.query('COMMIT');
  expect((await erasing).said).toContain('The shipment still exists, so its current version is kept.');
  expect((await service.api.get(path)).body).toMatchObject({ id: shipment.id, shipmentType: 'HHG' });
});

/** An erasure by a client that stops before its commit number `at`. Returns whether it has that many. */
async function stoppedAt(
  at: number,
  target: Target,
  whileStopped: (eraser: Client) => Promise<void>,
): Promise<boolean> {
  const eraser = await service.connect();
  const query = eraser.query.bind(eraser) as (...words: unknown[]) => unknown;
  let commits = 0;
  jest.spyOn(eraser, 'query').mockImplementation((...words: unknown[]) => {
    const isReached = words[0] === 'COMMIT' && commits++ === at;
    return isReached ? whileStopped(eraser).then(() => query(...words)) : query(...words);
  });
  // All entries are examined for those of an author.
  const batchSize = 'recordID' in target ? 1 : 1000;
  await erase(eraser, { target, batchSize, dryRun: false, say: () => undefined });
  await eraser.end();
  return commits > at;
}

describe('each batch of an erasure', () => {
  interface Family {
    readonly shipment: Json;
    readonly agent: Json;
    readonly author: string;
  }

  test.each<[string, string, (family: Family) => Target]>([
    ['of the shipment', 'ERASED', ({ shipment }) => ({ recordID: shipment.id })],
    ['of an agent', 'restored with 0 agents', ({ agent }) => ({ recordID: agent.id })],
    ['of the author of the deletion', 'restored with 1 agents', ({ author }) => ({ name: author })],
  ])('%s: %s', async (_, outcome, targetOf) => {
    let isStopped = true;
    for (let at = 0; isStopped; at += 1) {
      // No other author of the table begins with it.
      const author = `Author ${at} of ${outcome}`;
      const byAuthor = service.api.as({ 'X-Display-Name': author });
      const shipment = await createShipment(byAuthor);
      const agent = await createAgent(byAuthor, {}, shipment);
      const path = `/v1/shipments/${shipment.id}`;
      const { deletionETag } = await deleted(byAuthor, path);
      const target = targetOf({ shipment, agent, author });
      let answering: Promise<Answer<Json>> | undefined;
      isStopped = await stoppedAt(at, target, async (eraser) => {
        let isAnswered = false;
        answering = undelete(other, path, deletionETag).finally(() => (isAnswered = true));
        await eventually(async () => isAnswered || (await isBlocking(eraser)), 30_000, 'it waits or is answered');
      });
      if (answering !== undefined) expect(await outcomeOf(await answering)).toBe(outcome);
      if ('name' in target) expect(await tablesWith(service.sql, author)).toEqual([]);
    }
  });

  async function outcomeOf({ status, body }: Answer<Json>): Promise<string> {
    if (status !== 200) return body.code;
    const agents = await service.api.get(`/v1/shipments/${body.id}/agents`);
    return `restored with ${agents.body.length} agents`;
  }
});

test('a move cannot get the code of one that is being deleted', async () => {
  const { id, moveCode } = await createMove(service.api);
  await sql.query('BEGIN');
  await sql.query('DELETE FROM moves WHERE id = $1', [id]);
  const creating = service.sql
    .query(`INSERT INTO moves (id, move_code) VALUES (gen_random_uuid(), $1)`, [moveCode])
    .then(
      () => 'created',
      (error: unknown) => (error as { constraint?: string }).constraint,
    );
  await untilBlocking(sql);
  await sql.query('COMMIT');
  expect(await creating).toBe('moves_move_code_key');
});
