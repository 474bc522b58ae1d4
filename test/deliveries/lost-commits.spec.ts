import { randomUUID } from 'node:crypto';
import type { Answer, Json } from '../support/http/api.js';
import { eventually } from '../support/races/eventually.js';
import { allNumbered } from '../support/records/events.js';
import { createMove } from '../support/records/records.js';
import { useProxiedService } from '../support/service/proxied-service.js';

/**
 * The COMMIT of every operation on webhooks gets no response. PostgreSQL reuses the ids of transactions that it lost in a crash, so the
 * service must look for what the transaction itself wrote. `WEBHOOKS=off`, so that nothing else changes deliveries.
 */
const { proxy, service } = useProxiedService({ WEBHOOKS: 'off' });

const HOOK = { url: 'https://partner.example/hook', types: ['move.created'] };
const ATTEMPTS = { attempts: 3, state: 'failed' };

interface World {
  readonly webhook: string;
  readonly delivery: string;
}

async function world(): Promise<World> {
  const { body } = await service.api.post('/v1/webhooks', HOOK);
  const move = await createMove(service.api);
  await allNumbered(service.sql);
  const { rows } = await service.sql.query<{ id: string }>(
    `INSERT INTO webhook_deliveries (webhook_id, event_number, type, record_id, state, is_next, attempts)
     SELECT $1, number, type, record_id, $2, false, $3 FROM events WHERE record_id = $4 RETURNING id`,
    [body.id, ATTEMPTS.state, ATTEMPTS.attempts, move.id],
  );
  await service.sql.query(
    'UPDATE webhook_progress SET position = (SELECT max(number) FROM events) WHERE webhook_id = $1',
    [body.id],
  );
  return { webhook: body.id, delivery: rows[0]?.id ?? '' };
}

interface Operation {
  readonly name: string;
  readonly status: number;
  send(of: World, headers: Record<string, string>): Promise<Answer<Json>>;
}

const post = (path: (of: World) => string, body?: object) => (of: World, headers: Record<string, string>) =>
  service.api.send('POST', path(of), body, headers);

const OPERATIONS: readonly Operation[] = [
  { name: 'create', status: 201, send: post(() => '/v1/webhooks', HOOK) },
  { name: 'rotateSecret', status: 200, send: post(({ webhook }) => `/v1/webhooks/${webhook}/rotateSecret`) },
  { name: 'ping', status: 202, send: post(({ webhook }) => `/v1/webhooks/${webhook}/ping`) },
  {
    name: 'redeliver',
    status: 202,
    send: post(({ webhook, delivery }) => `/v1/webhooks/${webhook}/deliveries/${delivery}/redeliver`),
  },
  { name: 'replay', status: 202, send: post(({ webhook }) => `/v1/webhooks/${webhook}/replay`, {}) },
];

/** Everything that these operations write. */
async function written(): Promise<Json> {
  const { rows } = await service.sql.query(
    `SELECT (SELECT json_agg(w ORDER BY id) FROM webhooks w) AS webhooks,
       (SELECT json_agg(s ORDER BY secret) FROM webhook_secrets s) AS secrets,
       (SELECT json_agg(d ORDER BY id) FROM webhook_deliveries d) AS deliveries`,
  );
  return rows[0];
}

/** Loses a COMMIT on its way to PostgreSQL, or the response to it; `status` replaces what PostgreSQL says about the transaction. */
function loseCommit(lose: 'before' | 'answer', status?: string): void {
  proxy.plan = (text) => {
    if (text.startsWith('COMMIT')) return { lose };
    const isStatus = text.includes('transaction_status') || text.includes('pg_xact_status');
    return isStatus && status !== undefined ? { replaceBy: `SELECT '${status}' AS status` } : undefined;
  };
}

const KEYS = { without: () => ({}), with: () => ({ 'Idempotency-Key': randomUUID() }) };

describe.each(OPERATIONS)('$name', ({ status, send }) => {
  describe.each(Object.entries(KEYS))('%s a key', (_, key) => {
    test('is not done when its COMMIT is lost and PostgreSQL has reused the transaction id', async () => {
      const of = await world();
      const before = await written();
      loseCommit('before', 'committed');
      const answer = await send(of, key());
      proxy.plan = () => undefined;
      expect([answer.status, answer.body.code]).toEqual([503, 'UNAVAILABLE']);
      expect(await written()).toEqual(before);
    });

    test('is done once when only the response to COMMIT is lost', async () => {
      const of = await world();
      const headers = key();
      loseCommit('answer');
      const answer = await send(of, headers);
      proxy.plan = () => undefined;
      expect(answer.status).toBe(status);
      const after = await written();
      if (Object.keys(headers).length > 0) {
        expect((await send(of, headers)).body).toEqual(answer.body);
        expect(await written()).toEqual(after);
      }
    });
  });
});

test('a redelivery is found although its delivery was redelivered again, and a ping although its webhook was deleted', async () => {
  const { webhook, delivery } = await world();
  const path = `/v1/webhooks/${webhook}/deliveries/${delivery}/redeliver`;
  let meanwhile: () => Promise<unknown> = () => service.api.send('POST', path);
  const onStatus = async (send: () => Promise<Answer<Json>>) => {
    let between: Promise<unknown> | undefined;
    proxy.plan = (text) => {
      if (between === undefined && text.startsWith('COMMIT')) {
        between = Promise.resolve();
        return { lose: 'answer' };
      }
      return undefined;
    };
    const [answer] = await Promise.all([
      send(),
      eventually(() => Promise.resolve(between !== undefined), 15_000, 'lost').then(() => meanwhile()),
    ]);
    return answer;
  };
  expect((await onStatus(() => service.api.send('POST', path))).status).toBe(202);
  meanwhile = () => service.sql.query('DELETE FROM webhooks WHERE id = $1', [webhook]);
  expect((await onStatus(() => service.api.send('POST', `/v1/webhooks/${webhook}/ping`))).status).toBe(202);
});
