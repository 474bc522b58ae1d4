// Not through PgBouncer: it counts statements and injects faults on the connection between service and PostgreSQL.
import type { Fault } from '../support/database/postgres-proxy.js';
import { createShipment } from '../support/records/records.js';
import { repetitions } from '../support/repository/sweeps.js';
import { useProxiedService } from '../support/service/proxied-service.js';

const WRITERS = 8;
const WRITES_EACH = 20;
/** One of so many statements goes wrong. */
const FAULT_EVERY = 12;

const FAULTS: readonly Fault[] = [
  { refuse: '57014' },
  { refuse: '40001' },
  { refuse: '53100' },
  { lose: 'before' },
  { lose: 'in flight' },
  { lose: 'answer' },
];

/** Answers as BEGIN does, and begins nothing. */
const NO_BEGIN = 'SELECT pg_current_xact_id()::text AS id';

interface Entry {
  readonly eTag: string;
  readonly requestID: string | null;
  readonly changedBy: string;
}

interface Success {
  readonly requestID: string;
  readonly spent: string;
  readonly gained: string;
}

const { proxy, service } = useProxiedService({ POOL_SIZE: '6' });

async function historyOf(id: string): Promise<Entry[]> {
  const { rows } = await service.sql.query<Entry>(
    `SELECT encode(e_tag, 'hex') AS "eTag", request_id AS "requestID", changed_by AS "changedBy"
     FROM history WHERE record_id = $1 ORDER BY position`,
    [id],
  );
  return rows;
}

/** Pseudo-random numbers below a bound, the same for the same seed. */
function numbers(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

test.each([1, 2, 3].slice(0, repetitions(3, 1)))(
  'every acknowledged write is one link of one chain while transactions fail (seed %i)',
  async (seed) => {
    const random = numbers(seed);
    const { id, eTag } = await createShipment(service.api);
    const path = `/v1/shipments/${id}`;
    const successes: Success[] = [];
    const unknown = new Set<string>();
    const statuses = new Map<number, number>();
    let faults = 0;
    proxy.plan = () => {
      if (random(FAULT_EVERY) > 0) return undefined;
      faults += 1;
      return FAULTS[random(FAULTS.length)];
    };
    const write = async (writer: number) => {
      let known = eTag as string;
      for (let turn = 0; turn < WRITES_EACH; turn += 1) {
        const requestID = `${seed}-${writer}-${turn}`;
        const answer = await service.api.patch(
          path,
          known,
          { customerRemarks: requestID },
          { 'X-Request-ID': requestID },
        );
        const { status, body } = answer;
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (status === 200) successes.push({ requestID, spent: known, gained: body.eTag });
        if (body.code === 'OUTCOME_UNKNOWN') unknown.add(requestID);
        known = body.eTag ?? body.currentETag ?? known;
      }
    };
    await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
    proxy.plan = () => undefined;

    const entries = (await historyOf(id)).slice(1);
    const previous = [eTag as string, ...entries.map((entry) => entry.eTag)];
    expect([...statuses.keys()].filter((status) => ![200, 412, 503].includes(status))).toEqual([]);
    expect(entries.filter(({ changedBy, requestID }) => changedBy !== 'anonymous' || requestID === null)).toEqual([]);
    const found = new Map(
      entries.map((entry, index) => [entry.requestID, { gained: entry.eTag, spent: previous[index] }]),
    );
    expect(found.size).toBe(entries.length);
    for (const { requestID, spent, gained } of successes) expect(found.get(requestID)).toEqual({ spent, gained });
    const acknowledged = new Set(successes.map(({ requestID }) => requestID));
    const unacknowledged = entries.filter(({ requestID }) => !acknowledged.has(requestID ?? ''));
    expect(unacknowledged.filter(({ requestID }) => !unknown.has(requestID ?? ''))).toEqual([]);
    expect((await service.api.get(path)).body.eTag).toBe(previous.at(-1));
    // The race was one, for all writers began with the same eTag, and the faults were some.
    expect(statuses.get(412)).toBeGreaterThanOrEqual(WRITERS - 1);
    expect(successes.length).toBeGreaterThan(WRITERS);
    expect(faults).toBeGreaterThan(WRITERS);
  },
);

test('no eTag is spent twice even when no transaction ever begins', async () => {
  const { id, eTag } = await createShipment(service.api);
  proxy.plan = (text) => (text.startsWith('BEGIN') ? { replaceBy: NO_BEGIN } : undefined);
  const attempts = Array.from({ length: 6 }, (_, writer) =>
    service.api.patch(`/v1/shipments/${id}`, eTag, { customerRemarks: String(writer) }),
  );
  const statuses = (await Promise.all(attempts)).map(({ status }) => status);
  proxy.plan = () => undefined;
  const accepted = statuses.filter((status) => status === 200).length;
  expect(accepted).toBeLessThanOrEqual(1);
  expect(await historyOf(id)).toHaveLength(1 + accepted);
});
