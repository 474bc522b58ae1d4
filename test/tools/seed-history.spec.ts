import { Client } from 'pg';
import { FIRST_STATUS, nextStatuses, type ShipmentStatus } from '../../src/model/shipment-status.js';
import type { Json } from '../support/http/api.js';
import { seedHere } from '../support/records/seed.js';
import { useService } from '../support/service/service.js';

const TABLES = ['moves', 'shipments', 'agents', 'services'];

const USUAL_STEPS = [
  'SUBMITTED APPROVED',
  'SUBMITTED REJECTED',
  'APPROVED IN_TRANSIT',
  'IN_TRANSIT DELIVERED',
  'APPROVED CANCELLATION_REQUESTED',
  'CANCELLATION_REQUESTED CANCELED',
];

interface Entry {
  readonly recordID: string;
  readonly type: string;
  readonly changedBy: string;
  readonly requestID: string;
  readonly changedAt: string;
  readonly record: Json;
  /** Whether the entry's eTag and moment are those of the version that it keeps. */
  readonly isOfItsVersion: boolean;
}

describe('after the seeding of a database in use', () => {
  const service = useService();
  let chains: Map<string, Entry[]>;

  beforeAll(async () => {
    await service.api.post('/v1/moves', {});
    await seedHere(service.databaseUrl);
    chains = await readChains(service.sql);
  });

  it('the history of every record begins with its creation and ends in the record', async () => {
    for (const table of TABLES) {
      const { rows } = await service.sql.query<{ id: string; record: Json }>(
        `SELECT id, jsonb_strip_nulls(to_jsonb(r)) AS record FROM ${table} r`,
      );
      expect(rows.length).toBeGreaterThan(100);
      for (const { id, record } of rows) {
        const chain = chains.get(id) ?? [];
        expect(chain.map(({ type }) => type === 'created')).toEqual(chain.map((__, index) => index === 0));
        expect(chain.at(-1)?.record).toEqual(record);
      }
    }
  });

  it('each entry has the eTag of its version, comes later than the one before and changes something', () => {
    for (const chain of chains.values()) {
      expect(chain.every(({ isOfItsVersion }) => isOfItsVersion)).toBe(true);
      for (const [before, after] of pairs(chain)) {
        expect(after.changedAt > before.changedAt).toBe(true);
        expect({ ...after.record, updated_at: null }).not.toEqual({ ...before.record, updated_at: null });
      }
    }
  });

  it('shipments went from status to status by the table', () => {
    const shipments = [...chains.values()].filter(([first]) => first?.record.status !== undefined);
    const steps = new Set<string>();
    for (const chain of shipments) {
      expect(chain[0]?.record.status).toBe(FIRST_STATUS);
      for (const [before, after] of pairs(chain)) {
        const [from, to] = [before.record.status, after.record.status] as [ShipmentStatus, ShipmentStatus];
        expect(after.type).toBe(from === to ? 'updated' : 'statusChanged');
        if (from !== to) expect(nextStatuses(from)).toContain(to);
        if (from !== to) steps.add(`${from} ${to}`);
      }
    }
    expect([...steps]).toEqual(expect.arrayContaining(USUAL_STEPS));
    const versions = shipments.map(({ length }) => length).reduce((sum, length) => sum + length, 0);
    expect(versions / shipments.length).toBeGreaterThan(3);
  });

  it('people made the changes, each in a request of its own', () => {
    const entries = [...chains.values()].flat().filter(({ changedBy }) => changedBy !== 'anonymous');
    expect(new Set(entries.map(({ requestID }) => requestID)).size).toBe(entries.length);
    expect(new Set(entries.map(({ changedBy }) => changedBy)).size).toBeGreaterThan(50);
    expect(entries.filter(({ changedBy }) => !/^[a-z]+\.[a-z]+@/.test(changedBy))).toEqual([]);
  });

  it('the history of a shipment is in order of time, with that of its agents and services', async () => {
    const { rows } = await service.sql.query(
      `SELECT FROM (
         SELECT changed_at < lag(changed_at) OVER (PARTITION BY root_id ORDER BY position) AS late FROM history
       ) entries WHERE late`,
    );
    expect(rows).toHaveLength(0);
    const { rows: outside } = await service.sql.query('SELECT FROM history_default');
    expect(outside).toHaveLength(0);
  });

  it('the triggers write history again', async () => {
    const [shipment] = (await service.api.get('/v1/shipments?limit=1')).body;
    await service.api.patch(`/v1/shipments/${shipment.id}`, shipment.eTag, { customerRemarks: 'Seen.' });
    const [entry] = (await service.api.get(`/v1/shipments/${shipment.id}/history?limit=1`)).body;
    expect(entry).toMatchObject({ type: 'updated', changedBy: 'anonymous' });
    expect(entry.changes).toEqual([{ field: 'customerRemarks', from: shipment.customerRemarks, to: 'Seen.' }]);
  });
});

async function readChains(client: Client): Promise<Map<string, Entry[]>> {
  const { rows } = await client.query<Entry>(`
    SELECT record_id AS "recordID", type, changed_by AS "changedBy", request_id AS "requestID", record,
      iso_ms(changed_at) AS "changedAt",
      changed_at = (record->>'updated_at')::timestamptz AND e_tag = decode(etag_of(changed_at), 'hex') AS "isOfItsVersion"
    FROM history ORDER BY position
  `);
  const chains = new Map<string, Entry[]>();
  for (const entry of rows) chains.set(entry.recordID, [...(chains.get(entry.recordID) ?? []), entry]);
  return chains;
}

function pairs(chain: readonly Entry[]): [Entry, Entry][] {
  return chain
    .slice(1)
    .flatMap((after, index) => chain.slice(index, index + 1).map((before): [Entry, Entry] => [before, after]));
}
