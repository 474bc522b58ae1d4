import { Client } from 'pg';
import { eventually } from '../support/races/eventually.js';
import { PostgresServer } from '../support/database/postgres-server.js';
import { Replica } from '../support/service/replica.js';
import { Api, type Answer, type Json } from '../support/http/api.js';

const PATIENCE_MS = 60_000;

let server: PostgresServer;
let replica: Replica;
let api: Api;

beforeAll(async () => {
  server = await PostgresServer.start();
  replica = await Replica.start({ DATABASE_URL: server.url, REQUEST_DEADLINE_MS: '30000', DRAIN_DELAY_MS: '0' });
  // The document shows 503 as UNAVAILABLE.
  api = Api.beyondTheDocument(replica.url);
});
afterAll(async () => {
  await replica.stop();
  await server.remove();
});

/** With a synchronous standby that is not there, no commit is answered. */
async function requireStandby(name: string): Promise<void> {
  await server.sql(`ALTER SYSTEM SET synchronous_standby_names = '${name}'`);
  await server.sql('SELECT pg_reload_conf()');
}

const waitingAs = (name: string) =>
  `FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND application_name = '${name}'`;
const WAITING = waitingAs('waybill');

/** PostgreSQL takes a new setting over after it has said so. Until then, a commit does not wait. */
async function untilCommitsWait(): Promise<void> {
  const probe = new Client({ connectionString: server.url, application_name: 'probe' });
  await probe.connect();
  await eventually(() => commitWaits(probe), PATIENCE_MS, 'commits wait');
  await probe.end();
}

/** Whether a commit waits for a standby. One that does is cancelled. */
async function commitWaits(probe: Client): Promise<boolean> {
  let isDone = false;
  const commit = probe.query(`SELECT pg_logical_emit_message(true, 'probe', '')`).then(() => (isDone = true));
  const cancelled: unknown[] = [];
  const isDecided = async () => {
    cancelled.push(...(await server.sql(`SELECT pg_cancel_backend(pid) ${waitingAs('probe')}`)));
    return isDone || cancelled.length > 0;
  };
  await eventually(isDecided, PATIENCE_MS, 'the commit is done, or waits');
  await commit;
  return cancelled.length > 0;
}

interface HangingWrite {
  readonly answer: Promise<Answer<Json>>;
  /** Whether the change can be read in the database, whatever the client was told. */
  isThere(): Promise<boolean>;
}

/** A change whose COMMIT is on the primary's disk and waits for a standby. */
async function hangingWrite(
  headers: Record<string, string> = {},
): Promise<HangingWrite & { repeat(): HangingWrite['answer'] }> {
  const { body } = await api.post('/v1/shipments', { shipmentType: 'HHG' });
  await requireStandby('nobody');
  await untilCommitsWait();
  const repeat = () => api.patch(`/v1/shipments/${body.id}`, body.eTag, { customerRemarks: 'Ring twice' }, headers);
  const answer = repeat();
  const hangs = async () => (await server.sql(`SELECT pid ${WAITING}`)).length === 1;
  await eventually(hangs, PATIENCE_MS, 'COMMIT waits for the standby');
  const isThere = async () => {
    const text = `SELECT FROM shipments WHERE id = $1 AND customer_remarks = 'Ring twice'`;
    return (await server.sql(text, [body.id])).length === 1;
  };
  return { answer, repeat, isThere };
}

afterEach(() => requireStandby(''));

const CANCEL = `SELECT pg_cancel_backend(pid) ${WAITING}`;

test('OUTCOME_UNKNOWN, not success, when the wait for a standby is cancelled', async () => {
  const { answer, isThere } = await hangingWrite();
  await server.sql(CANCEL);
  const { status, body } = await answer;
  expect([status, body.code]).toEqual([503, 'OUTCOME_UNKNOWN']);
  expect(await isThere()).toBe(true);
});

test('success after all when a standby takes the change soon after the wait was cancelled', async () => {
  const { answer } = await hangingWrite();
  await server.sql(CANCEL);
  await eventually(
    async () => (await server.sql(`SELECT ${WAITING}`)).length > 0,
    PATIENCE_MS,
    'the service waits until the change is safe',
  );
  await requireStandby('');
  expect((await answer).status).toBe(200);
});

test('OUTCOME_UNKNOWN when PostgreSQL restarts after a crash with a commit that no standby has', async () => {
  const { answer, isThere } = await hangingWrite();
  await server.kill();
  await server.startAgain();
  const { status, body } = await answer;
  expect([status, body.code]).toEqual([503, 'OUTCOME_UNKNOWN']);
  expect(await isThere()).toBe(true);
});

test('a repeated request with the same key gets no success either before a standby has the change', async () => {
  const { answer, repeat } = await hangingWrite({ 'Idempotency-Key': 'remark-1' });
  await server.kill();
  await server.startAgain();
  expect((await answer).body.code).toBe('OUTCOME_UNKNOWN');
  const repeated = repeat();
  const hangs = async () => (await server.sql(`SELECT ${WAITING}`)).length > 0;
  await eventually(hangs, PATIENCE_MS, 'the repetition waits for the standby');
  await requireStandby('');
  const { status, headers } = await repeated;
  expect([status, headers.get('Idempotency-Replayed')]).toEqual([200, 'true']);
});
