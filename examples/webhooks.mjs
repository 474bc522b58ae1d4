// Deliveries of a webhook to a receiver that fails now and then:  npm run demo -- webhooks
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { WaybillClient } from '@waybill/client';
import { startThrowawayPostgres } from '@waybill/embedded-postgres/throwaway';
import { readCommandLine } from '../dist/src/config/command-line.js';
import { startService } from './race/throwaway-service.mjs';
import { receiver } from './webhook-receiver/receiver.mjs';

const USAGE = `Starts a service and a receiver that fails now and then, changes shipments, and shows the deliveries.

  npm run demo -- webhooks`;

const SHIPMENTS = 4;
/** Every so many calls, the receiver fails. */
const FAILS_EVERY = 3;

readCommandLine(USAGE, {});
const print = (text) => process.stdout.write(`${text}\n`);
const postgres = await startThrowawayPostgres();
const service = await startService({
  PATH: process.env.PATH,
  PORT: '0',
  DATABASE_URL: postgres.url,
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
});
const waybill = new WaybillClient({ baseUrl: service.url });
const secrets = [];
let calls = 0;
const server = receiver(secrets, ({ type, subject, sequence }) => {
  calls += 1;
  if (calls % FAILS_EVERY === 0) {
    print(`  ✗ ${type} ${subject}: the receiver answers 500, the service will repeat it`);
    throw new Error('out of order');
  }
  print(`  ✓ ${type} ${subject} (event ${Number(sequence)})`);
});
await once(server.listen(0, '127.0.0.1'), 'listening');
const url = `http://127.0.0.1:${server.address().port}/`;
const webhook = await waybill.webhooks.create({ url, types: ['shipment.created', 'shipment.updated'] });
secrets.push(webhook.secret);
print(`The webhook ${webhook.id} calls ${url}`);

for (let count = 1; count <= SHIPMENTS; count += 1) {
  const { id } = await waybill.shipments.create({ shipmentType: 'HHG' });
  await waybill.shipments.update(id, () => ({ estimatedWeight: 1000 * count }));
}
const pending = async () => (await waybill.webhooks.deliveries(webhook.id, { state: ['pending'] }).page()).items.length;
const until = Date.now() + 20_000;
do await sleep(500);
while ((await pending()) > 0 && Date.now() < until);

for await (const { type, state, attempts } of waybill.webhooks.deliveries(webhook.id)) {
  print(
    `${state.padEnd(9)} ${type.padEnd(16)} ${attempts
      .map(({ status }) => status)
      .reverse()
      .join(', ')}`,
  );
}
server.close();
await service.stop();
await postgres.stop();
