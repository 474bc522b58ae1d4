import { WaybillClient, type Mirror, type MirrorChange, type Shipment } from '../../client/src/waybill.js';
import { erased } from '../support/records/erasing.js';
import { allNumbered } from '../support/records/events.js';
import { insertFamilies } from '../support/database/rows.js';
import { eventually } from '../support/races/eventually.js';
import { ADDRESS } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

// Before the service stops: fetch opens a connection in place of one that it gave up, and the service would wait for its first request.
afterAll(() => service.app.getHttpServer().closeAllConnections());
const service = useService({ POOL_SIZE: '3' });

// A client that begins with the newest event must not get those of an earlier test.
beforeEach(() => allNumbered(service.sql));
let client: WaybillClient;
let ending: AbortController;

beforeAll(() => {
  client = new WaybillClient({ baseUrl: service.url });
});
beforeEach(() => {
  ending = new AbortController();
});
afterEach(() => ending.abort());

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

async function all(query: object = {}): Promise<Map<string, Shipment>> {
  const records = new Map<string, Shipment>();
  for await (const shipment of client.shipments.list({ ...query, limit: 200 })) records.set(shipment.id, shipment);
  return records;
}

/** Waits for the mirror to catch up, and compares it with what the service has. */
async function expectTrue(mirror: Mirror<Shipment>, query: object = {}): Promise<void> {
  const truth = await all(query);
  const eTags = (records: ReadonlyMap<string, Shipment>) => [...records.values()].map(({ eTag }) => eTag).sort();
  await eventually(() => eTags(mirror.records).join() === eTags(truth).join(), 30_000, 'the mirror catches up').catch(
    () => undefined,
  );
  expect(new Map([...mirror.records].sort())).toEqual(new Map([...truth].sort()));
}

async function create(values: object = {}): Promise<Shipment> {
  return client.shipments.create({ shipmentType: 'HHG', ...values });
}

/** A client that does something before the request whose address matches. */
function interrupted(
  pattern: RegExp,
  interrupt: (url: string, init: RequestInit) => Promise<Response | undefined>,
): WaybillClient {
  let isDone = false;
  const send: Fetch = async (url, init) => {
    const isIt = !isDone && pattern.test(url);
    isDone ||= isIt;
    return (isIt ? await interrupt(url, init) : undefined) ?? fetch(url, init);
  };
  return new WaybillClient({ baseUrl: service.url, fetch: send });
}

test('every kind of change arrives, and the mirror stays what the service has', async () => {
  const { signal } = ending;
  const kept = await create({ destinationAddress: ADDRESS });
  const mirror = await client.shipments.mirror({ signal });
  await expectTrue(mirror);
  const { id } = await create({ pickupAddress: ADDRESS, estimatedWeight: 5 });
  const any = { ifMatch: '*' };
  await client.shipments.patch(id, { actualWeight: 7, customerRemarks: 'Ring twice' }, any);
  await client.shipments.patch(id, { pickupAddress: { city: 'Shelbyville' }, destinationAddress: ADDRESS }, any);
  await expectTrue(mirror);
  await client.shipments.patch(id, { pickupAddress: null, estimatedWeight: null }, any);
  await client.shipments.patch(id, {}, any);
  await client.shipments.updateStatus(id, { status: 'REJECTED', rejectionReason: 'No lift' });
  await client.addresses.update(
    { shipmentID: kept.id, addressID: kept.destinationAddress?.id ?? '' },
    { ...ADDRESS, city: 'B' },
  );
  await expectTrue(mirror);
  await client.shipments.replace(id, { shipmentType: 'NTS', pickupAddress: ADDRESS }, any);
  await client.shipments.delete((await create()).id);
  await client.shipments.delete(kept.id);
  await expectTrue(mirror);
});

test('events that come a second time change nothing', async () => {
  const after = await client.events.head();
  const { id } = await create();
  await client.shipments.update(id, { actualWeight: 1 });
  await client.shipments.update(id, { actualWeight: 2 });
  // The feed begins where it was before all that, although the records were read after it.
  const early = interrupted(/after=now/, async () =>
    Promise.resolve(new Response('[]', { headers: { Link: `</v1/events?after=${after}>; rel="next"` } })),
  );
  const changes: MirrorChange<Shipment>[] = [];
  const mirror = await early.shipments.mirror({ signal: ending.signal, onChange: (change) => changes.push(change) });
  await client.shipments.update(id, { actualWeight: 3 });
  await expectTrue(mirror);
  expect(changes).toMatchObject([
    { id, before: { actualWeight: 2 }, after: { actualWeight: 3 }, event: { type: 'shipment.updated' } },
  ]);
});

test('a filter lets records in and out as they change, also of one move by its code', async () => {
  const { signal } = ending;
  const { id: moveID, moveCode } = await client.moves.create({});
  const query = {
    moveID,
    status: ['SUBMITTED' as const],
    deliveryDateFrom: '2026-05-01',
    deliveryDateTo: '2026-05-31',
  };
  const inside = await create({ moveID, deliveryDate: '2026-05-01' });
  const late = await create({ moveID, deliveryDate: '2026-06-01' });
  const elsewhere = await create({ deliveryDate: '2026-06-01' });
  const changes: MirrorChange<Shipment>[] = [];
  const mirror = await client.shipments.mirror({
    ...query,
    moveID: moveCode,
    signal,
    onChange: (change) => changes.push(change),
  });
  expect([...mirror.records.keys()]).toEqual([inside.id]);
  await client.shipments.update(late.id, { customerRemarks: 'still late' });
  await client.shipments.update(elsewhere.id, { deliveryDate: '2026-05-02' });
  await client.shipments.update(late.id, { deliveryDate: '2026-05-31' });
  await expectTrue(mirror, query);
  await client.shipments.updateStatus(inside.id, { status: 'APPROVED' });
  await create({ moveID, deliveryDate: null });
  const another = await create({ moveID, deliveryDate: '2026-05-03' });
  await client.shipments.delete(late.id);
  await expectTrue(mirror, query);
  expect([...mirror.records.keys()]).toEqual([another.id]);
  expect(changes.map(({ id, before, after }) => [id, before !== undefined, after !== undefined])).toEqual([
    [late.id, false, true],
    [inside.id, true, false],
    [another.id, false, true],
    [late.id, true, false],
  ]);
});

test('an event without values makes the mirror read the record', async () => {
  const { id } = await create({ customerRemarks: '🚚'.repeat(2000) });
  const mirror = await client.shipments.mirror({ signal: ending.signal });
  const after = await client.events.head();
  await client.shipments.update(id, { customerRemarks: '📦'.repeat(2000) });
  await expectTrue(mirror);
  const [event] = (await client.events.list({ after, type: ['shipment.updated'], wait: 30 }).page()).items;
  expect(event?.data.truncated).toBe(true);
});

test('erased events make a mirror read records that it has in an older version, and erasures change nothing', async () => {
  const [early, late] = [await create({ customerRemarks: 'first' }), await create()];
  // Events that are erased before the mirror gets to them.
  const slow = interrupted(/after=(?!now)/, async () => {
    await client.shipments.update(early.id, { customerRemarks: 'second' });
    await client.shipments.update(early.id, { customerRemarks: 'third' });
    await erased(service, { recordID: early.id });
    return undefined;
  });
  const changes: MirrorChange<Shipment>[] = [];
  const mirror = await slow.shipments.mirror({ signal: ending.signal, onChange: (change) => changes.push(change) });
  const remarks = () => mirror.records.get(early.id)?.customerRemarks;
  await eventually(() => remarks() === 'third', 30_000, 'the mirror has the last version');
  await erased(service, { recordID: early.id });
  await client.shipments.update(late.id, { customerRemarks: 'last' });
  await expectTrue(mirror);
  expect(changes.map(({ id, event }) => [id, event?.type])).toEqual([
    [early.id, 'shipment.updated'],
    [late.id, 'shipment.updated'],
  ]);
});

test('a mirror whose events are gone is rebuilt and reports the differences', async () => {
  const [kept, deleted] = [await create(), await create()];
  const gone = { status: 410, code: 'EVENTS_GONE', detail: '', oldest: 'x' };
  const refused = interrupted(/after=(?!now)/, async () => {
    await client.shipments.delete(deleted.id);
    await client.shipments.update(kept.id, { actualWeight: 8 });
    return new Response(JSON.stringify(gone), { status: 410, headers: { 'Content-Type': 'application/problem+json' } });
  });
  const changes: MirrorChange<Shipment>[] = [];
  const mirror = await refused.shipments.mirror({ signal: ending.signal, onChange: (change) => changes.push(change) });
  await eventually(() => changes.length === 2, 30_000, 'two changes');
  await expectTrue(mirror);
  expect(changes).toEqual(
    expect.arrayContaining([
      { id: deleted.id, before: deleted, after: undefined, event: undefined },
      { id: kept.id, before: kept, after: expect.objectContaining({ actualWeight: 8 }), event: undefined },
    ]) as unknown[],
  );
  expect(changes).toHaveLength(2);
});

test('ended resolves after the signal, and rejects when the mirror fails', async () => {
  const mirror = await client.shipments.mirror({ signal: ending.signal });
  ending.abort();
  await expect(mirror.ended).resolves.toBeUndefined();
  const forbidden = interrupted(/after=(?!now)/, () => Promise.resolve(new Response('', { status: 403 })));
  await expect((await forbidden.shipments.mirror()).ended).rejects.toMatchObject({ status: 403 });
  const throwing = await client.shipments.mirror({
    onChange: () => {
      throw new Error('not mine');
    },
  });
  await create();
  await expect(throwing.ended).rejects.toThrow('not mine');
});

test('moves have mirrors, too', async () => {
  const mirror = await client.moves.mirror({ orderID: 'M-1', signal: ending.signal });
  const { id } = await client.moves.create({ orderID: 'M-1' });
  await client.moves.create({ orderID: 'M-2' });
  const move = await client.moves.update(id, { remarks: 'x' });
  await eventually(() => mirror.records.get(id)?.eTag === move.eTag, 30_000);
  expect([...mirror.records]).toEqual([[id, move]]);
});

test('what changes while the records are read is neither missed nor undone', async () => {
  await insertFamilies(service.sql, 250, 'HHG');
  await allNumbered(service.sql);
  // The newest is read first.
  const old = [...(await all()).values()].reverse();
  const [onSecondPage, , deleted] = old;
  const onFirstPage = old.at(-1);
  const meddling = interrupted(/shipments\?.*cursor=/, async () => {
    for (const shipment of [onFirstPage, onSecondPage])
      await client.shipments.update(shipment?.id ?? '', { actualWeight: 3 });
    await client.shipments.delete(deleted?.id ?? '');
    await client.shipments.delete(old.at(-2)?.id ?? '');
    await create({ customerRemarks: 'new' });
    return undefined;
  });
  const changes: MirrorChange<Shipment>[] = [];
  const mirror = await meddling.shipments.mirror({ signal: ending.signal, onChange: (change) => changes.push(change) });
  await expectTrue(mirror);
  // The record on the second page, and the one deleted before that was read, came as they are.
  expect(changes.map(({ id }) => id)).not.toContain(onSecondPage?.id);
  expect(changes.map(({ event }) => event?.type)).toEqual(['shipment.updated', 'shipment.deleted', 'shipment.created']);
});

test('a type that the client does not know makes the mirror read the record', async () => {
  const { id } = await create({ estimatedWeight: 1 });
  const mirror = await client.shipments.mirror({ signal: ending.signal });
  // Changes the record without a word to the feed but this.
  const { rows } = await service.sql.query<{ changed_at: Date }>(
    'SELECT changed_at FROM history WHERE record_id = $1',
    [id],
  );
  await service.sql.query(`SET session_replication_role = replica`);
  await service.sql.query(
    `UPDATE shipments SET estimated_weight = 2, updated_at = updated_at + interval '1 second' WHERE id = $1`,
    [id],
  );
  await service.sql.query(`SET session_replication_role = DEFAULT`);
  await service.sql.query(
    `INSERT INTO history (root_id, record_kind, record_id, type, changed_by, changed_at)
     VALUES ($1, 'shipment', $1, 'laterChange', 'somebody', $2)`,
    [id, rows[0]?.changed_at],
  );
  await eventually(() => mirror.records.get(id)?.estimatedWeight === 2, 30_000, 'the mirror reads the record').catch(
    () => undefined,
  );
  expect(mirror.records.get(id)?.estimatedWeight).toBe(2);
});
