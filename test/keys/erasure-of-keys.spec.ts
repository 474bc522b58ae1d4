import type { Json } from '../support/http/api.js';
import { useServiceWithKeys } from '../support/http/keys.js';
import { bearer } from '../support/http/tokens.js';
import { erased, tablesWith } from '../support/records/erasing.js';
import { applied, csvOf, imported } from '../support/records/imports.js';
import { createShipment } from '../support/records/records.js';
import { LOOPBACK } from '../support/records/webhooks.js';

const { service, withToken, createKey } = useServiceWithKeys(LOOPBACK);
const SCOPES = ['moves:read', 'moves:write', 'shipments:read', 'shipments:write', 'webhooks:write', 'keys:write'];
const NAME = 'Florence "Flo" Dougal';

/** Everything that names a key: history, an import, a conflict in a row, a webhook, a key that it has created, stored responses. */
async function work(key: string): Promise<Json> {
  const flo = service.api.as({ ...bearer(key) });
  const once = () => ({ 'Idempotency-Key': crypto.randomUUID() });
  const shipment = await createShipment(flo, { customerRemarks: 'first' });
  const path = `/v1/shipments/${shipment.id}`;
  const columns = ['id', 'eTag', 'customerRemarks'];
  expect((await flo.patch(path, shipment.eTag, { customerRemarks: 'second' }, once())).status).toBe(200);
  const admin = await withToken(SCOPES.join(' '), 'ben');
  await imported(admin, csvOf(columns, [[shipment.id, shipment.eTag, 'from a file']]));
  await applied(flo, await imported(flo, csvOf(['shipmentType'], [['HHG']]), once()));
  const webhook = { url: 'https://127.0.0.1:9/', types: ['move.created'] };
  expect((await flo.post('/v1/webhooks', webhook, once())).status).toBe(201);
  expect((await flo.post('/v1/keys', { name: 'child', scopes: ['moves:read'] }, once())).status).toBe(201);
  return shipment;
}

test('nothing names a revoked key that was erased, as a subject and as a record', async () => {
  const { key, id } = await createKey({ scopes: SCOPES, name: NAME });
  const shipment = await work(key);
  const admin = await withToken(`keys:read ${SCOPES.join(' ')}`, 'ben');
  expect((await admin.patch(`/v1/keys/${id}`, '*', { name: `${NAME}, depot 2` })).status).toBe(200);
  expect((await admin.delete(`/v1/keys/${id}`)).status).toBe(204);
  expect(await tablesWith(service.sql, 'Dougal')).toEqual(expect.arrayContaining(['idempotency_keys', 'import_rows']));

  const { entries } = await erased(service, { subject: `key:${id}` });
  expect(entries).toBeGreaterThan(4);
  expect(await tablesWith(service.sql, `key:${id}`)).toEqual([]);
  const { body: history } = await admin.get<Json[]>(`/v1/shipments/${shipment.id}/history`);
  expect(history.at(-1)).toMatchObject({ type: 'created', changedBy: 'erased', subject: 'erased' });
  // What the key was called is in its own record.
  await erased(service, { recordID: id });
  expect(await tablesWith(service.sql, 'Dougal')).toEqual([]);
  const child = (await admin.get<Json[]>('/v1/keys')).body.find(({ name }) => name === 'child');
  expect(child).toMatchObject({ createdBy: 'erased', creatorLacks: ['moves:read'] });
});
