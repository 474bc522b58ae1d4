import { randomInt } from 'node:crypto';
import { WaybillClient } from '../../client/src/waybill.js';
import type { App } from '../../src/app.setup.js';
import { seeded } from '../../tools/campaigns/crash/random.js';
import { untilNoTransaction } from '../support/database/activity.js';
import type { Fault } from '../support/database/postgres-proxy.js';
import { Api } from '../support/http/api.js';
import { eventually } from '../support/races/eventually.js';
import { Choices, Known, UndeleteClient } from '../support/races/undelete-client.js';
import { contradictions } from '../support/races/undelete-history.js';
import { allIndexed, stopWorkers } from '../support/records/events.js';
import { repetitions } from '../support/repository/sweeps.js';
import { useProxiedService } from '../support/service/proxied-service.js';
import { startApp } from '../support/service/service.js';
import { timeoutsWithin } from '../support/service/timeouts.js';

/*
 * Concurrent clients of two replicas create, change, delete and restore the same few records, while statements fail, records are erased and
 * deletions archived. Afterwards records, deletions, history, feed, search and a mirror must agree, and every answer must be true.
 *
 * TEST_SEED repeats the choices of a run that failed; how its requests interleave, it cannot repeat.
 */

const SEED = Number(process.env.TEST_SEED ?? randomInt(2 ** 31));
const CLIENTS = 6;
const FAULTS: readonly Fault[] = [
  { refuse: '40001' },
  { refuse: '57014' },
  { lose: 'before' },
  { lose: 'in flight' },
  { lose: 'answer' },
];

const proxied = useProxiedService({ ...timeoutsWithin(20_000), POOL_SIZE: '6' });
const { proxy, service } = proxied;
let otherApp: App;
let other: Api;
let otherUrl: string;

beforeAll(async () => {
  const { app, url } = await startApp(
    { WEBHOOKS: 'off', POOL_SIZE: '6', ...timeoutsWithin(20_000) },
    service.databaseUrl,
  );
  [otherApp, otherUrl, other] = [app, url, new Api(url)];
});
afterAll(async () => {
  await stopWorkers(otherApp);
  otherApp.getHttpServer().closeAllConnections();
  await otherApp.close();
});

const known = new Known();

test('records, deletions, history, feed, search and a mirror agree, and every answer is true', async () => {
  const clients = Array.from(
    { length: CLIENTS },
    (_, number) => new UndeleteClient(service, number % 2 === 0 ? service.api : other, known, seeded(SEED + number)),
  );
  const faults = new Choices(seeded(SEED - 1));
  const ending = new AbortController();
  const mirror = await new WaybillClient({ baseUrl: otherUrl }).shipments.mirror({ signal: ending.signal });
  for (let round = 0; round < repetitions(40, 1); round += 1) {
    await Promise.all(clients.slice(0, 2).map((client) => client.createMove()));
    proxy.plan = () => (faults.chance(1.5) ? faults.pick(FAULTS) : undefined);
    await Promise.all(clients.map((client) => client.take(25)));
    proxy.plan = () => undefined;
    await untilNoTransaction(service.sql);
    await allIndexed(service.sql);
    const wrong = await contradictions(service.sql, known.answers, known.forgotten);
    expect({ TEST_SEED: SEED, round, wrong }).toEqual({ TEST_SEED: SEED, round, wrong: [] });
    const stored = await versions();
    const copied = () => [...mirror.records.values()].map(({ id, eTag }) => `${id} ${eTag}`).sort();
    await eventually(() => copied().join() === stored.join(), 30_000, `the mirror catches up (TEST_SEED=${SEED})`);
  }
  const restored = [...known.tally.keys()].filter((told) => told.endsWith('/undelete 200'));
  expect({ TEST_SEED: SEED, restored: restored.length }).not.toMatchObject({ restored: 0 });
  ending.abort();
  await mirror.ended;
}, 1_200_000);

async function versions(): Promise<string[]> {
  const { rows } = await service.sql.query<{ version: string }>(
    `SELECT id || ' ' || etag_of(updated_at) AS version FROM shipments ORDER BY 1`,
  );
  return rows.map(({ version }) => version);
}
