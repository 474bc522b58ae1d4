import { expectProblem } from '../support/http/problem.js';
import { createMove } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService({ POOL_SIZE: '2' });

/** Lets the next writes of moves fail with a SQLSTATE, so many times, at the statement or at the commit. */
async function failNext(times: number, state: string, when: 'statement' | 'commit'): Promise<void> {
  await service.sql.query(`
    DROP TRIGGER IF EXISTS fails ON moves;
    DROP SEQUENCE IF EXISTS failures CASCADE;
    CREATE SEQUENCE failures;
    CREATE OR REPLACE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      -- A sequence counts also what is rolled back.
      IF nextval('failures') <= ${times} THEN RAISE 'given up' USING ERRCODE = '${state}'; END IF;
      RETURN NEW;
    END $$;
    CREATE CONSTRAINT TRIGGER fails AFTER INSERT OR UPDATE ON moves
      DEFERRABLE INITIALLY ${when === 'commit' ? 'DEFERRED' : 'IMMEDIATE'} FOR EACH ROW EXECUTE FUNCTION fail()`);
}

afterEach(() => service.sql.query('DROP TRIGGER IF EXISTS fails ON moves'));

describe.each([
  ['a deadlock', '40P01'],
  ['a serialization failure', '40001'],
])('%s', (_, state) => {
  describe.each(['statement', 'commit'] as const)('at the %s', (when) => {
    test('200 once, with one new version, when it passes within three retries', async () => {
      const { id, eTag } = await createMove(service.api);
      await failNext(3, state, when);
      const changed = await service.api.patch(`/v1/moves/${id}`, eTag, { remarks: 'kept' });
      expect(changed).toMatchObject({ status: 200, body: { remarks: 'kept' } });
      const { body: entries } = await service.api.get(`/v1/moves/${id}/history`);
      expect(entries).toHaveLength(2);
    });

    test('201 with one new record when it passes within three retries', async () => {
      await failNext(2, state, when);
      const orderID = `${state} ${when}`;
      expect((await service.api.post('/v1/moves', { orderID })).status).toBe(201);
      expect((await service.api.get(`/v1/moves?orderID=${encodeURIComponent(orderID)}`)).body).toHaveLength(1);
    });

    test('503 with Retry-After, and nothing written, after three retries', async () => {
      const move = await createMove(service.api);
      await failNext(100, state, when);
      const answer = await service.api.patch(`/v1/moves/${move.id}`, move.eTag, { remarks: 'lost' });
      expectProblem(answer, 503, 'UNAVAILABLE');
      expect(answer.headers.get('Retry-After')).toBe('1');
      const tries = await service.sql.query<{ last_value: string }>('SELECT last_value FROM failures');
      expect(tries.rows).toEqual([{ last_value: '4' }]);
      expect((await service.api.get(`/v1/moves/${move.id}`)).body).toEqual(move);
    });
  });
});
