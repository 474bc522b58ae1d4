import type { Json } from '../support/http/api.js';
import { allNumbered } from '../support/records/events.js';
import { nextOf } from '../support/http/paging.js';
import { expectProblem } from '../support/http/problem.js';
import { ADDRESS, createAgent, createMove, createShipment } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService();

const numbered = () => allNumbered(service.sql);

async function cursorNow(): Promise<string> {
  await numbered();
  const { headers } = await service.api.get('/v1/events?after=now');
  return new URL(nextOf(headers) ?? '', 'http://x').searchParams.get('after') ?? '';
}

async function eventsAfter(cursor: string, query = ''): Promise<Json[]> {
  await numbered();
  return (await service.api.get(`/v1/events?after=${cursor}&limit=1000${query}`)).body;
}

test('each change of a record is an event, in order, as a CloudEvent', async () => {
  const { api } = service;
  const start = await cursorNow();
  const shipment = await createShipment(api, { shipmentType: 'HHG', destinationAddress: ADDRESS });
  const path = `/v1/shipments/${shipment.id}`;
  const agent = await createAgent(api, {}, shipment);
  const { body: patched } = await api.patch(path, shipment.eTag, { estimatedWeight: 7 }, { 'X-Request-ID': 'weigh' });
  await api.patch(`/prime${path}/updateStatus`, patched.eTag, { status: 'APPROVED' });
  await api.delete(path);
  const events = await eventsAfter(start);
  expect(events.map(({ type, subject }) => [type, subject])).toEqual([
    ['move.created', `moves/${shipment.moveID}`],
    ['shipment.created', `shipments/${shipment.id}`],
    ['agent.created', `agents/${agent.id}`],
    ['shipment.updated', `shipments/${shipment.id}`],
    ['shipment.statusChanged', `shipments/${shipment.id}`],
    ...expectedDeletions(events, shipment, agent),
  ]);
  expect(events[3]).toEqual({
    specversion: '1.0',
    id: expect.any(String),
    source: '/waybill',
    type: 'shipment.updated',
    subject: `shipments/${shipment.id}`,
    time: patched.updatedAt,
    sequence: expect.stringMatching(/^\d{19}$/),
    datacontenttype: 'application/json',
    data: {
      resource: 'shipment',
      resourceID: shipment.id,
      shipmentID: shipment.id,
      moveID: shipment.moveID,
      eTag: patched.eTag,
      previousETag: shipment.eTag,
      changedBy: 'anonymous',
      requestID: 'weigh',
      changes: expect.arrayContaining([{ field: 'estimatedWeight', from: null, to: 7 }]),
    },
  });
  const numbers = events.map(({ sequence }) => Number(sequence));
  expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index));
  for (const { data } of events) expect(data.moveID).toBe(shipment.moveID);
});

/** A deletion takes along what belongs to the shipment; either may come first. */
function expectedDeletions(events: readonly Json[], shipment: Json, agent: Json): [string, string][] {
  const both: [string, string][] = [
    ['shipment.deleted', `shipments/${shipment.id}`],
    ['agent.deleted', `agents/${agent.id}`],
  ];
  return events[5]?.type === 'agent.deleted' ? both.reverse() : both;
}

test('the id of an event is a cursor, and the Link of an empty page leads to what comes later', async () => {
  const { api } = service;
  await createMove(api);
  const start = await cursorNow();
  const empty = await api.get(`/v1/events?after=${start}`);
  expect(empty.body).toEqual([]);
  const later = nextOf(empty.headers) ?? '';
  const moves = [await createMove(api), await createMove(api), await createMove(api)];
  await numbered();
  const { body, headers } = await api.get(`${later}&limit=2`);
  expect(body.map(({ data }: Json) => data.resourceID)).toEqual(moves.slice(0, 2).map(({ id }) => id));
  expect((await api.get(nextOf(headers) ?? '')).body).toEqual(await eventsAfter(body[1].id));
  expect((await eventsAfter(body[0].id)).map(({ data }) => data.resourceID)).toEqual(
    moves.slice(1).map(({ id }) => id),
  );
});

describe('events of a kind that only a later version of the service knows', () => {
  let start: string;
  let ids: string[];

  beforeEach(async () => {
    const { api, sql } = service;
    start = await cursorNow();
    const before = await createMove(api);
    const { rows } = await sql.query<{ id: string }>(
      `INSERT INTO history (root_id, record_kind, record_id, type, record, changed_by, changed_at)
       SELECT id, 'laterKind', id, 'created', '{"secret": "x"}', 'somebody', now_ms()
       FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, 3)) AS ids RETURNING record_id AS id`,
    );
    const after = await createMove(api);
    ids = [before.id, ...rows.map(({ id }) => id), after.id];
  });

  test('are passed on without values, so that numbers stay contiguous', async () => {
    await numbered();
    // Not through `api`, which compares answers with the document: that lists the kinds this version knows.
    const events = (await (await fetch(`${service.url}/v1/events?after=${start}`)).json()) as Json[];
    expect(events.map(({ data }) => data.resourceID)).toEqual(ids);
    const [first] = events.map(({ sequence }) => Number(sequence));
    expect(events.map(({ sequence }) => Number(sequence) - (first ?? 0))).toEqual([0, 1, 2, 3, 4]);
    expect(events[1]).toMatchObject({
      type: 'laterKind.created',
      data: { resource: 'laterKind', changedBy: 'somebody', changes: [], truncated: true },
    });
    expect(JSON.stringify(events)).not.toContain('secret');
  });

  test('are left out where a filter names kinds', async () => {
    const moves = (await eventsAfter(start, '&resource=move,shipment')).map(({ data }) => data.resourceID);
    expect(moves).toEqual([ids[0], ids[4]]);
  });
});

test('a long poll answers when something happens, and after its time when nothing does', async () => {
  const { api } = service;
  const start = await cursorNow();
  const began = performance.now();
  const waiting = api.get(`/v1/events?after=${start}&wait=30&resource=shipment`);
  await createMove(api);
  const shipment = await createShipment(api);
  expect((await waiting).body.map(({ data }: Json) => data.resourceID)).toEqual([shipment.id]);
  expect(performance.now() - began).toBeLessThan(20_000);
  const empty = await api.get(`/v1/events?after=${await cursorNow()}&wait=1`);
  expect([empty.status, empty.body, nextOf(empty.headers)]).toEqual([200, [], expect.stringContaining('wait=1')]);
});

test('410 for a cursor issued before the database was recreated, with the cursor of the oldest event', async () => {
  const { api } = service;
  await createMove(api);
  await numbered();
  const [first] = (await api.get('/v1/events?limit=1')).body;
  expect(first.sequence).toBe('1'.padStart(19, '0'));
  const [number] = Buffer.from(first.id, 'base64url').toString().split('.');
  for (const foreign of [`${number}.${'0'.repeat(16)}`, `999999.${'a'.repeat(16)}`, `0.${'b'.repeat(16)}`]) {
    const answer = await api.get(`/v1/events?after=${Buffer.from(foreign).toString('base64url')}`);
    const { oldest } = expectProblem(answer, 410, 'EVENTS_GONE');
    expect((await api.get(`/v1/events?after=${oldest}&limit=1`)).body).toEqual([first]);
  }
});

test('400 for what is no cursor, no type, no wait', async () => {
  for (const query of [
    'after=nonsense',
    'after=',
    'type=shipment.moved',
    'wait=31',
    'limit=0',
    'limit=1001',
    'resourceID=x',
    'moveID=x',
    'cursor=x',
  ]) {
    expectProblem(await service.api.get(`/v1/events?${query}`), 400, 'INVALID_PARAMETER');
  }
});

test('beyond 16 kB an event names the fields that changed, without their values', async () => {
  const { api } = service;
  const start = await cursorNow();
  const long = '\u{1f69a}'.repeat(2000);
  const shipment = await createShipment(api, { customerRemarks: long });
  await api.patch(`/v1/shipments/${shipment.id}`, shipment.eTag, { customerRemarks: `${long.slice(2)}x` });
  const [, created, updated] = await eventsAfter(start);
  expect(created.data.truncated).toBeUndefined();
  expect([updated.data.changes, updated.data.truncated]).toEqual([[{ field: 'customerRemarks' }], true]);
});
