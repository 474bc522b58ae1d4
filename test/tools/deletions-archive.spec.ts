import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from 'pg';
import { archive } from '../../tools/archive/archive.js';
import { MonthFile } from '../../tools/archive/month-file.js';
import { Month } from '../../tools/archive/month.js';
import { restore } from '../../tools/archive/restore.js';
import { untilBlocking } from '../support/database/activity.js';
import type { Answer, Json } from '../support/http/api.js';
import { expectProblem } from '../support/http/problem.js';
import { deleted, deletionOf, undelete } from '../support/records/deletions.js';
import { erased, tablesWith } from '../support/records/erasing.js';
import { allNumbered } from '../support/records/events.js';
import { createAgent, createShipment } from '../support/records/records.js';
import { startService, type TestService } from '../support/service/service.js';

const MAY = '2024-05';
const JUNE = '2024-06';
const JULY = '2024-07';
const OLD = partitionOf(MAY);
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
const moveOut = (to = folder, before = JUNE) =>
  archive(service.sql, { before: Month.parse(before), folder: to, dryRun: false, say });
const bringBack = (month = MAY) => restore(service.sql, MonthFile.in(folder, partitionOf(month)), say);

function partitionOf(month: string): string {
  return `history_${month.replace('-', '_')}`;
}

interface Old {
  readonly shipment: Json;
  readonly agent: Json;
  readonly path: string;
  readonly deletionETag: string;
}

/** A shipment that was deleted in a month, with an agent that its deletion took along. */
async function deletedIn(
  { month, agentIn = month }: { month: string; agentIn?: string } = { month: MAY },
): Promise<Old> {
  const shipment = await createShipment(service.api, { customerRemarks: SECRET });
  const agent = await createAgent(service.api, { firstName: SECRET }, shipment);
  const path = `/v1/shipments/${shipment.id}`;
  await service.api.delete(path, { 'X-Request-ID': 'clean-up' });
  await moveChange('deleted', shipment.id, month);
  await moveChange('deleted', agent.id, agentIn);
  const { deletionETag } = await deletionOf(service.api, path);
  return { shipment, agent, path, deletionETag };
}

/** Moves the deletion or the restoration of a record to a month. */
async function moveChange(change: 'deleted' | 'restored', id: string, month: string): Promise<void> {
  await allNumbered(service.sql);
  const moved = (column: string) =>
    `${column} = timestamptz '${month}-17T12:00:00Z' + position * interval '1 millisecond'`;
  await service.sql.query(`
    SELECT prepare_history('${month}-01', '${month}-01');
    BEGIN;
    SET LOCAL session_replication_role = replica;
    UPDATE events SET ${moved('moment')} WHERE record_id = '${id}' AND type LIKE '%.${change}';
    UPDATE history SET ${moved('changed_at')} WHERE record_id = '${id}' AND type = '${change}';
    UPDATE deletions SET ${moved('deleted_at')} WHERE record_id = '${id}';
    COMMIT`);
}

test('deletions go with their month into a file of their own, and come back with it', async () => {
  const { agent, path, deletionETag } = await deletedIn();
  await moveOut();
  expect(await readdir(folder)).toContain(`${OLD}_deletions.tsv.gz`);
  expect(await deletionOf(service.api, path)).toBeUndefined();
  expectProblem(await undelete(service.api, path, deletionETag), 410, 'NOT_KEPT');

  await bringBack();
  expect((await undelete(service.api, path, deletionETag)).status).toBe(200);
  expect((await service.api.get(`/v1/agents/${agent.id}`)).body).toMatchObject({ firstName: SECRET });
});

test('a month without deletions has no such file', async () => {
  const { path, deletionETag } = await deletedIn();
  await undelete(service.api, path, deletionETag);
  await allNumbered(service.sql);
  await moveOut();
  expect(await readdir(folder)).toEqual([`${OLD}.json`, `${OLD}.tsv.gz`]);
  expect(await bringBack()).toBe(2);
});

test('a month is not restored without its deletions, nor with those of another file', async () => {
  await deletedIn();
  await moveOut();
  await rm(join(folder, `${OLD}_deletions.tsv.gz`));
  await expect(bringBack()).rejects.toThrow('ENOENT');
});

test('a deletion that was undone after a first restore does not come back with a second one', async () => {
  const { path, deletionETag } = await deletedIn();
  await moveOut();
  await bringBack();
  await undelete(service.api, path, deletionETag);
  await allNumbered(service.sql);
  await moveOut(join(folder, 'second'));
  await bringBack();
  expect((await service.sql.query('SELECT FROM deletions')).rowCount).toBe(0);
  expect((await service.api.get(path)).status).toBe(200);
});

test('a deletion that was undone does not come back while the month of its restoration is archived', async () => {
  const { shipment, agent, path, deletionETag } = await deletedIn();
  await moveOut();
  await bringBack();
  await undelete(service.api, path, deletionETag);
  for (const { id } of [shipment, agent]) await moveChange('restored', id, JUNE);
  await moveOut(join(folder, 'second'), JULY);
  await bringBack();
  expect((await service.sql.query('SELECT FROM deletions')).rowCount).toBe(0);
});

test('an erasure also applies to deletions that are restored later', async () => {
  const { shipment, path, deletionETag } = await deletedIn();
  await moveOut();
  const { said } = await erased(service, { recordID: shipment.id });
  expect(said).toContain('delete the old files of that month, including the one with its deletions');
  await bringBack();
  expect(await deletionOf(service.api, path)).toMatchObject({ values: null, erased: true });
  expectProblem(await undelete(service.api, path, deletionETag), 410, 'ERASED');
  expect(await tablesWith(service.sql, SECRET)).toEqual([]);
});

test('an erasure of an author also applies to deletions that are restored later', async () => {
  const { path } = await deletedIn();
  await moveOut();
  await erased(service, { name: 'anonymous' });
  await bringBack();
  expect(await deletionOf(service.api, path)).toMatchObject({
    deletedBy: 'erased',
    erased: true,
    values: { id: expect.anything() as string },
  });
});

describe('what the deletion of a shipment took along', () => {
  test.each([
    ['in the next month', { month: MAY, agentIn: JUNE }],
    ['in the month before, by a clock that was behind', { month: JUNE, agentIn: MAY }],
  ])('goes and comes back with the shipment, also %s', async (_, months) => {
    const { agent, path, deletionETag } = await deletedIn(months);
    if (months.month === JUNE) {
      await moveOut(folder, JUNE);
      expect(await deletionOf(service.api, `/v1/agents/${agent.id}`)).toMatchObject({ isCascade: true });
    }
    await moveOut(folder, months.month === MAY ? JUNE : JULY);
    expect((await service.sql.query('SELECT FROM deletions')).rowCount).toBe(0);
    expectProblem(await undelete(service.api, `/v1/agents/${agent.id}`, deletionETag), 410, 'NOT_KEPT');

    await moveOut(folder, JULY);
    await bringBack(months.month);
    expect((await undelete(service.api, path, deletionETag)).status).toBe(200);
    expect((await service.api.get(`/v1/agents/${agent.id}`)).body).toMatchObject({ firstName: SECRET });
  });

  test('does not include a child that was deleted before on its own, which goes with its own month', async () => {
    const shipment = await createShipment(service.api);
    const agent = await createAgent(service.api, {}, shipment);
    const [path, ofAgent] = [`/v1/shipments/${shipment.id}`, `/v1/agents/${agent.id}`];
    const { deletionETag: alone } = await deleted(service.api, ofAgent);
    await service.api.delete(path);
    await moveChange('deleted', agent.id, MAY);
    await moveChange('deleted', shipment.id, JUNE);
    await moveOut();
    const { deletionETag } = await deletionOf(service.api, path);
    expect((await undelete(service.api, path, deletionETag)).status).toBe(200);
    expect((await service.api.get(`${path}/agents`)).body).toEqual([]);
    expectProblem(await undelete(service.api, ofAgent, alone), 410, 'NOT_KEPT');

    await bringBack();
    const back = await deletionOf(service.api, ofAgent);
    expect(back).toMatchObject({ isCascade: false });
    expect((await undelete(service.api, ofAgent, back.deletionETag)).status).toBe(200);
  });

  test('is named by an erasure with the file of the shipment', async () => {
    const { agent } = await deletedIn({ month: MAY, agentIn: JUNE });
    await moveOut();
    const { said } = await erased(service, { recordID: agent.id });
    expect(said).toContain(
      `These archived months contain its data, but this command cannot erase files: ${OLD}.tsv.gz`,
    );
  });

  test('loses its author although its entry is archived', async () => {
    const { agent } = await deletedIn({ month: JUNE, agentIn: MAY });
    await moveOut();
    await erased(service, { name: 'anonymous' });
    expect(await deletionOf(service.api, `/v1/agents/${agent.id}`)).toMatchObject({
      deletedBy: 'erased',
      erased: true,
    });
  });
});

describe('an undelete at the same time', () => {
  test('that begins after the archive waits for it, and finds nothing kept', async () => {
    const { path, deletionETag } = await deletedIn();
    const answers: Promise<Answer<Json>>[] = [];
    await archivedBy(async (archiver) => {
      answers.push(undelete(service.api, path, deletionETag));
      await untilBlocking(archiver);
    });
    for (const answer of await Promise.all(answers)) expectProblem(answer, 410, 'NOT_KEPT');
    await bringBack();
    expect((await undelete(service.api, path, deletionETag)).status).toBe(200);
  });

  test('of several shipments continues, and the archive waits for it and skips them', async () => {
    const { path, shipment } = await deletedIn();
    const { path: other, shipment: otherShipment } = await deletedIn();
    const sql = await service.connect();
    await sql.query(`BEGIN; SELECT set_config('waybill.author', 'one somebody', true)`);
    await restoreRow(sql, otherShipment.id);
    const archiving = archivedBy(() => Promise.resolve());
    await untilBlocking(sql);
    // The archive has locked this one, and waits for the other one.
    await restoreRow(sql, shipment.id);
    await sql.query('COMMIT');
    await sql.end();
    await archiving;
    for (const each of [path, other]) expect((await service.api.get(each)).status).toBe(200);
    expect(await readdir(folder)).toEqual([`${OLD}.json`, `${OLD}.tsv.gz`]);
  });

  /** Archives May by a connection of its own. Calls `beforeCommit` when all is done but the commit. */
  async function archivedBy(beforeCommit: (archiver: Client) => Promise<void>): Promise<void> {
    const archiver = await service.connect();
    const query = archiver.query.bind(archiver) as (...words: unknown[]) => unknown;
    jest.spyOn(archiver, 'query').mockImplementation((...words: unknown[]) => {
      return words[0] === 'COMMIT' ? beforeCommit(archiver).then(() => query(...words)) : query(...words);
    });
    await archive(archiver, { before: Month.parse(JUNE), folder, dryRun: false, say });
    await archiver.end();
  }

  async function restoreRow(sql: Client, id: string): Promise<void> {
    await sql.query(
      'INSERT INTO undeletions (record_kind, record_id, deleted_at) SELECT record_kind, record_id, deleted_at FROM deletions WHERE record_id = $1',
      [id],
    );
  }
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
