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

test('an answer that a receiver gives after the author was erased is erased by the same command, and later ones are kept', async () => {
  const webhook = await world.create({ payload: 'full', types: ['shipment.created'] });
  let answer: () => unknown = () => undefined;
  world.receiver.respond = ({ body }, response) => {
    answer = () => response.writeHead(200).end(body.slice(-1000));
  };
  const author = { 'X-Display-Name': 'Ermintrude' };
  const shipment = await createShipment(service.api.as(author));
  await world.received(1);
  expect(await erased(service, { name: 'Ermintrude' })).toMatchObject({ entries: 2, keptAnswers: 0 });

  answer();
  await world.until(async () => (await world.deliveries(webhook, '?state=delivered')).length === 1, 'it is delivered');
  expect(await tablesWith(service.sql, 'Ermintrude')).toEqual(['webhook_attempts']);
  expect(await erased(service, { name: 'Ermintrude' }, { dryRun: true })).toMatchObject({ keptAnswers: 1 });
  expect(await erased(service, { name: 'Ermintrude' })).toMatchObject({ keptAnswers: 1 });
  expect(await tablesWith(service.sql, 'Ermintrude')).toEqual([]);

  // An attempt long after the erasure cannot have the name.
  await service.sql.query(
    `UPDATE webhook_attempts SET answer = 'later', attempted_at = now() + interval '1 hour'
     WHERE delivery_id IN (SELECT id FROM webhook_deliveries WHERE record_id = $1)`,
    [shipment.id],
  );
  expect(await erased(service, { name: 'Ermintrude' })).toMatchObject({ keptAnswers: 0 });
  expect(await tablesWith(service.sql, 'later')).toEqual(['webhook_attempts']);
});
