// Not through PgBouncer: it counts statements and injects faults on the connection between service and PostgreSQL.
import { randomUUID } from 'node:crypto';
import { ImportWorker } from '../../src/imports/import-worker.js';
import { untilNoTransaction } from '../support/database/activity.js';
import type { Answer, Json } from '../support/http/api.js';
import { applied, csvOf, upload } from '../support/records/imports.js';
import { moveClock } from '../support/database/moved-clock.js';
import type { Fault } from '../support/database/postgres-proxy.js';
import { shareOf } from '../support/repository/sweeps.js';
import { useProxiedService } from '../support/service/proxied-service.js';
import { timeoutsWithin } from '../support/service/timeouts.js';

/**
 * Every statement of an upload fails or loses its connection. Whatever the answer says is true, a repetition with the same key
 * settles it, and applying the import creates exactly the shipments that the upload promised.
 */
const FAULTS: readonly (readonly [string, Fault])[] = [
  ['is cancelled', { refuse: '57014' }],
  ['cannot be serialized', { refuse: '40001' }],
  ['loses its connection before it arrives', { lose: 'before' }],
  ['loses its connection while it is under way', { lose: 'in flight' }],
  ['loses its connection before its answer', { lose: 'answer' }],
];

const ROWS = 3;

const { proxy, service } = useProxiedService({ ...timeoutsWithin(20_000), POOL_SIZE: '2' });

const fileOf = (mark: string) =>
  csvOf(
    ['shipmentType', 'customerRemarks'],
    Array.from({ length: ROWS }, () => ['NTS', mark]),
  );

/** Uploads a file, while the statement at a position goes wrong. */
async function uploadWith(mark: string, headers: object, position = 0, fault?: Fault) {
  let sent = 0;
  proxy.plan = () => (++sent === position ? fault : undefined);
  const answer = await upload(service.api, fileOf(mark), headers);
  proxy.plan = () => undefined;
  await untilNoTransaction(service.sql);
  return { answer, sent };
}

/** The imports that a request made. Their rows must all be there. */
async function importsOf(requestID: string): Promise<Json[]> {
  const { rows } = await service.sql.query(
    `SELECT i.id, i.rows AS promised, count(r.line)::int AS stored
     FROM history h JOIN imports i ON i.id = h.record_id LEFT JOIN import_rows r ON r.import_id = i.id AND r.outcome <> 'header'
     WHERE h.request_id = $1 AND h.type = 'created' GROUP BY i.id`,
    [requestID],
  );
  return rows;
}

/** Applies an import; returns how many shipments with this mark there are then. */
async function createdBy({ body }: Answer<Json>, mark: string): Promise<number> {
  const done = await applied(service.api, body);
  expect(done).toMatchObject({ state: 'applied', toCreate: 0, created: ROWS });
  const { rows } = await service.sql.query(`SELECT count(*)::int AS n FROM shipments WHERE customer_remarks = $1`, [
    mark,
  ]);
  return rows[0].n;
}

async function faultOf(keyed: boolean, position: number, fault: Fault): Promise<string | undefined> {
  const mark = randomUUID();
  const headers = { 'X-Request-ID': mark, ...(keyed && { 'Idempotency-Key': mark }) };
  const { answer } = await uploadWith(mark, headers, position, fault);
  const made = await importsOf(mark);
  const told = `${answer.status} ${answer.body.code ?? ''}`.trim();
  if (answer.status !== 201 && answer.status !== 503) return `answered ${told}`;
  if (answer.status === 503 && answer.body.code !== 'UNAVAILABLE') return `answered ${told}`;
  if ('refuse' in fault && fault.refuse === '40001' && answer.status !== 201) return `answered ${told}`;
  if (made.length !== (answer.status === 201 ? 1 : 0)) return `answered ${told}, and made ${made.length} imports`;
  if (made.some(({ promised, stored }) => promised !== ROWS || stored !== ROWS)) return JSON.stringify(made);
  const again = keyed ? await upload(service.api, fileOf(mark), headers) : answer;
  if (keyed && again.status !== 201) return `answered ${told}, and the repetition ${again.status} ${again.body.code}`;
  if (again.status !== 201) return undefined;
  if (answer.status === 201 && answer.body.id !== again.body.id) return 'the repetition made another import';
  const created = await createdBy(again, mark);
  return created === ROWS ? undefined : `answered ${told}, and ${created} of ${ROWS} shipments were created`;
}

describe.each([
  ['with an Idempotency-Key', true],
  ['without a key', false],
])('%s', (_, keyed) => {
  test('every statement of an upload may go wrong, and nothing is lost', async () => {
    const { sent } = await uploadWith('first', keyed ? { 'Idempotency-Key': randomUUID() } : {});
    expect(sent).toBeGreaterThanOrEqual(keyed ? 7 : 5);
    const found: string[] = [];
    for (let position = 1; position <= sent; position += 1) {
      for (const [name, fault] of shareOf(FAULTS, position, 2)) {
        const wrong = await faultOf(keyed, position, fault);
        if (wrong !== undefined) found.push(`statement ${position} of ${sent} ${name}: ${wrong}`);
      }
    }
    expect(found).toEqual([]);
  });

  test.each([
    ['was committed', 'answer', 1],
    ['was not committed', 'before', 0],
  ] as const)('503 OUTCOME_UNKNOWN when nobody can say whether the upload %s', async (__, lose, imports) => {
    const mark = randomUUID();
    const headers = { 'X-Request-ID': mark, ...(keyed && { 'Idempotency-Key': mark }) };
    let isLost = false;
    proxy.plan = (text) => {
      if (text.startsWith('COMMIT') && !isLost) {
        isLost = true;
        return { lose };
      }
      if (!isLost || !text.includes('transaction_status')) return undefined;
      // The service asks for 5 s.
      moveClock(5000);
      return { refuse: '57014' };
    };
    const answer = await upload(service.api, fileOf(mark), headers);
    proxy.plan = () => undefined;
    expect([answer.status, answer.body.code]).toEqual([503, 'OUTCOME_UNKNOWN']);
    await untilNoTransaction(service.sql);
    const made = await importsOf(mark);
    expect(made.map(({ promised, stored }) => [promised, stored])).toEqual(
      Array.from({ length: imports }, () => [ROWS, ROWS]),
    );
    const settled = keyed || imports === 0 ? await upload(service.api, fileOf(mark), headers) : { body: made[0] };
    expect(await createdBy(settled as Answer<Json>, mark)).toBe(ROWS);
    expect(await importsOf(mark)).toHaveLength(1);
  });
});

test('an import whose rows are gone does not become applied', async () => {
  const { answer } = await uploadWith(randomUUID(), {});
  await service.sql.query('DELETE FROM import_rows WHERE import_id = $1', [answer.body.id]);
  const path = `/v1/imports/${answer.body.id}`;
  expect((await service.api.send('POST', `${path}/apply`)).status).toBe(202);
  await service.app.get(ImportWorker).settled();
  expect((await service.api.get(path)).body).toMatchObject({ state: 'applying', toCreate: ROWS, created: 0 });
  const finish = `UPDATE imports SET state = 'applied' WHERE id = $1`;
  await expect(service.sql.query(finish, [answer.body.id])).rejects.toThrow('imports_applied_check');
});
