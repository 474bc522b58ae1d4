import { eventTypesOf } from '../../src/history/change-types.js';
import { ALL_RESOURCES } from '../../src/model/resources.js';
import type { Json } from '../support/http/api.js';
import { Receiver, verifyByReference } from '../support/http/receiver.js';
import { deleted, undelete } from '../support/records/deletions.js';
import { erased } from '../support/records/erasing.js';
import { allNumbered } from '../support/records/events.js';
import { applied, csvOf, imported } from '../support/records/imports.js';
import { KINDS } from '../support/records/records.js';
import { LOOPBACK, WebhookWorld } from '../support/records/webhooks.js';
import { useService } from '../support/service/service.js';

const service = useService(LOOPBACK);
const world = new WebhookWorld(service);

const EVERY_TYPE = eventTypesOf(ALL_RESOURCES);

test('every type of event is delivered once and signed, with a thin and with a full payload', async () => {
  const { api, sql } = service;
  const another = await Receiver.start();
  const subscribe = (payload: string, { url }: Receiver) => world.create({ types: EVERY_TYPE, payload, url });
  const subscribed = [
    { receiver: world.receiver, webhook: await subscribe('thin', world.receiver) },
    { receiver: another, webhook: await subscribe('full', another) },
  ];
  const ids: string[] = [];

  for (const { path, create, full, optional } of KINDS) {
    const { agentType: _, ...fields } = full;
    const record = await create(api, fields);
    const { body: changed } = await api.patch(`${path}/${record.id}`, record.eTag, { [optional]: null });
    if (path === '/v1/shipments') {
      await api.patch(`/prime/v1/shipments/${record.id}/updateStatus`, changed.eTag, { status: 'APPROVED' });
    }
    const { deletionETag } = await deleted(api, `${path}/${record.id}`);
    await undelete(api, `${path}/${record.id}`, deletionETag);
    await api.delete(`${path}/${record.id}`);
    ids.push(record.id);
  }
  const ready = await imported(api, csvOf(['shipmentType'], [['HHG']]));
  await applied(api, ready);
  await sql.query('DELETE FROM imports WHERE id = $1', [ready.id]);
  const { body: other } = await api.post('/v1/webhooks', { url: world.receiver.url, types: ['import.created'] });
  const path = `/v1/webhooks/${other.id}`;
  const { body: changed } = await api.patch(path, other.eTag, { description: 'x' });
  await api.patch(path, changed.eTag, { enabled: false });
  await api.delete(path);
  const { body: key } = await api.post('/v1/keys', { name: 'x', scopes: ['moves:read'] });
  await api.patch(`/v1/keys/${key.id}`, key.eTag, { name: 'y' });
  await api.delete(`/v1/keys/${key.id}`);
  await allNumbered(sql);
  for (const recordID of [...ids, ready.id, other.id, key.id]) await erased(service, { recordID });

  for (const { receiver, webhook } of subscribed) {
    await world.until(() => new Set(receiver.types).size === EVERY_TYPE.length, 'every type is delivered');
    expect([...new Set(receiver.types)].sort()).toEqual([...EVERY_TYPE].sort());
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(receiver.received.length);
    for (const received of receiver.received) {
      verifyByReference(webhook.secret, received);
      expect(() => verifyByReference(other.secret, received)).toThrow();
      expectForm(webhook.payload, received.event);
    }
    await world.until(async () => (await world.state(webhook)).lastDeliveryAt !== null, 'the delivery shows');
  }
  await another.stop();
});

/** Thin payloads have the names of changed fields and no author. */
function expectForm(payload: string, { type, data }: Json): void {
  const names = payload === 'full' ? ['field', 'from', 'to'] : ['field'];
  expect([type, 'changedBy' in data]).toEqual([type, payload === 'full']);
  for (const change of data.changes) expect([type, Object.keys(change)]).toEqual([type, names]);
}
