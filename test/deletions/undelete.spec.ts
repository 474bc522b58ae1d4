import { expectProblem } from '../support/http/problem.js';
import { deleted, deletionOf, undelete } from '../support/records/deletions.js';
import { allNumbered } from '../support/records/events.js';
import { createAgent, createMove, createService, createShipment, UNKNOWN_ID } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService();

test('a shipment comes back with its id, code and values, as a new version', async () => {
  const shipment = await createShipment(service.api, { customerRemarks: 'Ring twice.' });
  const path = `/v1/shipments/${shipment.id}`;
  const { deletionETag, deletedAt } = await deleted(service.api, path);
  const restored = await undelete(service.api, path, deletionETag);
  expect(restored.status).toBe(200);
  const { updatedAt, eTag, ...values } = restored.body;
  expect({ ...shipment, ...values }).toEqual(shipment);
  expect(updatedAt > deletedAt).toBe(true);
  expect([shipment.eTag, deletionETag]).not.toContain(eTag);
  expect((await service.api.get(path)).body).toEqual(restored.body);
  expect(await deletionOf(service.api, path)).toBeUndefined();
});

test('its agents and services come back with it, but none that was deleted before', async () => {
  const shipment = await createShipment(service.api);
  const agent = await createAgent(service.api, {}, shipment);
  const serviceItem = await createService(service.api, {}, shipment);
  const before = await createService(service.api, { code: 'BEFORE' }, shipment);
  await service.api.delete(`/v1/services/${before.id}`);
  const path = `/v1/shipments/${shipment.id}`;
  const { deletionETag } = await deleted(service.api, path);
  expect(await deletionOf(service.api, `/v1/agents/${agent.id}`)).toMatchObject({
    isCascade: true,
    moveID: shipment.moveID,
    values: agent,
  });
  await undelete(service.api, path, deletionETag);
  const { body } = await service.api.get(`${path}?expand=agents,services`);
  expect(body.agents.map(({ id }: { id: string }) => id)).toEqual([agent.id]);
  expect(body.services.map(({ id }: { id: string }) => id)).toEqual([serviceItem.id]);
  expect(await deletionOf(service.api, `/v1/services/${before.id}`)).toMatchObject({ isCascade: false });
});

test('a move comes back, then its shipments; before, they name the path that restores the move', async () => {
  const shipment = await createShipment(service.api);
  const path = `/v1/shipments/${shipment.id}`;
  const move = `/v1/moves/${shipment.moveID}`;
  const { deletionETag } = await deleted(service.api, path);
  const ofMove = await deleted(service.api, move);
  const problem = expectProblem(await undelete(service.api, path, deletionETag), 409, 'PARENT_DELETED');
  expect(problem).toMatchObject({ restorePath: `${move}/undelete` });
  expect((await undelete(service.api, move, ofMove.deletionETag)).status).toBe(200);
  expect((await undelete(service.api, path, deletionETag)).status).toBe(200);
});

test('history and feed report it as restored, with all values', async () => {
  const shipment = await createShipment(service.api);
  const path = `/v1/shipments/${shipment.id}`;
  const { deletionETag } = await deleted(service.api, path);
  const { body } = await undelete(service.api, path, deletionETag);
  await allNumbered(service.sql);
  const created = (await service.api.get(`${path}/history`)).body.at(-1);
  const [entry, deletion] = (await service.api.get(`${path}/history`)).body;
  expect(deletion).toMatchObject({ type: 'deleted', eTag: null });
  expect(entry).toMatchObject({ type: 'restored', eTag: body.eTag, changes: created.changes });
  const events = (await service.api.get(`/v1/events?resourceID=${shipment.id}`)).body;
  expect(events.at(-1)).toMatchObject({
    type: 'shipment.restored',
    data: { eTag: body.eTag, previousETag: null, moveID: shipment.moveID, changes: created.changes },
  });
});

describe('the checks, in their order', () => {
  test('404 for a record that never existed', async () => {
    const answer = await service.api.post(`/v1/shipments/${UNKNOWN_ID}/undelete`, undefined);
    expectProblem(answer, 404, 'NOT_FOUND');
  });

  test('410 for a record whose deletion is not kept', async () => {
    const { id } = await createMove(service.api);
    await service.api.delete(`/v1/moves/${id}`);
    await service.sql.query('DELETE FROM deletions WHERE record_id = $1', [id]);
    expectProblem(await service.api.post(`/v1/moves/${id}/undelete`, undefined), 410, 'NOT_KEPT');
  });

  test('409 for a record that exists, with its version and who restored it', async () => {
    const { id, eTag } = await createMove(service.api);
    const path = `/v1/moves/${id}`;
    const never = expectProblem(await service.api.post(`${path}/undelete`, undefined), 409, 'NOT_DELETED');
    expect(never).toMatchObject({ currentETag: eTag });
    expect(never).not.toHaveProperty('restoredBy');
    const { deletionETag } = await deleted(service.api, path);
    const { body } = await undelete(service.api, path, deletionETag);
    const again = expectProblem(await undelete(service.api, path, deletionETag), 409, 'NOT_DELETED');
    expect(again).toMatchObject({ currentETag: body.eTag, restoredBy: 'anonymous', restoredAt: body.updatedAt });
  });

  test('428, 400 and 412 for If-Match', async () => {
    const move = await createMove(service.api);
    const path = `/v1/moves/${move.id}`;
    await service.api.delete(path);
    expectProblem(await service.api.post(`${path}/undelete`, undefined), 428, 'PRECONDITION_REQUIRED');
    expectProblem(await undelete(service.api, path, '"open'), 400, 'INVALID_HEADER');
    expectProblem(await undelete(service.api, path, move.eTag), 412, 'PRECONDITION_FAILED');
  });

  test('409 for an agent of a type that the shipment has by now', async () => {
    const shipment = await createShipment(service.api);
    const agent = await createAgent(service.api, {}, shipment);
    const { deletionETag } = await deleted(service.api, `/v1/agents/${agent.id}`);
    await createAgent(service.api, { agentType: agent.agentType }, shipment);
    expectProblem(await undelete(service.api, `/v1/agents/${agent.id}`, deletionETag), 409, 'DUPLICATE');
  });
});

test('a move and a shipment are found by their codes, in any case', async () => {
  const shipment = await createShipment(service.api);
  const { body: move } = await service.api.get(`/v1/moves/${shipment.moveID}`);
  const codes = [move.moveCode, move.moveCode.toLowerCase()];
  for (const [at, code] of codes.entries()) {
    const shipmentCode = at === 0 ? shipment.shipmentCode : shipment.shipmentCode.toLowerCase();
    const ofShipment = await deleted(service.api, `/v1/shipments/${shipment.id}`);
    const ofMove = await deleted(service.api, `/v1/moves/${move.id}`);
    const { body: listed } = await service.api.get(`/v1/deletions?code=${shipmentCode}&moveID=${code}`);
    expect(listed).toMatchObject([{ resource: 'shipment', resourceID: shipment.id }]);
    expect((await undelete(service.api, `/v1/moves/${code}`, ofMove.deletionETag)).status).toBe(200);
    expect((await undelete(service.api, `/v1/shipments/${shipmentCode}`, ofShipment.deletionETag)).status).toBe(200);
  }
});

test('the deletion of a record is found by its id', async () => {
  const [move, other] = [await createMove(service.api), await createMove(service.api)];
  for (const { id } of [move, other]) await service.api.delete(`/v1/moves/${id}`);
  const { body } = await service.api.get(`/v1/deletions?resourceID=${move.id.toUpperCase()}`);
  expect(body).toMatchObject([{ resource: 'move', resourceID: move.id, values: move }]);
  expectProblem(await service.api.get('/v1/deletions?resourceID=x'), 400, 'INVALID_PARAMETER');
});
