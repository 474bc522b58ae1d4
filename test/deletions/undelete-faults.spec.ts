import { randomUUID } from 'node:crypto';
import { untilNoTransaction } from '../support/database/activity.js';
import type { Fault } from '../support/database/postgres-proxy.js';
import type { Answer, Json } from '../support/http/api.js';
import { during } from '../support/races/faulty-writes.js';
import { deleted, undelete } from '../support/records/deletions.js';
import { createAgent, createService, createShipment } from '../support/records/records.js';
import { shareOf } from '../support/repository/sweeps.js';
import { useProxiedService } from '../support/service/proxied-service.js';
import { timeoutsWithin } from '../support/service/timeouts.js';

/** A shipment with three children comes back as a whole or not at all, whatever happens at each statement of its restoration. */

const FAULTS: readonly (readonly [string, Fault])[] = [
  ['is cancelled', { refuse: '57014' }],
  ['cannot be serialized', { refuse: '40001' }],
  ['finds the disk full', { refuse: '53100' }],
  ['loses its connection before it arrives', { lose: 'before' }],
  ['loses its connection while it is under way', { lose: 'in flight' }],
  ['loses its connection before its answer', { lose: 'answer' }],
];

const proxied = useProxiedService(timeoutsWithin(20_000));
const { service } = proxied;

interface Deleted {
  readonly path: string;
  readonly ids: readonly string[];
  readonly deletionETag: string;
}

async function deletedFamily(): Promise<Deleted> {
  const shipment = await createShipment(service.api);
  const children = [
    await createAgent(service.api, {}, shipment),
    await createAgent(service.api, { agentType: 'RECEIVING_AGENT' }, shipment),
    await createService(service.api, {}, shipment),
  ];
  const path = `/v1/shipments/${shipment.id}`;
  const { deletionETag } = await deleted(service.api, path);
  return { path, ids: [shipment, ...children].map(({ id }) => id), deletionETag };
}

const COUNTS = `
  SELECT
    (SELECT count(*)::int FROM (SELECT id FROM shipments UNION ALL SELECT id FROM agents UNION ALL SELECT id FROM services) r
     WHERE id = ANY ($1)) AS living,
    (SELECT count(*)::int FROM deletions WHERE record_id = ANY ($1)) AS kept,
    (SELECT count(*)::int FROM history WHERE record_id = ANY ($1) AND type = 'restored' AND request_id = $2) AS entries`;

/** What the database has of a family, after a request. */
async function stateOf({ ids }: Deleted, requestID: string): Promise<string> {
  const { rows } = await service.sql.query(COUNTS, [ids, requestID]);
  const { living, kept, entries } = rows[0] as { living: number; kept: number; entries: number };
  return `${living} living, ${kept} deletions, ${entries} entries`;
}

const BACK = '4 living, 0 deletions, 4 entries';
const AWAY = '0 living, 4 deletions, 0 entries';

/** Describes what is wrong after a fault; undefined if nothing is. */
async function faultOf(keyed: boolean, position: number, fault: Fault): Promise<string | undefined> {
  const family = await deletedFamily();
  const requestID = randomUUID();
  const headers = { 'X-Request-ID': requestID, ...(keyed && { 'Idempotency-Key': requestID }) };
  const send = () => undelete(service.api, family.path, family.deletionETag, headers);
  let answer = undefined as Answer<Json> | undefined;
  await during(proxied, async () => (answer = await send()), position, fault);
  if (answer === undefined) return 'no answer';
  await untilNoTransaction(service.sql);
  const { status, body } = answer;
  const told = `${status} ${body?.code ?? ''}`.trim();
  const state = await stateOf(family, requestID);
  if (status !== 200 && status !== 503) return `answered ${told}`;
  if (state !== (status === 200 ? BACK : AWAY)) return `answered ${told}, but ${state}`;
  const again = await send();
  const expected = status === 200 && !keyed ? 409 : 200;
  if (again.status !== expected) return `answered ${told}, and the repetition ${again.status}`;
  const after = await stateOf(family, requestID);
  return after === BACK ? undefined : `after the repetition ${after}`;
}

test.each([
  ['without a key', false],
  ['with an Idempotency-Key', true],
])('%s, at every statement', async (_, keyed) => {
  const family = await deletedFamily();
  const headers: Record<string, string> = keyed ? { 'Idempotency-Key': randomUUID() } : {};
  const send = () => undelete(service.api, family.path, family.deletionETag, headers);
  const statements = await during(proxied, send, 0);
  expect(statements).toBeGreaterThanOrEqual(7);
  const found: string[] = [];
  for (let position = 1; position <= statements; position += 1) {
    for (const [name, fault] of shareOf(FAULTS, position, 2)) {
      const wrong = await faultOf(keyed, position, fault);
      if (wrong !== undefined) found.push(`statement ${position} of ${statements} ${name}: ${wrong}`);
    }
  }
  expect(found).toEqual([]);
});
