// Not through PgBouncer: it checks functions and answers that no connection affects.
import type { Json } from '../support/http/api.js';
import { createAgent, createService, createShipment } from '../support/records/records.js';
import { bearer, signToken, useSecuredService } from '../support/http/tokens.js';

const SCOPES = 'moves:read moves:write shipments:read shipments:write shipments:status';

const { service, key } = useSecuredService({ JWT_NAME_CLAIM: 'name' });

async function caller(subject: string, claims: Record<string, unknown> = {}): Promise<{ Authorization: string }> {
  return bearer(await signToken(key, { subject, scope: SCOPES, claims }));
}

/** The authors in the history of a shipment, newest first. */
async function authorsOf(shipmentID: string, headers: { Authorization: string }): Promise<[string, string][]> {
  const { body } = await service.api.get<Json[]>(`/v1/shipments/${shipmentID}/history`, headers);
  return body.map(({ changedBy, subject }) => [changedBy, subject]);
}

/** The history entry of a PATCH that was sent with such a claim. */
async function authorWith(claims: Record<string, unknown>): Promise<[string, string] | undefined> {
  const ann = await caller('dispatcher-7', claims);
  const { body } = await service.api.post('/v1/shipments', { shipmentType: 'HHG' }, ann);
  const patched = await service.api.patch(`/v1/shipments/${body.id}`, body.eTag, { customerRemarks: 'new' }, ann);
  expect(patched.status).toBe(200);
  return (await authorsOf(body.id, ann))[0];
}

test('every kind of write keeps the name and the subject', async () => {
  const ann = await caller('dispatcher-7', { name: 'Ann Porter' });
  const api = service.api.as(ann);
  const shipment = await createShipment(api);
  const path = `/v1/shipments/${shipment.id}`;
  const { body: patched } = await api.patch(path, shipment.eTag, { customerRemarks: 'new' });
  await api.patch(`/prime${path}/updateStatus`, patched.eTag, { status: 'APPROVED' });
  const agent = await createAgent(api, {}, shipment);
  await api.delete(`/v1/agents/${agent.id}`);
  await createService(api, {}, shipment);
  await api.delete(path);
  const authors = await authorsOf(shipment.id, ann);
  expect(authors.length).toBeGreaterThanOrEqual(7);
  for (const author of authors) expect(author).toEqual(['Ann Porter', 'dispatcher-7']);
});

test('a 412 names the person', async () => {
  const [ann, ben] = [await caller('dispatcher-7', { name: 'Ann Porter' }), await caller('b-2', { name: 'Ben Ode' })];
  const { body } = await service.api.post('/v1/shipments', { shipmentType: 'HHG' }, ann);
  const path = `/v1/shipments/${body.id}`;
  await service.api.patch(path, body.eTag, { customerRemarks: 'by Ann' }, ann);
  const refused = await service.api.patch(path, body.eTag, { customerRemarks: 'by Ben' }, ben);
  expect(refused).toMatchObject({ status: 412, body: { changes: [{ changedBy: 'Ann Porter' }] } });
});

test.each([
  ['Zoë 😀'],
  ['O\'Neil \\ "quoted"; DROP TABLE history; --'],
  ['x'.repeat(255)],
  ['  two blanks '],
  ['anonymous'],
])('a name is kept as it is: %s', async (name) => {
  expect(await authorWith({ name })).toEqual([name, 'dispatcher-7']);
});

test.each([
  [undefined],
  [null],
  [''],
  [7],
  [true],
  [['Ann']],
  [{ first: 'Ann' }],
  ['x'.repeat(256)],
  ['a\u001fb'],
  ['a\u0000b'],
  ['a\nb'],
  ['\ud800'],
])('a caller is shown by the subject when the claim is %j', async (name) => {
  expect(await authorWith({ name })).toEqual(['dispatcher-7', 'dispatcher-7']);
});

test('two callers of one name do not share an Idempotency-Key', async () => {
  const made = await Promise.all(
    ['one', 'two'].map(async (subject) =>
      service.api.post('/v1/moves', {}, { ...(await caller(subject, { name: 'Ann' })), 'Idempotency-Key': 'shared' }),
    ),
  );
  expect(made.map(({ status }) => status)).toEqual([201, 201]);
  expect(made[0]?.body.id).not.toBe(made[1]?.body.id);
});
