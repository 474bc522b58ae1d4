import { deleted, undelete } from '../support/records/deletions.js';
import { createMove } from '../support/records/records.js';
import { LOOPBACK, WebhookWorld } from '../support/records/webhooks.js';
import { useService } from '../support/service/service.js';

const service = useService(LOOPBACK);
const world = new WebhookWorld(service);

test('a receiver of creations also gets records that come back, one of changes does not', async () => {
  const ofCreations = await world.create({ types: ['move.created'] });
  const ofChanges = await world.create({ types: ['move.updated', 'shipment.created'] });
  const { id } = await createMove(service.api);
  const { deletionETag } = await deleted(service.api, `/v1/moves/${id}`);
  const { body } = await undelete(service.api, `/v1/moves/${id}`, deletionETag);
  await service.api.patch(`/v1/moves/${id}`, body.eTag, { remarks: 'x' });
  await world.until(() => world.receiver.types.includes('move.updated'), 'the last change');
  await world.until(() => world.receiver.types.length >= 3, 'all deliveries');
  const typesOf = async (webhook: object) => (await world.deliveries(webhook)).map(({ type }) => type).sort();
  expect(await typesOf(ofCreations)).toEqual(['move.created', 'move.restored']);
  expect(await typesOf(ofChanges)).toEqual(['move.updated']);
});
