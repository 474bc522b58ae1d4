import { erase } from '../../tools/erase/erase.js';
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
    await traces.restore();
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

test('an erasure that stops after a batch has erased the answers to the events of that batch', async () => {
  const name = 'Ann Stopped';
  world.receiver.respond = ({ body }, response) => response.writeHead(200).end(body.slice(-1000));
  const webhook = await world.create({ payload: 'full' });
  for (let count = 0; count < 4; count += 1) await service.api.post('/v1/moves', {}, { 'X-Display-Name': name });
  await allNumbered(service.sql);
  await world.until(
    async () => (await world.deliveries(webhook, '?state=delivered')).length === 4,
    'all are delivered',
  );

  const client = await service.connect();
  const stop = (line: string) => {
    throw new Error(`stopped: ${line}`);
  };
  // The first batch ends with the creation of the first move.
  const { rows: before } = await client.query<{ entries: number }>(
    'SELECT count(*)::int AS entries FROM history WHERE position <= (SELECT min(position) FROM history WHERE changed_by = $1)',
    [name],
  );
  const batchSize = before[0]?.entries ?? 0;
  const erasing = erase(client, { target: { name }, batchSize, dryRun: false, say: stop });
  await expect(erasing).rejects.toThrow(/^stopped: 1 history entries/);
  await client.end();

  const { rows } = await service.sql.query<{ author: string; hasAnswer: boolean }>(`
    SELECT h.changed_by AS author, a.answer IS NOT NULL AS "hasAnswer"
    FROM webhook_attempts a
    JOIN webhook_deliveries d ON d.id = a.delivery_id
    JOIN events e ON e.number = d.event_number
    JOIN history h ON h.root_id = e.root_id AND h.position = e.position
    WHERE d.webhook_id = '${webhook.id}' AND h.type = 'created' ORDER BY h.position`);
  const isErased = { author: 'erased', hasAnswer: false };
  const isLeft = { author: name, hasAnswer: true };
  expect(rows).toEqual([isErased, isLeft, isLeft, isLeft]);
});
