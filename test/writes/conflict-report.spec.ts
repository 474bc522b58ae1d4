import type { Answer, Json } from '../support/http/api.js';
import { untilBlocked } from '../support/database/activity.js';
import { countQueries } from '../support/database/queries.js';
import { expectProblem } from '../support/http/problem.js';
import { ADDRESS, createShipment } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService();

interface Stale {
  readonly path: string;
  readonly base: Json;
  readonly current: Json;
}

/** A shipment that somebody changed after `base` was read. */
async function changedMeanwhile(change: object, fields: object = {}): Promise<Stale> {
  const base = await createShipment(service.api, { destinationAddress: ADDRESS, estimatedWeight: 100, ...fields });
  const path = `/v1/shipments/${base.id}`;
  const { body: current } = await service.api.patch(path, base.eTag, change);
  return { path, base, current };
}

function changesOf(answer: Answer<Json>): Json[] {
  return expectProblem(answer, 412, 'PRECONDITION_FAILED').changes;
}

test('a stale PATCH is told what changed, by whom and when, and that it may simply be repeated', async () => {
  const { path, base, current } = await changedMeanwhile({ destinationAddress: { city: 'Shelbyville' } });
  const answer = await service.api.patch(path, base.eTag, { estimatedWeight: 200 });
  expect(changesOf(answer)).toEqual([
    {
      field: 'destinationAddress/city',
      base: 'Springfield',
      current: 'Shelbyville',
      changedBy: 'anonymous',
      changedAt: current.updatedAt,
      conflicting: false,
    },
  ]);
  expect(answer.body.currentETag).toBe(current.eTag);
  expect((await service.api.patch(path, answer.body.currentETag, { estimatedWeight: 200 })).status).toBe(200);
});

test('a PATCH that clears an address is in conflict with each changed field of it', async () => {
  const { path, base } = await changedMeanwhile({ destinationAddress: { city: 'Shelbyville', state: 'KY' } });
  const changes = changesOf(await service.api.patch(path, base.eTag, { destinationAddress: null }));
  expect(changes.map(({ field, conflicting }) => [field, conflicting])).toEqual([
    ['destinationAddress/city', true],
    ['destinationAddress/state', true],
  ]);
});

test('a PUT writes every field, also those it leaves out, but none of the server', async () => {
  const { path, base, current } = await changedMeanwhile({ estimatedWeight: 200, customerRemarks: 'new' });
  await service.api.patch(`/prime${path}/updateStatus`, current.eTag, { status: 'APPROVED' });
  const changes = changesOf(await service.api.put(path, base.eTag, { shipmentType: 'HHG', estimatedWeight: 200 }));
  expect(changes.map(({ field, conflicting }) => [field, conflicting])).toEqual(
    expect.arrayContaining([
      ['status', false],
      ['estimatedWeight', false],
      ['customerRemarks', true],
    ]),
  );
  expect(changes).toHaveLength(3);
});

test('a stale PUT of an address is told which of its fields changed', async () => {
  const { base } = await changedMeanwhile({ destinationAddress: { city: 'Shelbyville' }, estimatedWeight: 200 });
  const path = `/v1/mto-shipment/${base.id}/address/${base.destinationAddress.id}`;
  const changes = changesOf(await service.api.put(path, base.eTag, { ...ADDRESS, streetAddress2: 'Door 2' }));
  expect(changes.map(({ field, conflicting }) => [field, conflicting])).toEqual(
    expect.arrayContaining([
      ['destinationAddress/city', true],
      ['estimatedWeight', false],
    ]),
  );
});

test('a stale updateStatus is told of the status it would have replaced', async () => {
  const { base, current } = await changedMeanwhile({});
  const path = `/prime/v1/shipments/${base.id}/updateStatus`;
  await service.api.patch(path, current.eTag, { status: 'REJECTED', rejectionReason: 'too far' });
  const changes = changesOf(await service.api.patch(path, base.eTag, { status: 'APPROVED' }));
  expect(changes).toMatchObject([
    { field: 'status', base: 'SUBMITTED', yours: 'APPROVED', current: 'REJECTED', conflicting: true },
    { field: 'rejectionReason', base: null, yours: null, current: 'too far', conflicting: true },
  ]);
});

test('of three writers in a row each field names the last one who changed it', async () => {
  const base = await createShipment(service.api, { estimatedWeight: 1, actualWeight: 1, customerRemarks: 'a' });
  const path = `/v1/shipments/${base.id}`;
  const first = await service.api.patch(path, base.eTag, { estimatedWeight: 2, actualWeight: 2 });
  const second = await service.api.patch(path, first.body.eTag, { estimatedWeight: 3, customerRemarks: 'b' });
  const third = await service.api.patch(path, second.body.eTag, { customerRemarks: 'a' });
  const changes = changesOf(await service.api.patch(path, base.eTag, { shipmentType: 'X' }));
  // The remarks are back at what the client knows: nothing to tell.
  expect(changes.map(({ field, base: from, current, changedAt }) => [field, from, current, changedAt])).toEqual([
    ['estimatedWeight', 1, 3, second.body.updatedAt],
    ['actualWeight', 1, 2, first.body.updatedAt],
  ]);
  const later = changesOf(await service.api.patch(path, second.body.eTag, { shipmentType: 'X' }));
  expect(later.map(({ field, changedAt }) => [field, changedAt])).toEqual([['customerRemarks', third.body.updatedAt]]);
});

/** Each time in a transaction of its own: within one, every update reads all versions of the row before it. */
async function weighOften({ id }: Json, times: number): Promise<void> {
  await service.sql.query(`DO $$ BEGIN FOR weight IN 1..${times} LOOP
    UPDATE shipments SET estimated_weight = weight WHERE id = '${id}'; COMMIT; END LOOP; END $$`);
}

test('a change has its author behind hundreds of others, and none more than 1,000 versions back', async () => {
  const base = await createShipment(service.api, { actualWeight: 1 });
  const refused = async () => changesOf(await service.api.patch(`/v1/shipments/${base.id}`, base.eTag, {}));
  const { rows } = await service.sql.query<{ at: string }>(
    'UPDATE shipments SET actual_weight = 2 WHERE id = $1 RETURNING iso_ms(updated_at) AS at',
    [base.id],
  );
  await weighOften(base, 250);
  const actual = { field: 'actualWeight', base: 1, current: 2, conflicting: false };
  expect(await refused()).toContainEqual({ ...actual, changedAt: rows[0]?.at, changedBy: 'sql:waybill' });
  await weighOften(base, 751);
  expect(await refused()).toEqual([
    expect.objectContaining({ field: 'estimatedWeight', current: 751, changedBy: 'sql:waybill' }),
    actual,
  ]);
});

/** A shipment whose every text is as long as it may be, of characters that take four bytes. */
function largest(character: string): object {
  const text = (length: number) => character.repeat(length);
  const address = {
    streetAddress1: text(255),
    streetAddress2: text(255),
    streetAddress3: text(255),
    city: text(100),
    state: text(64),
    postalCode: text(20),
    country: text(64),
  };
  return { shipmentType: text(64), pickupAddress: address, destinationAddress: address, customerRemarks: text(2000) };
}

test('the largest report has the three whole values of each field once', async () => {
  const { base, current } = await changedMeanwhile(largest('🚛'), largest('🚚'));
  const reject = { status: 'REJECTED', rejectionReason: '🛑'.repeat(2000) };
  await service.api.patch(`/prime/v1/shipments/${base.id}/updateStatus`, current.eTag, reject);
  const answer = await service.api.patch(`/v1/shipments/${base.id}`, base.eTag, largest('🚜'));
  const changes = changesOf(answer);
  expect(changes.map(({ field }) => field)).toHaveLength(18);
  expect(new Set(changes.map(({ field }) => field)).size).toBe(18);
  expect(changes).toContainEqual(
    expect.objectContaining({
      field: 'customerRemarks',
      base: '🚚'.repeat(2000),
      yours: '🚜'.repeat(2000),
      current: '🚛'.repeat(2000),
    }),
  );
  const versions = [base, current, largest('🚜')].map((version) => JSON.stringify({ ...version, ...reject }));
  expect(Buffer.byteLength(JSON.stringify(answer.body))).toBeLessThan(Buffer.byteLength(versions.join()));
});

/** A refusal as it reads, for each way to be refused. */
const REASONS: [string, (stale: Stale) => { eTag: string; body: object }, RegExp, conflicting: boolean | undefined][] =
  [
    [
      'changed, none of it yours',
      ({ base }) => ({ eTag: base.eTag, body: { actualWeight: 7 } }),
      /in none of the fields that you write\. Repeat the request with currentETag\./,
      false,
    ],
    [
      'changed, in your way',
      ({ base }) => ({ eTag: base.eTag, body: { estimatedWeight: 7 } }),
      /^A field that you write was changed to another value/,
      true,
    ],
    [
      'changed, and you clear it',
      ({ base }) => ({ eTag: base.eTag, body: { estimatedWeight: null } }),
      /^A field that you write was changed to another value/,
      true,
    ],
    [
      'the same change was made already',
      ({ base }) => ({ eTag: base.eTag, body: { estimatedWeight: 200 } }),
      /already has every value that you send: nothing is left to do\./,
      false,
    ],
    [
      'the current version as a weak tag',
      ({ current }) => ({ eTag: `W/"${current.eTag}"`, body: { estimatedWeight: 7 } }),
      /^If-Match names the current version with a weak tag/,
      undefined,
    ],
    [
      'a weak tag of an older version',
      ({ base }) => ({ eTag: `W/"${base.eTag}"`, body: { actualWeight: 7 } }),
      /in none of the fields that you write/,
      false,
    ],
    [
      'a version this record never had',
      () => ({ eTag: '0'.repeat(64), body: { estimatedWeight: 7 } }),
      /^The history of this record has no version with the eTag in If-Match/,
      undefined,
    ],
    ['no version at all', () => ({ eTag: ',', body: {} }), /^If-Match is empty\./, undefined],
  ];

test.each(REASONS)('the detail of a 412 says what is so: %s', async (_, request, detail, conflicting) => {
  const stale = await changedMeanwhile({ estimatedWeight: 200 });
  const { eTag, body } = request(stale);
  const problem = expectProblem(await service.api.patch(stale.path, eTag, body), 412, 'PRECONDITION_FAILED');
  expect(problem.detail).toMatch(detail);
  expect(problem.detail).toMatch(/ Nothing was written\.$/);
  const changes = conflicting === undefined ? undefined : [{ field: 'estimatedWeight', conflicting }];
  expect({ changes: problem.changes }).toMatchObject({ changes });
  expect(problem.currentETag).toBe(stale.current.eTag);
});

test('yours is what the refused request sent, also when it is no acceptable value', async () => {
  const { path, base } = await changedMeanwhile({ estimatedWeight: 200 });
  for (const yours of [7, null, 'heavy', 1.5, { pounds: 3 }, [1]]) {
    expect(changesOf(await service.api.patch(path, base.eTag, { estimatedWeight: yours }))).toMatchObject([
      { base: 100, yours, current: 200, conflicting: true },
    ]);
  }
});

test('a record that was changed and changed back has no changes, and says so truthfully', async () => {
  const { path, base, current } = await changedMeanwhile({ estimatedWeight: 200 });
  await service.api.patch(path, current.eTag, { estimatedWeight: 100 });
  const problem = expectProblem(
    await service.api.patch(path, base.eTag, { actualWeight: 1 }),
    412,
    'PRECONDITION_FAILED',
  );
  expect(problem.changes).toEqual([]);
  expect(problem.detail).toMatch(/in none of the fields that you write/);
});

test('no other writer waits while a 412 is explained', async () => {
  const { path, base, current } = await changedMeanwhile({ estimatedWeight: 200 });
  const reader = await service.connect();
  // Blocks every reader of history: the explanation has to wait, and must not hold the lock on the row meanwhile.
  await reader.query('BEGIN');
  await reader.query('LOCK TABLE history IN ACCESS EXCLUSIVE MODE');
  const refused = service.api.patch(path, base.eTag, { actualWeight: 7 });
  await untilBlocked(service.sql);
  const { rows } = await service.sql.query(
    'SELECT etag_of(updated_at) AS e_tag FROM shipments WHERE id = $1 FOR UPDATE NOWAIT',
    [base.id],
  );
  expect(rows).toEqual([{ e_tag: current.eTag }]);
  await reader.query('ROLLBACK');
  await reader.end();
  expect((await refused).status).toBe(412);
});

test('agents have a conflict report too', async () => {
  const shipment = await createShipment(service.api);
  const { body: agent } = await service.api.post(`/v1/shipments/${shipment.id}/agents`, {
    agentType: 'RELEASING_AGENT',
    firstName: 'Ada',
    phone: '555-0100',
  });
  await service.api.patch(`/v1/agents/${agent.id}`, agent.eTag, { phone: '555-0199' });
  const changes = changesOf(await service.api.delete(`/v1/agents/${agent.id}`, { 'If-Match': agent.eTag }));
  expect(changes).toMatchObject([{ field: 'phone', base: '555-0100', current: '555-0199', conflicting: false }]);
  expect(changes[0]).not.toHaveProperty('yours');
});

test('a success costs the same statements whether there is a history or not', async () => {
  const shipment = await createShipment(service.api);
  const path = `/v1/shipments/${shipment.id}`;
  let { eTag } = shipment;
  const write = async () => {
    ({ eTag } = (await service.api.patch(path, eTag, {})).body);
  };
  const first = await countQueries(write);
  for (let turn = 0; turn < 5; turn += 1) await write();
  expect(await countQueries(write)).toBe(first);
  expect(first).toBe(5);
});
