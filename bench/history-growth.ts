import { Client } from 'pg';
import { openDatabase } from '../src/open-database.js';
import { readCommandLine } from '../src/config/command-line.js';
import { readConfig } from '../src/config/config.js';
import { startThrowawayPostgres } from '@waybill/embedded-postgres/throwaway';
import { TYPICAL_SHIPMENT } from './typical-shipment.js';

/**
 * How many bytes history grows by for each write to a typical shipment, table and indexes, by kind of write.
 *
 *   npm run bench:history-growth
 */
const WRITES = 20_000;
const AUTHOR = '019e2b9c-6f1f-7c3e-9c63-1f0b7f6f9b11 ops@example.com';

const { pickupAddress, destinationAddress } = TYPICAL_SHIPMENT;

const CREATE = `
  INSERT INTO shipments (
    id, move_id, shipment_type, status, pickup_date, delivery_date, estimated_weight, customer_remarks,
    pickup_address_id, pickup_address_street_address1, pickup_address_street_address2, pickup_address_city,
    pickup_address_state, pickup_address_postal_code, pickup_address_country,
    destination_address_id, destination_address_street_address1, destination_address_city,
    destination_address_state, destination_address_postal_code, destination_address_country
  )
  SELECT gen_random_uuid(), (SELECT id FROM moves), '${TYPICAL_SHIPMENT.shipmentType}', 'SUBMITTED',
    '${TYPICAL_SHIPMENT.pickupDate}', '${TYPICAL_SHIPMENT.deliveryDate}', ${TYPICAL_SHIPMENT.estimatedWeight},
    '${TYPICAL_SHIPMENT.customerRemarks}',
    gen_random_uuid(), '${pickupAddress.streetAddress1}', '${pickupAddress.streetAddress2}', '${pickupAddress.city}',
    '${pickupAddress.state}', '${pickupAddress.postalCode}', '${pickupAddress.country}',
    gen_random_uuid(), '${destinationAddress.streetAddress1}', '${destinationAddress.city}',
    '${destinationAddress.state}', '${destinationAddress.postalCode}', '${destinationAddress.country}'
  FROM generate_series(1, ${WRITES})`;

const WRITES_BY_KIND = {
  created: CREATE,
  updated: 'UPDATE shipments SET estimated_weight = estimated_weight + 1',
  statusChanged: `UPDATE shipments SET status = 'APPROVED'`,
  deleted: 'DELETE FROM shipments',
};

interface Size {
  readonly table: number;
  readonly primaryKey: number;
  readonly versionIndex: number;
}

async function sizeOf(sql: Client): Promise<Size> {
  const { rows } = await sql.query<{ name: string; table: string; primaryKey: string; versionIndex: string }>(`
    SELECT sum(pg_table_size(inhrelid)) AS table,
      sum((SELECT sum(pg_relation_size(indexrelid)) FROM pg_index WHERE indrelid = inhrelid AND indisprimary)) AS "primaryKey",
      sum((SELECT sum(pg_relation_size(indexrelid)) FROM pg_index WHERE indrelid = inhrelid AND NOT indisprimary))
        AS "versionIndex"
    FROM pg_inherits WHERE inhparent = 'history'::regclass`);
  const [row] = rows;
  return {
    table: Number(row?.table),
    primaryKey: Number(row?.primaryKey),
    versionIndex: Number(row?.versionIndex),
  };
}

const month = new Date().toISOString().slice(0, 7).replace('-', '_');
readCommandLine(
  'Measures how many bytes each write adds to history. It takes no options.\n\n  npm run bench:history-growth',
  {},
);
const server = await startThrowawayPostgres();
try {
  const { dataSource } = await openDatabase(readConfig({ STATEMENT_TIMEOUT_MS: '600000' }), server.url);
  await dataSource.destroy();
  const sql = new Client({ connectionString: server.url });
  await sql.connect();
  await sql.query(`SET waybill.author = '${AUTHOR}'`);
  await sql.query(`INSERT INTO moves (id, move_code) VALUES (gen_random_uuid(), 'ABCDEF')`);
  for (const [kind, write] of Object.entries(WRITES_BY_KIND)) {
    // An empty partition for each, or small rows would fill the gaps that large ones left.
    await sql.query(`DROP TABLE history_${month}`);
    await sql.query('SELECT prepare_history(now(), now())');
    const before = await sizeOf(sql);
    await sql.query(write);
    const after = await sizeOf(sql);
    const each = (part: keyof Size) => Math.round((after[part] - before[part]) / WRITES);
    const [table, primaryKey, versionIndex] = [each('table'), each('primaryKey'), each('versionIndex')];
    process.stdout.write(
      `${kind.padEnd(13)} ${table + primaryKey + versionIndex} bytes: table ${table}, primary key ${primaryKey}, version index ${versionIndex}\n`,
    );
  }
  await sql.end();
} finally {
  await server.stop();
}
