import { randomUUID } from 'node:crypto';
import type { Json } from '../support/http/api.js';
import { deleted, undelete } from '../support/records/deletions.js';
import { createMove, createShipment } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

/** Triggers that an administrator has added, and what they insert. */
const service = useService();

/** Runs a statement for every new row of a table until the end of the work. */
async function withTrigger(table: string, statement: string, work: () => Promise<void>): Promise<void> {
  await service.sql.query(`
    CREATE FUNCTION own_trigger() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${statement}; RETURN NULL; END $$;
    CREATE TRIGGER zz_own AFTER INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION own_trigger()`);
  try {
    await work();
  } finally {
    await service.sql.query('DROP FUNCTION own_trigger CASCADE');
  }
}

test('a record that such a trigger adds to a restored one is created, not restored', async () => {
  const { id } = await createShipment(service.api);
  const path = `/v1/shipments/${id}`;
  const { deletionETag } = await deleted(service.api, path);
  const addService = `INSERT INTO services (id, shipment_id, code) VALUES (gen_random_uuid(), NEW.id, 'OWN')`;
  await withTrigger('shipments', addService, async () => {
    expect((await undelete(service.api, path, deletionETag)).status).toBe(200);
  });
  const { body } = await service.api.get(`${path}/history`);
  expect(body.map(({ resource, type }: Json) => `${resource} ${type}`)).toEqual([
    'service created',
    'shipment restored',
    'shipment deleted',
    'shipment created',
  ]);
});

test('a move that such a trigger adds cannot get the code of a deleted one', async () => {
  const move = await createMove(service.api);
  await deleted(service.api, `/v1/moves/${move.id}`);
  const shipment = await createShipment(service.api);
  const addMove = `INSERT INTO moves (id, move_code) VALUES ('${randomUUID()}', '${move.moveCode}')`;
  await withTrigger('services', addMove, async () => {
    const add = service.sql.query(
      `INSERT INTO services (id, shipment_id, code) VALUES (gen_random_uuid(), $1, 'PACK')`,
      [shipment.id],
    );
    await expect(add).rejects.toMatchObject({ constraint: 'moves_move_code_key' });
  });
});
