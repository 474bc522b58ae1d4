import { randomUUID } from 'node:crypto';
import { WaybillClient } from '../../client/src/waybill.js';
import type { App } from '../../src/app.setup.js';
import { untilNoTransaction } from '../support/database/activity.js';
import type { Fault } from '../support/database/postgres-proxy.js';
import { Api, type Answer, type Json } from '../support/http/api.js';
import { eventually } from '../support/races/eventually.js';
import { contradictions } from '../support/races/undelete-history.js';
import { erased } from '../support/records/erasing.js';
import { allIndexed, stopWorkers } from '../support/records/events.js';
import { repetitions } from '../support/repository/sweeps.js';
import { useProxiedService } from '../support/service/proxied-service.js';
import { startApp } from '../support/service/service.js';
import { timeoutsWithin } from '../support/service/timeouts.js';

/*
 * Concurrent clients of two replicas create, change, delete and restore the same few records, while statements fail, records are erased and
 * deletions archived. Afterwards records, deletions, history, feed, search and a mirror must agree, and every answer must be true.
 */

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

const pick = <T>(values: readonly T[]): T | undefined => values[Math.floor(Math.random() * values.length)];
const chance = (percent: number) => Math.random() * 100 < percent;

class World {
  readonly answers = new Map<string, { status: number; code: string | undefined }>();
  readonly forgotten = new Set<string>();
  private readonly moves: string[] = [];
  private readonly shipments: string[] = [];
  private readonly children: string[] = [];
  readonly tally = new Map<string, number>();

  async run(steps: number): Promise<void> {
    for (let each = 0; each < 2; each += 1) await this.createMove(service.api);
    proxy.plan = () => (chance(1.5) ? pick(FAULTS) : undefined);
    await Promise.all(
      Array.from({ length: CLIENTS }, async (_, client) => {
        for (let step = 0; step < steps; step += 1) await this.step(client % 2 === 0 ? service.api : other);
      }),
    );
    proxy.plan = () => undefined;
  }

  private async step(api: Api): Promise<void> {
    const shipment = pick(this.shipments);
    const child = pick(this.children);
    const chosen = Math.random() * 100;
    if (shipment === undefined || chosen < 10) await this.createShipment(api);
    else if (chosen < 22) await this.createChild(api, shipment);
    else if (chosen < 32) await this.change(api, shipment);
    else if (chosen < 50) await this.remove(api, shipment);
    else if (chosen < 58 && child !== undefined) await this.remove(api, child);
    else if (chosen < 62) await this.remove(api, pick(this.moves) ?? '');
    else if (chosen < 96) await this.restoreOne(api);
    else if (chosen < 98) await this.archive();
    else await erased(service, { recordID: idOf(chance(50) && child !== undefined ? child : shipment) }).catch(ifBusy);
  }

  /** Sends a write without a key, and keeps its answer. */
  private async send(api: Api, method: string, path: string, body?: object, eTag?: string): Promise<Answer<Json>> {
    const requestID = randomUUID();
    const answer = await api.send(method, path, body, { 'X-Request-ID': requestID, ...(eTag && { 'If-Match': eTag }) });
    const { status, body: answered } = answer;
    this.answers.set(requestID, { status, code: answered?.code });
    const told = `${method} ${path.replace(/[0-9a-f-]{36}/, ':id')} ${status}${answered?.code ? ` ${answered.code}` : ''}`;
    this.tally.set(told, (this.tally.get(told) ?? 0) + 1);
    return answer;
  }

  private async createMove(api: Api): Promise<void> {
    const { status, body } = await this.send(api, 'POST', '/v1/moves', {});
    if (status === 201) this.moves.push(`/v1/moves/${body.id}`);
  }

  private async createShipment(api: Api): Promise<void> {
    const fields = { shipmentType: 'HHG', moveID: idOf(pick(this.moves) ?? '') };
    const { status, body } = await this.send(api, 'POST', '/v1/shipments', fields);
    if (status === 201) this.shipments.push(`/v1/shipments/${body.id}`);
  }

  private async createChild(api: Api, shipment: string): Promise<void> {
    const [kind, fields] = chance(50)
      ? ['agents', { agentType: pick(['RELEASING_AGENT', 'RECEIVING_AGENT']), firstName: 'Bo', phone: '1' }]
      : ['services', { code: 'PACK' }];
    const { status, body } = await this.send(api, 'POST', `${shipment}/${kind}`, fields);
    if (status === 201) this.children.push(`/v1/${kind}/${body.id}`);
  }

  private async change(api: Api, shipment: string): Promise<void> {
    const { body } = await api.get(shipment);
    if (body.eTag !== undefined)
      await this.send(api, 'PATCH', shipment, { actualWeight: 1 + Math.floor(Math.random() * 99) }, body.eTag);
  }

  private async remove(api: Api, path: string): Promise<void> {
    await this.send(api, 'DELETE', path);
  }

  private async restoreOne(api: Api): Promise<void> {
    const { body } = await api.get('/v1/deletions?limit=20');
    const deletion = pick<Json>(body);
    if (deletion === undefined) return;
    const { resource, resourceID, deletionETag } = deletion;
    await this.send(api, 'POST', `/v1/${resource}s/${resourceID}/undelete`, undefined, deletionETag);
  }

  /** Removes a few deletions as the archive does. */
  private async archive(): Promise<void> {
    const sql = await service.connect();
    await sql.query('BEGIN');
    const { rows } = await sql.query<{ id: string }>(
      'SELECT record_id AS id FROM deletions WHERE record_kind <> $1 ORDER BY position LIMIT 2 FOR UPDATE',
      ['move'],
    );
    await sql.query('DELETE FROM deletions WHERE record_id = ANY ($1)', [rows.map(({ id }) => id)]);
    for (const { id } of rows) this.forgotten.add(id);
    await sql.query('COMMIT');
    await sql.end();
  }
}

/** Two erasures do not run at once. */
function ifBusy(error: Error): void {
  if (!error.message.startsWith('Another erasure')) throw error;
}

const idOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

test('records, deletions, history, feed, search and a mirror agree, and every answer is true', async () => {
  const ending = new AbortController();
  const client = new WaybillClient({ baseUrl: otherUrl });
  const mirror = await client.shipments.mirror({ signal: ending.signal });
  const world = new World();
  for (let round = 0; round < repetitions(40, 1); round += 1) {
    await world.run(25);
    await untilNoTransaction(service.sql);
    await allIndexed(service.sql);
    expect(await contradictions(service.sql, world.answers, world.forgotten)).toEqual([]);
    const { rows } = await service.sql.query<{ version: string }>(
      `SELECT id || ' ' || etag_of(updated_at) AS version FROM shipments ORDER BY 1`,
    );
    const stored = rows.map(({ version }) => version).join();
    const copied = () =>
      [...mirror.records.values()]
        .map(({ id, eTag }) => `${id} ${eTag}`)
        .sort()
        .join();
    await eventually(() => copied() === stored, 30_000, 'the mirror catches up');
  }
  const restored = [...world.tally].filter(([told]) => told.endsWith('/undelete 200'));
  expect(restored.length).toBeGreaterThan(0);
  ending.abort();
  await mirror.ended;
}, 1_200_000);
