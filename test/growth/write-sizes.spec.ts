import { measured } from '../../tools/evidence/measured.mjs';
import type { Json } from '../support/http/api.js';
import { allNumbered } from '../support/records/events.js';
import { ADDRESS } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

/** In the campaign enough that whole pages hardly matter. */
const BULKS = Math.ceil(Number(process.env.TEST_ROWS ?? 30_000) / 50_000) + 1;
const ITEMS = 200;
const WRITES = BULKS * ITEMS;
const NEW = {
  ...{ shipmentType: 'HHG', pickupAddress: ADDRESS, destinationAddress: ADDRESS },
  ...{ pickupDate: '2026-03-02', deliveryDate: '2026-03-12', actualWeight: 4200 },
  customerRemarks: 'Please ring twice, the dog is friendly.',
};

const service = useService();

/** The bytes that each write adds to the tables that keep past writes, with their indexes. */
async function bytesOf(bulks: readonly (readonly object[])[]): Promise<{ bytes: Json; shipments: Json[] }> {
  const before = await sizes();
  const shipments: Json[] = [];
  for (const items of bulks) {
    const { status, body } = await service.api.post('/v1/shipments/bulk', { items });
    expect(status).toBe(200);
    shipments.push(...body.items.map((item: Json) => item.shipment));
  }
  await allNumbered(service.sql);
  const after = await sizes();
  const bytes = Object.fromEntries(
    Object.entries(after).map(([name, size]) => [name, (size - (before[name] ?? 0)) / WRITES]),
  );
  return { bytes, shipments };
}

async function sizes(): Promise<Record<string, number>> {
  const { rows } = await service.sql.query<{ name: string; bytes: string }>(`
    SELECT coalesce(inhparent::regclass, oid)::text AS name, sum(pg_total_relation_size(oid)) AS bytes
    FROM pg_class LEFT JOIN pg_inherits ON inhrelid = oid
    WHERE coalesce(inhparent::regclass, oid)::text IN ('history', 'events', 'deletions') GROUP BY 1`);
  return Object.fromEntries(rows.map(({ name, bytes }) => [name, Number(bytes)]));
}

function inBulks<T>(values: readonly T[], itemOf: (value: T) => object): object[][] {
  return Array.from({ length: BULKS }, (_, bulk) => values.slice(bulk * ITEMS, (bulk + 1) * ITEMS).map(itemOf));
}

test('a write adds at most 3 kB to history and 1 kB to events', async () => {
  const created = await bytesOf(inBulks(Array(WRITES).fill(NEW), (values) => ({ op: 'create', values })));
  const versionOf = ({ id, eTag }: Json) => ({ id, ifMatch: eTag });
  const updated = await bytesOf(
    inBulks(created.shipments, (one) => ({ op: 'updateStatus', ...versionOf(one), status: 'APPROVED' })),
  );
  const deleted = await bytesOf(inBulks(updated.shipments, (one) => ({ op: 'delete', ...versionOf(one) })));
  const bytes = { created: created.bytes, updated: updated.bytes, deleted: deleted.bytes };
  measured({ figures: { bytes } });
  for (const { history, events } of Object.values(bytes)) {
    expect(history).toBeLessThan(3000);
    expect(events).toBeLessThan(1000);
  }
});
