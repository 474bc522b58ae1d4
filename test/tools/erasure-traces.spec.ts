import type { Json } from '../support/http/api.js';
import { erased, tablesWith } from '../support/records/erasing.js';
import { allNumbered } from '../support/records/events.js';
import { Traces } from '../support/records/traces.js';
import { LOOPBACK, WebhookWorld } from '../support/records/webhooks.js';
import { useService } from '../support/service/service.js';

const service = useService({ ...LOOPBACK, POOL_SIZE: '3' });
const world = new WebhookWorld(service);

describe.each([
  ['with Idempotency-Keys', true],
  ['without Idempotency-Keys', false],
])('%s', (title, isKeyed) => {
  const NAME = `Zoë "Q" ${isKeyed ? 'Keyed' : 'Plain'}`;
  const TEXT = `Zeb${isKeyed ? '17' : '18'}`;
  let traces: Traces;
  let imports: Json[];
  let webhook: Json;

  beforeEach(async () => {
    world.receiver.respond = ({ body }, response) => response.writeHead(200).end(body.slice(-1000));
    webhook = await world.create({ payload: 'full' });
    traces = new Traces(service.api.as({ 'X-Display-Name': encodeURIComponent(NAME) }), isKeyed, TEXT);
    await traces.single();
    await traces.bulk();
    imports = await traces.files();
    await traces.remove();
    await allNumbered(service.sql);
    await world.until(
      async () => (await world.deliveries(webhook, '?state=pending')).length === 0,
      'all are delivered',
    );
    const [{ id = '' } = {}] = await world.deliveries(webhook);
    await traces.redeliver(webhook.id, id);
  });

  test(`nothing is left of what was written, nor of who wrote it`, async () => {
    const written = ['webhook_attempts', 'import_rows', ...(isKeyed ? ['idempotency_keys'] : [])];
    expect(await tablesWith(service.sql, TEXT)).toEqual(expect.arrayContaining(written));
    const named = ['webhook_attempts', 'import_rows', 'imports', ...(isKeyed ? ['idempotency_keys'] : [])];
    expect(await tablesWith(service.sql, `Zoë `)).toEqual(expect.arrayContaining(named));

    for (const id of traces.records) await erased(service, { recordID: id }, { batchSize: 7 });
    // Rows that were refused belong to no record.
    for (const { id } of imports) await erased(service, { recordID: id });
    expect(await tablesWith(service.sql, TEXT)).toEqual([]);

    const { entries, said } = await erased(service, { name: NAME }, { batchSize: 11 });
    expect(entries).toBeGreaterThan(50);
    expect(said).toContain('Nothing is left in this database.');
    for (const part of ['Zoë ', NAME.slice(-5)])
      expect([title, await tablesWith(service.sql, part)]).toEqual([title, []]);
  });
});
