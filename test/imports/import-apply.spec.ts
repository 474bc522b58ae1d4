import { parse } from 'csv-parse/sync';
import { ImportWorker } from '../../src/imports/import-worker.js';
import { Housekeeping } from '../../src/operations/housekeeping.js';
import type { Json } from '../support/http/api.js';
import { allNumbered } from '../support/records/events.js';
import { applied, csvOf, imported, resultOf, rowsOf, untilApplied } from '../support/records/imports.js';
import { expectProblem } from '../support/http/problem.js';
import { ADDRESS, createShipment, UNKNOWN_ID } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService();

const read = async (id: string) => (await service.api.get(`/v1/shipments/${id}`)).body;
const entries = async (id: string) => (await service.api.get(`/v1/shipments/${id}/history`)).body as Json[];

async function change({ id, eTag }: Json, fields: object): Promise<Json> {
  const { status, body } = await service.api.patch(`/v1/shipments/${id}`, eTag, fields);
  expect(status).toBe(200);
  return body;
}

/** The rows of a result file, by column. */
async function results(of: Json): Promise<Record<string, string>[]> {
  return parse(await resultOf(service.url, of), { columns: true });
}

test('202, then every row is written once, with the history of a single request', async () => {
  const changed = await createShipment(service.api, { customerRemarks: 'before' });
  const same = await createShipment(service.api);
  const file = csvOf(
    ['id', 'eTag', 'shipmentType', 'customerRemarks'],
    [
      [changed.id, changed.eTag, 'HHG', 'after'],
      [same.id, same.eTag, 'HHG', ''],
      ['', '', 'NTS', 'new'],
      ['', '', '', 'refused'],
    ],
  );
  const ready = await imported(service.api, file);
  const headers = { 'X-Request-ID': `apply-${ready.id}` };
  const answer = await service.api.send('POST', `/v1/imports/${ready.id}/apply`, undefined, headers);
  expect([answer.status, answer.headers.get('Location')]).toEqual([202, `/v1/imports/${ready.id}`]);
  expect(answer.body.state).toBe('applying');
  const done = await untilApplied(service.api, ready.id);
  expect(done).toMatchObject({ toCreate: 0, toChange: 0, created: 1, changed: 1, unchanged: 1, refused: 1, rows: 4 });
  const rows = await rowsOf(service.api, ready);
  expect(rows.map(({ outcome }) => outcome)).toEqual(['changed', 'unchanged', 'created', 'refused']);
  expect(await read(changed.id)).toMatchObject({ customerRemarks: 'after' });
  expect(await read(rows[2].resourceID)).toMatchObject({ shipmentType: 'NTS', customerRemarks: 'new' });
  expect((await entries(changed.id)).map(({ type, requestID }) => [type, requestID])).toEqual([
    ['updated', headers['X-Request-ID']],
    ['created', expect.any(String)],
  ]);
  expect(await entries(same.id)).toHaveLength(1);
});

test('a second apply changes nothing, and If-Match is honoured', async () => {
  const ready = await imported(service.api, csvOf(['shipmentType'], [['HHG'], ['NTS']]));
  const stale = { 'If-Match': '0'.repeat(64) };
  expectProblem(
    await service.api.send('POST', `/v1/imports/${ready.id}/apply`, undefined, stale),
    412,
    'PRECONDITION_FAILED',
  );
  await applied(service.api, ready);
  const rows = await rowsOf(service.api, ready);
  await applied(service.api, ready);
  expect(await rowsOf(service.api, ready)).toEqual(rows);
  expectProblem(await service.api.send('POST', `/v1/imports/${UNKNOWN_ID}/apply`), 404, 'NOT_FOUND');
});

test('two people edit the same export: what does not collide is merged, the rest is in after the second round', async () => {
  const base = { customerRemarks: 'before', deliveryDate: '2026-04-15', destinationAddress: ADDRESS };
  const [merged, colliding, agreed] = [
    await createShipment(service.api, base),
    await createShipment(service.api, base),
    await createShipment(service.api, base),
  ];
  const columns = ['id', 'customerRemarks', 'deliveryDate', 'destinationAddress.city', 'estimatedWeight', 'eTag'];
  const row = ({ id, eTag }: Json, remarks: string, date = '2026-04-15', city = 'Springfield', weight = '') => [
    id,
    remarks,
    date,
    city,
    weight,
    eTag,
  ];
  const one = csvOf(columns, [row(merged, 'by one'), row(colliding, 'by one', '2026-04-18'), row(agreed, 'by both')]);
  const other = csvOf(columns, [
    row(merged, 'before', '2026-04-20', 'Shelbyville'),
    row(colliding, '=by the other', '2026-04-15', 'Springfield', '900'),
    row(agreed, 'by both'),
  ]);
  // Both are looked through before either is applied, so that the second learns of the first under its locks.
  const [first, second] = [await imported(service.api, one), await imported(service.api, other)];
  expect([first, second].map(({ toChange }) => toChange)).toEqual([3, 3]);
  expect(await applied(service.api, first)).toMatchObject({ changed: 3, refused: 0 });
  expect(await applied(service.api, second)).toMatchObject({ changed: 1, unchanged: 1, refused: 1 });
  expect(await read(merged.id)).toMatchObject({ customerRemarks: 'by one', deliveryDate: '2026-04-20' });
  expect((await read(merged.id)).destinationAddress.city).toBe('Shelbyville');
  expect(await entries(agreed.id)).toHaveLength(2);
  const ofSecond = await rowsOf(service.api, second);
  expect(ofSecond.map(({ outcome, merged: isMerged }) => [outcome, isMerged])).toEqual([
    ['changed', true],
    ['refused', false],
    ['unchanged', false],
  ]);
  const [conflict] = ofSecond[1].changes.filter(({ field }: Json) => field === 'customerRemarks');
  expect(conflict).toMatchObject({ from: 'before', to: '=by the other', current: 'by one', changedBy: 'anonymous' });
  expect(ofSecond[1].changes).toContainEqual({ field: 'estimatedWeight', from: null, to: 900 });

  const now = await read(colliding.id);
  expect(now).toMatchObject({ customerRemarks: 'by one', estimatedWeight: null });
  const [refused, ...more] = await results(second);
  expect(more).toEqual([]);
  expect(refused).toMatchObject({
    id: colliding.id,
    eTag: now.eTag,
    customerRemarks: "'=by the other",
    deliveryDate: '2026-04-18',
    estimatedWeight: '900',
    changedBy: 'anonymous',
    changedAt: now.updatedAt,
    'theirs:customerRemarks': 'by one',
  });
  expect(refused?.['error']).toMatch(/^customerRemarks was changed to another value by anonymous at .* \(CONFLICT\)$/);

  const again = await imported(service.api, await resultOf(service.url, second));
  expect(again).toMatchObject({ rows: 1, toChange: 1 });
  expect(await applied(service.api, again)).toMatchObject({ changed: 1 });
  // Changes of the first import that the second did not touch are still there.
  expect(await read(colliding.id)).toMatchObject({
    customerRemarks: '=by the other',
    estimatedWeight: 900,
    deliveryDate: '2026-04-18',
  });
});

test('an old version is merged or refused in the dry run already, and an unknown one is refused', async () => {
  const shipment = await createShipment(service.api, { customerRemarks: 'before' });
  await change(shipment, { customerRemarks: 'theirs', actualWeight: 5 });
  const unknown = await createShipment(service.api);
  const columns = ['id', 'eTag', 'customerRemarks', 'estimatedWeight', 'actualWeight'];
  const plan = async (...values: unknown[]) => {
    const [row] = await rowsOf(service.api, await imported(service.api, csvOf(columns, [values])));
    return [row.merged ? 'merge' : row.outcome, row.code, ...row.changes.map(({ field }: Json) => field)];
  };
  expect(await plan(shipment.id, shipment.eTag, 'before', 12, '')).toEqual(['merge', null, 'estimatedWeight']);
  expect(await plan(shipment.id, shipment.eTag, 'theirs', '', '')).toEqual(['unchanged', null, 'customerRemarks']);
  expect(await plan(shipment.id, shipment.eTag, 'mine', '', '')).toEqual([
    'refused',
    'PRECONDITION_FAILED',
    'customerRemarks',
  ]);
  const [outcome, code] = await plan(unknown.id, '0'.repeat(64), 'mine', '', '');
  expect([outcome, code]).toEqual(['refused', 'PRECONDITION_FAILED']);
});

test('rows that cannot be repaired automatically come back as they were sent, with formulas guarded in every column', async () => {
  const { id } = await createShipment(service.api);
  const file = `id;eTag;customerRemarks;estimatedWeight\r\n${id};;"a;b";\r\n;;'=1+1;many\r\n=id();@tag;=1+1;-5\r\n`;
  const ready = await imported(service.api, file);
  const text = await resultOf(service.url, ready);
  expect(text.split('\r\n')[0]).toBe('id;eTag;customerRemarks;estimatedWeight;error;changedBy;changedAt');
  const rows: string[][] = parse(text, { delimiter: ';', from_line: 2 });
  expect(rows.map((row) => row.slice(0, 4))).toEqual([
    [id, '', 'a;b', ''],
    ['', '', "'=1+1", 'many'],
    ["'=id()", "'@tag", "'=1+1", "'-5"],
  ]);
  const again = await imported(service.api, text);
  expect(await resultOf(service.url, again)).toBe(text);
  const faults = async (each: Json) => (await rowsOf(service.api, each)).map((row) => row.faults);
  expect(await faults(again)).toEqual(await faults(ready));
  expect(rows[1]?.[4]).toMatch(
    /estimatedWeight must be a whole number .* \(WRONG_TYPE\); shipmentType is required|shipmentType is required/,
  );
});

test('progress is in the feed, without a shipment of its own', async () => {
  const ready = await imported(
    service.api,
    csvOf(
      ['shipmentType'],
      Array.from({ length: 250 }, () => ['HHG']),
    ),
  );
  await applied(service.api, ready);
  await allNumbered(service.sql);
  const { body } = await service.api.get(`/v1/events?resource=import&resourceID=${ready.id}&limit=100`);
  expect(body.map(({ type }: Json) => type)).toEqual([
    'import.created',
    ...Array.from({ length: 5 }, () => 'import.updated'),
  ]);
  expect(body[2].data).toMatchObject({
    shipmentID: null,
    moveID: null,
    changes: [
      { field: 'toCreate', from: 250, to: 150 },
      { field: 'created', from: 0, to: 100 },
    ],
  });
  expect(body.at(-1).data.changes).toMatchObject([
    { field: 'state', from: 'applying', to: 'applied' },
    { field: 'expiresAt' },
  ]);
});

test('an import that a replica left is resumed on behalf of the user who applied it', async () => {
  const ready = await imported(service.api, csvOf(['shipmentType'], [['HHG']]));
  await service.sql.query('BEGIN');
  await service.sql.query(`SET LOCAL waybill.author = E'request-9 ann\\x1fAnn Porter'`);
  await service.sql.query(`UPDATE imports SET state = 'applying' WHERE id = $1`, [ready.id]);
  await service.sql.query('COMMIT');
  const worker = service.app.get(ImportWorker);
  await worker.resumeStalled();
  expect((await service.api.get(`/v1/imports/${ready.id}`)).body.state).toBe('applying');
  await service.sql.query('ALTER TABLE imports DISABLE TRIGGER imports_version');
  await service.sql.query(`UPDATE imports SET updated_at = updated_at - interval '2 minutes' WHERE id = $1`, [
    ready.id,
  ]);
  await service.sql.query('ALTER TABLE imports ENABLE TRIGGER imports_version');
  await worker.resumeStalled();
  await untilApplied(service.api, ready.id);
  const [row] = await rowsOf(service.api, ready);
  const [{ changedBy, subject, requestID }] = (await entries(row.resourceID)) as [Json];
  expect({ changedBy, subject, requestID }).toEqual({
    changedBy: 'Ann Porter',
    subject: 'ann',
    requestID: 'request-9',
  });
});

test('imports are deleted with their rows when they have expired, and rows that an upload left behind', async () => {
  const ready = await imported(service.api, csvOf(['shipmentType'], [['HHG']]));
  const kept = await imported(service.api, csvOf(['shipmentType'], [['HHG']]));
  await service.sql.query(`UPDATE imports SET expires_at = now() - interval '1 second' WHERE id = $1`, [ready.id]);
  const old = '01900000-0000-7000-8000-000000000001';
  await service.sql.query(`INSERT INTO import_rows (import_id, line, outcome) VALUES ($1, 2, 'create')`, [old]);
  await service.app.get(Housekeeping).tidy();
  expectProblem(await service.api.get(`/v1/imports/${ready.id}`), 410, 'NOT_KEPT');
  const { rows } = await service.sql.query(
    'SELECT DISTINCT import_id AS id FROM import_rows WHERE import_id = ANY ($1)',
    [[ready.id, kept.id, old]],
  );
  expect(rows).toEqual([{ id: kept.id }]);
  await allNumbered(service.sql);
  const { body } = await service.api.get(`/v1/events?type=import.deleted&resourceID=${ready.id}`);
  expect(body.map(({ data }: Json) => data.changedBy)).toEqual(['housekeeping']);
});
