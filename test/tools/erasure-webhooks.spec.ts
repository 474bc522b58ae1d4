import { erased, tablesWith } from '../support/records/erasing.js';
import { createAgent, createShipment } from '../support/records/records.js';
import { LOOPBACK, WebhookWorld } from '../support/records/webhooks.js';
import { useService } from '../support/service/service.js';

const service = useService(LOOPBACK);
const world = new WebhookWorld(service);

const SECRET = 'Q8-Ermintrude';

test('answers of receivers that repeat what they were sent are erased, and those about other records are kept', async () => {
  const other = await createShipment(service.api);
  const webhook = await world.create({ payload: 'full', types: ['shipment.updated', 'agent.created'] });
  world.receiver.respond = ({ body }, response) => response.writeHead(200).end(body.slice(-1000));
  const shipment = await createShipment(service.api, { customerRemarks: 'before' });
  await service.api.patch(`/v1/shipments/${shipment.id}`, '*', { customerRemarks: SECRET });
  await createAgent(service.api, { firstName: SECRET }, shipment);
  await service.api.patch(`/v1/shipments/${other.id}`, '*', { customerRemarks: 'kept' });
  const delivered = async () => (await world.deliveries(webhook, '?state=delivered')).length === 3;
  await world.until(delivered, 'three are delivered');
  await service.api.delete(`/v1/shipments/${shipment.id}`);
  expect(await tablesWith(service.sql, SECRET)).toContain('webhook_attempts');

  expect((await erased(service, { recordID: shipment.id }, { dryRun: true })).keptAnswers).toBe(2);
  expect((await erased(service, { recordID: shipment.id })).keptAnswers).toBe(2);

  expect(await tablesWith(service.sql, SECRET)).toEqual([]);
  expect(await tablesWith(service.sql, other.id)).toContain('webhook_attempts');
  const answers = (await world.deliveries(webhook)).flatMap(({ attempts }) => attempts);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
});
