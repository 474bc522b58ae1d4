import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { archive } from '../../tools/archive/archive.js';
import { MonthFile } from '../../tools/archive/month-file.js';
import { Month } from '../../tools/archive/month.js';
import { restore } from '../../tools/archive/restore.js';
import type { Json } from '../support/http/api.js';
import { expectProblem } from '../support/http/problem.js';
import { deleted, deletionOf, undelete } from '../support/records/deletions.js';
import { erased, tablesWith } from '../support/records/erasing.js';
import { allNumbered } from '../support/records/events.js';
import { createAgent, createShipment } from '../support/records/records.js';
import { startService, type TestService } from '../support/service/service.js';

const OLD = 'history_2024_05';
const SECRET = 'Q7-Violet';

let service: TestService;
let folder: string;

beforeEach(async () => {
  service = await startService();
  folder = await mkdtemp(join(tmpdir(), 'waybill-deletions-'));
});
afterEach(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

const say = () => undefined;
const moveOut = (to = folder) =>
  archive(service.sql, { before: Month.parse('2024-06'), folder: to, dryRun: false, say });
const bringBack = (from = folder) => restore(service.sql, MonthFile.in(from, OLD), say);

interface Old {
  readonly shipment: Json;
  readonly agent: Json;
  readonly path: string;
  readonly deletionETag: string;
}

/** A shipment with an agent that was deleted in May 2024. */
async function deletedInMay(): Promise<Old> {
  const shipment = await createShipment(service.api, { customerRemarks: SECRET });
  const agent = await createAgent(service.api, { firstName: SECRET }, shipment);
  const path = `/v1/shipments/${shipment.id}`;
  await service.api.delete(path, { 'X-Request-ID': 'clean-up' });
  await allNumbered(service.sql);
  await service.sql.query(`SELECT prepare_history('2024-05-01', '2024-05-01')`);
  const inMay = (column: string) =>
    `${column} = timestamptz '2024-05-17T12:00:00Z' + position * interval '1 millisecond'`;
  await service.sql.query(`
    BEGIN;
    SET LOCAL session_replication_role = replica;
    UPDATE events SET ${inMay('moment')} WHERE root_id = '${shipment.id}' AND type LIKE '%.deleted';
    UPDATE history SET ${inMay('changed_at')} WHERE root_id = '${shipment.id}' AND type = 'deleted';
    UPDATE deletions SET ${inMay('deleted_at')} WHERE root_id = '${shipment.id}';
    COMMIT`);
  const { deletionETag } = await deletionOf(service.api, path);
  return { shipment, agent, path, deletionETag };
}

test('deletions go with their month into a file of their own, and come back with it', async () => {
  const { agent, path, deletionETag } = await deletedInMay();
  await moveOut();
  expect(await readdir(folder)).toContain(`${OLD}_deletions.tsv.gz`);
  expect(await deletionOf(service.api, path)).toBeUndefined();
  expectProblem(await undelete(service.api, path, deletionETag), 410, 'NOT_KEPT');

  await bringBack();
  expect((await undelete(service.api, path, deletionETag)).status).toBe(200);
  expect((await service.api.get(`/v1/agents/${agent.id}`)).body).toMatchObject({ firstName: SECRET });
});

test('a month without deletions has no such file', async () => {
  const { path, deletionETag } = await deletedInMay();
  await undelete(service.api, path, deletionETag);
  await allNumbered(service.sql);
  await moveOut();
  expect(await readdir(folder)).toEqual([`${OLD}.json`, `${OLD}.tsv.gz`]);
  expect(await bringBack()).toBe(2);
});

test('a month is not restored without its deletions, nor with those of another file', async () => {
  await deletedInMay();
  await moveOut();
  await rm(join(folder, `${OLD}_deletions.tsv.gz`));
  await expect(bringBack()).rejects.toThrow('ENOENT');
});

test('a deletion that was undone after a first restore does not come back with a second one', async () => {
  const { path, deletionETag } = await deletedInMay();
  await moveOut();
  await bringBack();
  await undelete(service.api, path, deletionETag);
  await allNumbered(service.sql);
  await moveOut(join(folder, 'second'));
  await bringBack();
  expect((await service.sql.query('SELECT FROM deletions')).rowCount).toBe(0);
  expect((await service.api.get(path)).status).toBe(200);
});

test('an erasure also applies to deletions that are restored later', async () => {
  const { shipment, path, deletionETag } = await deletedInMay();
  await moveOut();
  const { said } = await erased(service, { recordID: shipment.id });
  expect(said).toContain('delete the old files of that month, including the one with its deletions');
  await bringBack();
  expect(await deletionOf(service.api, path)).toMatchObject({ values: null, erased: true });
  expectProblem(await undelete(service.api, path, deletionETag), 410, 'ERASED');
  expect(await tablesWith(service.sql, SECRET)).toEqual([]);
});

test('an erasure of an author also applies to deletions that are restored later', async () => {
  const { path } = await deletedInMay();
  await moveOut();
  await erased(service, { name: 'anonymous' });
  await bringBack();
  expect(await deletionOf(service.api, path)).toMatchObject({
    deletedBy: 'erased',
    erased: true,
    values: { id: expect.anything() as string },
  });
});

describe('an erasure', () => {
  test('of a deleted shipment empties it and its children: 410', async () => {
    const shipment = await createShipment(service.api, { customerRemarks: SECRET });
    const agent = await createAgent(service.api, { firstName: SECRET }, shipment);
    const path = `/v1/shipments/${shipment.id}`;
    const { deletionETag } = await deleted(service.api, path);
    await erased(service, { recordID: shipment.id });
    expectProblem(await undelete(service.api, path, deletionETag), 410, 'ERASED');
    expect(await deletionOf(service.api, path)).toMatchObject({ values: null, erased: true });
    expectProblem(await undelete(service.api, `/v1/agents/${agent.id}`, deletionETag), 410, 'ERASED');
    expect(await tablesWith(service.sql, SECRET)).toEqual([]);
  });

  test('names the deletions that can no longer be undone, and why; so does its dry run', async () => {
    const shipment = await createShipment(service.api, { customerRemarks: SECRET });
    const agent = await createAgent(service.api, { firstName: SECRET }, shipment);
    const path = `/v1/shipments/${shipment.id}`;
    const { deletionETag } = await deleted(service.api, path);
    const names = [`shipment ${shipment.shipmentCode} (ERASED)`, `agent ${agent.id} (ERASED)`].join(', ');
    const { said: foretold } = await erased(service, { recordID: shipment.id }, { dryRun: true });
    expect(foretold).toContain(`Deletions that could no longer be undone: ${names}.`);
    const { said } = await erased(service, { recordID: shipment.id });
    expect(said).toContain(`Deletions that can no longer be undone: ${names}.`);
    expect(said).not.toContain(SECRET);
    for (const each of [path, `/v1/agents/${agent.id}`]) {
      expectProblem(await undelete(service.api, each, deletionETag), 410, 'ERASED');
    }
  });

  test('of a deleted move names its shipments, which cannot come back without it', async () => {
    const shipment = await createShipment(service.api);
    const path = `/v1/shipments/${shipment.id}`;
    const { deletionETag } = await deleted(service.api, path);
    const move = await service.api.get(`/v1/moves/${shipment.moveID}`);
    await deleted(service.api, `/v1/moves/${shipment.moveID}`);
    const { said } = await erased(service, { recordID: shipment.moveID });
    const names = `move ${move.body.moveCode} (ERASED), shipment ${shipment.shipmentCode} (PARENT_DELETED)`;
    expect(said).toContain(`Deletions that can no longer be undone: ${names}.`);
    expectProblem(await undelete(service.api, path, deletionETag), 409, 'PARENT_DELETED');
  });

  test('of an existing record, or without a deletion, names none', async () => {
    const shipment = await createShipment(service.api);
    const { id: other } = await createShipment(service.api, { moveID: shipment.moveID });
    await deleted(service.api, `/v1/shipments/${other}`);
    await service.api.patch(`/v1/moves/${shipment.moveID}`, '*', { remarks: SECRET });
    const { said } = await erased(service, { recordID: shipment.moveID });
    expect(said).not.toContain('Deletions');
  });

  test('of a deleted agent leaves it out when its shipment comes back', async () => {
    const shipment = await createShipment(service.api);
    const agent = await createAgent(service.api, { firstName: SECRET }, shipment);
    const path = `/v1/shipments/${shipment.id}`;
    const { deletionETag } = await deleted(service.api, path);
    await erased(service, { recordID: agent.id });
    expect((await undelete(service.api, path, deletionETag)).status).toBe(200);
    expect((await service.api.get(`${path}/agents`)).body).toEqual([]);
    expectProblem(await undelete(service.api, `/v1/agents/${agent.id}`, deletionETag), 410, 'ERASED');
  });

  test('of the author of a deletion keeps the deletion', async () => {
    const { id } = await createShipment(service.api);
    const path = `/v1/shipments/${id}`;
    const { deletionETag } = await deleted(service.api, path);
    await erased(service, { name: 'anonymous' });
    expect(await deletionOf(service.api, path)).toMatchObject({ deletedBy: 'erased', erased: true });
    expect((await undelete(service.api, path, deletionETag)).status).toBe(200);
  });

  test('that is interrupted has emptied the deletion already', async () => {
    const { id } = await createShipment(service.api);
    const path = `/v1/shipments/${id}`;
    const { deletionETag } = await deleted(service.api, path);
    await service.sql.query(`
      CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'interrupted'; END $$;
      CREATE TRIGGER a_failure BEFORE UPDATE ON history FOR EACH ROW EXECUTE FUNCTION fail()`);
    await expect(erased(service, { recordID: id })).rejects.toThrow('interrupted');
    expectProblem(await undelete(service.api, path, deletionETag), 410, 'ERASED');
  });
});
