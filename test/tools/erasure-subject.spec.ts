import { createHash } from 'node:crypto';
import type { Api, Json } from '../support/http/api.js';
import { erased, tablesWith } from '../support/records/erasing.js';
import { allNumbered } from '../support/records/events.js';
import { applied, csvOf, imported, rowsOf } from '../support/records/imports.js';
import { createShipment } from '../support/records/records.js';
import { useSecuredService } from '../support/http/tokens.js';

const SCOPES = 'moves:read moves:write shipments:read shipments:write shipments:status';
const SUBJECT = 'dispatcher-4711';
const NAME = 'Florence "Flo" Dougal';

const { service, as } = useSecuredService({ JWT_NAME_CLAIM: 'name' });
let flo: Api;
let ben: Api;

beforeAll(async () => {
  flo = await as({ subject: SUBJECT, scope: SCOPES, claims: { name: NAME } });
  ben = await as({ subject: 'b-2', scope: SCOPES, claims: { name: 'Ben Ode' } });
});

/** Everything that can name a caller: history, an import, a conflict in a row, a kept answer, a key. */
async function workOfBoth(): Promise<{ shipment: Json; floImport: Json; benImport: Json }> {
  const shipment = await createShipment(ben, { customerRemarks: 'first' });
  const path = `/v1/shipments/${shipment.id}`;
  const keyed = { 'Idempotency-Key': 'key-of-flo' };
  expect((await flo.patch(path, shipment.eTag, { customerRemarks: 'by flo' }, keyed)).status).toBe(200);
  const columns = ['id', 'eTag', 'customerRemarks'];
  const benImport = await imported(ben, csvOf(columns, [[shipment.id, shipment.eTag, 'from a file']]));
  const floImport = await imported(flo, csvOf(['shipmentType'], [['HHG']]), { 'Idempotency-Key': 'file-of-flo' });
  await applied(ben, floImport);
  return { shipment, floImport, benImport };
}

test('the name is replaced wherever it is kept, and what was done stays', async () => {
  const { shipment, floImport, benImport } = await workOfBoth();
  const path = `/v1/shipments/${shipment.id}`;
  const before = (await ben.get(`${path}/history`)).body;
  expect(await tablesWith(service.sql, 'Dougal')).toEqual(
    expect.arrayContaining(['idempotency_keys', 'import_rows', 'imports', expect.stringMatching(/^history_/)]),
  );

  // Windows of two entries, so that the entries of one record are in several batches.
  const { entries, importRows, keptAnswers } = await erased(service, { subject: SUBJECT }, { batchSize: 2 });

  expect({ entries, importRows, keptAnswers }).toEqual({ entries: 5, importRows: 1, keptAnswers: 1 });
  for (const text of ['Dougal', SUBJECT]) expect(await tablesWith(service.sql, text)).toEqual([]);
  const [marker, ...history] = (await ben.get(`${path}/history`)).body;
  expect(marker).toMatchObject({ type: 'erased', changes: [] });
  expect(history).toEqual([{ ...before[0], changedBy: 'erased', subject: 'erased', erased: true }, before[1]]);
  expect((await ben.get(`/v1/imports/${floImport.id}`)).body).toMatchObject({ createdBy: 'erased', state: 'applied' });
  const [row] = await rowsOf(ben, benImport);
  expect(row.changes[0]).toMatchObject({ current: 'by flo', changedBy: 'erased' });
  await allNumbered(service.sql);
  const events: Json[] = (await ben.get('/v1/events?limit=1000')).body;
  expect(events.map(({ sequence }) => Number(sequence))).toEqual(events.map((_, index) => index + 1));
  const ofErasure = events.filter(({ type }) => type.endsWith('.erased')).map(({ data }) => data.resourceID);
  expect(ofErasure.sort()).toEqual([shipment.id, floImport.id].sort());
});

test('a retry with a key that was used before is still not done a second time', async () => {
  const body = { shipmentType: 'HHG' };
  const headers = { 'Idempotency-Key': 'before-and-after' };
  const first = await flo.post('/v1/shipments', body, headers);
  await erased(service, { subject: SUBJECT });
  const again = await flo.post('/v1/shipments', body, headers);
  expect([again.status, again.body, again.headers.get('Idempotency-Replayed')]).toEqual([201, first.body, 'true']);
});

test('the erasure is on record: who, when and how much, never whom', async () => {
  const { rows } = await service.sql.query<Json>('SELECT * FROM erasures ORDER BY started_at LIMIT 1');
  expect(rows[0]).toMatchObject({ record_id: null, requested_by: 'sql:waybill', entries: '5' });
  expect(rows[0].finished_at).toBeInstanceOf(Date);
  expect(JSON.stringify(rows)).not.toMatch(/4711|Dougal/);
});

test('no digest of the subject is left of who created webhooks, which still share their calls', async () => {
  const creator = await as({ subject: 'creator-4712', scope: 'moves:read webhooks:write' });
  const ids: string[] = [];
  for (const path of ['one', 'other']) {
    ids.push((await creator.post('/v1/webhooks', { url: `https://partner.example/${path}` })).body.id);
  }
  const { body: others } = await (
    await as({ subject: 'b-2', scope: 'moves:read webhooks:write' })
  ).post('/v1/webhooks', { url: 'https://partner.example/third' });
  const creators = async () => {
    const { rows } = await service.sql.query<{ id: string; creator: string }>(
      'SELECT webhook_id AS id, creator FROM webhook_progress',
    );
    return new Map(rows.map(({ id, creator }) => [id, creator]));
  };
  const before = await creators();
  const digest = createHash('sha256').update('creator-4712').digest('hex');
  expect(ids.map((id) => before.get(id))).toEqual([digest, digest]);

  await erased(service, { subject: 'creator-4712' });

  expect(await tablesWith(service.sql, digest)).toEqual([]);
  const after = await creators();
  const [one, another] = ids.map((id) => after.get(id));
  expect(one).toMatch(/^[0-9a-f]{64}$/);
  expect(another).toBe(one);
  expect(after.get(others.id)).toBe(before.get(others.id));
});
