import type { Client as Sql } from 'pg';
import { addRandomRows } from '../../../test/support/database/random-rows.js';
import { Api, type Json } from '../../../test/support/http/api.js';
import { allIndexed } from '../../../test/support/records/events.js';
import { everyText, shipmentsOf } from '../../../test/support/records/every-text.js';
import {
  ADDRESS,
  createAgent,
  createMove,
  createService,
  createShipment,
} from '../../../test/support/records/records.js';

const SHIPMENTS_WITH_TEXTS = 400;
const RANDOM_ROWS = 60;

/** Records with a history, with every text, and with extreme values that the API does not take. */
export async function createRecords(url: string, sql: Sql): Promise<void> {
  const api = Api.beyondTheDocument(url).as({ 'X-Display-Name': encodeURIComponent('Zoë "Z" \\ Ångström') });
  const move = await createMove(api, { orderID: 'A-1', remarks: 'fragile' });
  await changeOften(api, '/v1/moves', move, [{ remarks: null }, { orderID: '"', remarks: '\\ \u2028 </script>' }, {}]);
  for (const fields of shipmentsOf(everyText(), SHIPMENTS_WITH_TEXTS)) {
    const shipment = await createShipment(api, { ...fields, moveID: move.id });
    await changeOften(api, '/v1/shipments', shipment, CHANGES);
  }
  for (let count = 0; count < 3; count += 1) {
    const shipment = await createShipment(api, { moveID: move.id, pickupAddress: ADDRESS });
    const agent = await createAgent(api, { lastName: 'O’Hara "' }, shipment);
    await createAgent(api, { agentType: 'RECEIVING_AGENT' }, shipment);
    await changeOften(api, '/v1/agents', agent, [{ lastName: null }, { phone: '+1 555' }]);
    const service = await createService(api, { description: 'a\nb' }, shipment);
    await createService(api, {}, shipment);
    await changeOften(api, '/v1/services', service, [{ code: 'ÜÑ"' }, {}]);
    if (count === 0) await api.delete(`/v1/shipments/${shipment.id}`);
  }
  const hook = { url: 'http://127.0.0.1:9/', types: ['shipment.created', 'move.updated'] };
  const { body: webhook } = await api.post('/v1/webhooks', hook);
  await changeOften(api, '/v1/webhooks', webhook, [{ description: 'd "' }, { types: null }, { enabled: false }]);
  await allIndexed(sql);
  for (const table of ['moves', 'shipments', 'agents', 'services']) await addRandomRows(sql, table, RANDOM_ROWS);
  await sql.query(`
    SET session_replication_role = replica;
    UPDATE shipments SET move_id = '${move.id}' WHERE random() < 0.5;
    UPDATE agents SET shipment_id = s.id FROM (SELECT id FROM shipments ORDER BY id LIMIT 1) s
      WHERE agents.id IN (SELECT DISTINCT ON (agent_type) id FROM agents WHERE shipment_id NOT IN (SELECT id FROM shipments));
    UPDATE services SET shipment_id = s.id FROM (SELECT id FROM shipments ORDER BY id LIMIT 1) s
      WHERE shipment_id NOT IN (SELECT id FROM shipments);
    RESET session_replication_role`);
}

const CHANGES = [
  { estimatedWeight: 7, destinationAddress: { ...ADDRESS, country: 'US' } },
  { destinationAddress: { city: 'Zürich "' }, pickupDate: '1900-01-01', deliveryDate: '2199-12-31' },
  { destinationAddress: null, customerRemarks: null },
];

async function changeOften(api: Api, collection: string, record: Json, changes: readonly object[]): Promise<void> {
  const path = `${collection}/${record.id}`;
  let { eTag } = record;
  for (const change of changes) {
    const { status, body } = await api.patch(path, eTag, change);
    if (status !== 200) throw new Error(`PATCH ${path} answered ${status}: ${JSON.stringify(body)}`);
    ({ eTag } = body);
  }
}
