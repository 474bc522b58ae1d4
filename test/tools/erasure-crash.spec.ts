import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { erase } from '../../tools/erase/erase.js';
import type { Target } from '../../tools/erase/erasure.js';
import type { Json } from '../support/http/api.js';
import { erased, runErase, tablesWith } from '../support/records/erasing.js';
import { allNumbered } from '../support/records/events.js';
import { csvOf, imported } from '../support/records/imports.js';
import { createShipment } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService({ POOL_SIZE: '3' });

interface World {
  readonly id: string;
  readonly secret: string;
  readonly name: string;
  readonly importID: string;
}

/** A deleted shipment with a stored response, and an import that conflicts with a change by the same person. */
async function world(): Promise<World> {
  const mark = randomUUID().slice(0, 8);
  const [secret, name] = [`Q-${mark}`, `Ann ${mark}`];
  const api = service.api.as({ 'X-Display-Name': encodeURIComponent(name), 'Idempotency-Key': mark });
  const base = await createShipment(api, { customerRemarks: secret });
  const path = `/v1/shipments/${base.id}`;
  await api.patch(path, base.eTag, { customerRemarks: `${secret} again` });
  const file = csvOf(['id', 'eTag', 'customerRemarks'], [[base.id, base.eTag, `${secret} mine`]]);
  const { id: importID } = await imported(api, file);
  await service.api.delete(path);
  return { id: base.id, secret, name, importID };
}

/** Runs an erasure whose process is killed after a number of commits. Returns whether it ended before. */
async function endedBefore(target: Target, kill: number, batchSize: number): Promise<boolean> {
  const client = await service.connect();
  client.on('error', () => undefined);
  const query = client.query.bind(client) as (text: unknown, values?: unknown[]) => Promise<unknown>;
  let commits = 0;
  const killing = async (text: unknown, values?: unknown[]) => {
    if (commits === kill) throw new Error('killed');
    const result = await query(text, values);
    if (text === 'COMMIT') commits += 1;
    return result;
  };
  const order = { target, batchSize, dryRun: false, say: () => undefined };
  try {
    await erase(Object.assign(Object.create(client) as Client, { query: killing }), order);
    return true;
  } catch (error) {
    expect((error as Error).message).toBe('killed');
    return false;
  } finally {
    await client.end();
  }
}

const EVERY_STEP = Array.from({ length: 20 }, (_, index) => index);
const SOME_STEPS = [0, 1, 2, 3, 5, 8, 13, 21, 34, 55];

test.each([
  ['a record', EVERY_STEP, 2, ({ id }: World) => ({ recordID: id }), ({ secret }: World) => secret],
  // Examines the entries of all worlds.
  ['a name', SOME_STEPS, 50, ({ name }: World) => ({ name }), ({ name }: World) => name],
])(
  '%s: killed between any two steps and run again, nothing is left, and it is recorded once',
  async (_, steps, batchSize, targetOf, textOf) => {
    let counted: Json;
    for (const kill of steps) {
      const made = await world();
      const isOver = await endedBefore(targetOf(made), kill, batchSize);
      const { entries, importRows, keptAnswers } = isOver
        ? { entries: 0, importRows: 0, keptAnswers: 0 }
        : await erased(service, targetOf(made), { batchSize });
      const left = await tablesWith(service.sql, textOf(made));
      expect([kill, left.filter((table) => table !== 'idempotency_keys' || !('recordID' in targetOf(made)))]).toEqual([
        kill,
        [],
      ]);
      if (isOver) return;
      counted ??= { entries, importRows, keptAnswers };
      expect([kill, { entries, importRows, keptAnswers }]).toEqual([kill, counted]);
      await allNumbered(service.sql);
      const { body } = await service.api.get(`/v1/events?limit=1000&type=shipment.erased&resourceID=${made.id}`);
      expect([kill, body.length]).toEqual([kill, 1]);
    }
    throw new Error('The erasure has more steps than were tried');
  },
);

test('two erasures at once: the second one is refused, and both are done in the end', async () => {
  const made = await world();
  const commands = [
    ['--record', made.id, '--batch', '1'],
    ['--name', made.name, '--batch', '1'],
  ];
  for (const { code, stderr } of await Promise.all(commands.map((words) => runErase(service, words)))) {
    expect(code === 0 ? '' : stderr).toMatch(code === 0 ? '' : 'Another erasure is running');
  }
  for (const words of commands) expect([0, 3]).toContain((await runErase(service, words)).code);
  for (const text of [made.secret, made.name]) expect(await tablesWith(service.sql, text)).toEqual([]);
});

test('beside running writes, every request succeeds, and a second erasure finds the rest', async () => {
  const name = 'Busy Bee';
  const api = service.api.as({ 'X-Display-Name': encodeURIComponent(name) });
  let shipment = await createShipment(api, { customerRemarks: 'Q-busy' });
  let isErasing = true;
  const write = async () => {
    for (let count = 0; isErasing || count < 10; count += 1) {
      const { status, body } = await api.patch(`/v1/shipments/${shipment.id}`, shipment.eTag, {
        customerRemarks: `Q-busy ${count}`,
      });
      expect(status).toBe(200);
      const stale = csvOf(['id', 'eTag', 'customerRemarks'], [[shipment.id, shipment.eTag, 'mine']]);
      shipment = body;
      await imported(api, stale, { 'Idempotency-Key': randomUUID() });
    }
  };
  const erasing = async () => {
    for (const target of [{ recordID: shipment.id }, { name }]) await erased(service, target, { batchSize: 1 });
    isErasing = false;
  };
  await Promise.all([write(), erasing()]);
  await service.api.delete(`/v1/shipments/${shipment.id}`);
  await erased(service, { recordID: shipment.id });
  expect(await tablesWith(service.sql, 'Q-busy')).toEqual([]);
  await erased(service, { name });
  expect(await tablesWith(service.sql, name)).toEqual([]);
});
