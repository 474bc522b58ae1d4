import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { archive } from '../../tools/archive/archive.js';
import { MonthFile } from '../../tools/archive/month-file.js';
import { Month } from '../../tools/archive/month.js';
import { restore } from '../../tools/archive/restore.js';
import type { Json } from '../support/http/api.js';
import { erased, tablesWith } from '../support/records/erasing.js';
import { allNumbered } from '../support/records/events.js';
import { createShipment } from '../support/records/records.js';
import { startService, type TestService } from '../support/service/service.js';

const OLD = 'history_2024_05';
const SECRET = 'Q6-Dylan';

let service: TestService;
let folder: string;
let said: string[];

beforeEach(async () => {
  service = await startService();
  folder = await mkdtemp(join(tmpdir(), 'waybill-erasure-'));
  said = [];
});
afterEach(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

const say = (line: string) => void said.push(line);
const moveOut = () => archive(service.sql, { before: Month.parse('2024-06'), folder, dryRun: false, say });

/** A shipment that somebody changed in May 2024. That month is in a file now. */
async function archivedShipment(): Promise<Json> {
  const shipment = await createShipment(service.api);
  await service.sql.query(`SELECT prepare_history('2024-05-01', '2024-05-01')`);
  await service.sql.query(
    `INSERT INTO history (root_id, record_kind, record_id, type, e_tag, record, changed_by, subject, changed_at)
     SELECT root_id, record_kind, record_id, 'updated', sha256('old'), record || '{"customer_remarks": "${SECRET}"}',
       'Ann Porter', 'dispatcher-7', '2024-05-17T12:00:00Z'
     FROM history WHERE record_id = $1`,
    [shipment.id],
  );
  await allNumbered(service.sql);
  await moveOut();
  return shipment;
}

const bringBack = () => restore(service.sql, MonthFile.in(folder, OLD), say);

test('an erasure lists the files that still contain the record, and a restored month does not have its values', async () => {
  const shipment = await archivedShipment();
  const other = await createShipment(service.api);
  const { said: told } = await erased(service, { recordID: shipment.id });
  expect(told).toContain(`These archived months contain its data, but this command cannot erase files: ${OLD}.tsv.gz.`);
  expect((await erased(service, { recordID: other.id })).said).not.toContain('archived');

  expect(await bringBack()).toBe(1);

  expect(said.join('\n')).toContain(
    '2024-05: 1 entries contained data that was erased after archiving; erased it again',
  );
  expect(await tablesWith(service.sql, SECRET)).toEqual([]);
  const { rows } = await service.sql.query<Json>(`SELECT erased, record, changed_by FROM ${OLD}`);
  expect(rows).toEqual([
    { erased: true, record: { erased: true, move_id: shipment.moveID }, changed_by: 'Ann Porter' },
  ]);
  expect((await erased(service, { recordID: shipment.id })).said).not.toContain('archived');
});

test('an agent whose entries are all in a file is found by its events', async () => {
  const { id } = await createShipment(service.api);
  const agentID = randomUUID();
  await service.sql.query(`SELECT prepare_history('2024-05-01', '2024-05-01')`);
  await service.sql.query(
    `INSERT INTO history (root_id, record_kind, record_id, type, changed_by, changed_at)
     VALUES ($1, 'agent', $2, 'deleted', 'somebody', '2024-05-17T12:00:00Z')`,
    [id, agentID],
  );
  await allNumbered(service.sql);
  await moveOut();
  const { entries, said: told } = await erased(service, { recordID: agentID });
  expect([entries, told]).toEqual([0, expect.stringContaining(`${OLD}.tsv.gz`)]);
});

test('the same for a subject, for which all files are listed; the data of others is restored unchanged', async () => {
  await archivedShipment();
  await erased(service, { subject: 'somebody else' });
  await bringBack();
  expect(await tablesWith(service.sql, SECRET)).toEqual([OLD]);
  expect(await tablesWith(service.sql, 'dispatcher-7')).toEqual([OLD]);
  await moveOut();
  const { said: told } = await erased(service, { subject: 'dispatcher-7' });
  expect(told).toContain(
    `These archived months may name the author, but this command cannot erase files: ${OLD}.tsv.gz.`,
  );
  await bringBack();
  for (const name of ['Ann Porter', 'dispatcher-7']) expect(await tablesWith(service.sql, name)).toEqual([]);
  const { rows } = await service.sql.query<Json>(`SELECT erased, changed_by, subject, record FROM ${OLD}`);
  expect(rows).toEqual([
    {
      erased: true,
      changed_by: 'erased',
      subject: null,
      record: expect.objectContaining({ customer_remarks: SECRET }),
    },
  ]);
});

test('the name of a file that was imported is not restored after the erasure of its import', async () => {
  const id = randomUUID();
  await service.sql.query(`SELECT prepare_history('2024-05-01', '2024-05-01')`);
  await service.sql.query(
    `INSERT INTO history (root_id, record_kind, record_id, type, e_tag, record, changed_by, changed_at)
     VALUES ($1, 'import', $1, 'created', sha256('old'), $2, 'somebody', '2024-05-17T12:00:00Z')`,
    [id, { file_name: `${SECRET}.csv`, created_by: 'somebody' }],
  );
  await allNumbered(service.sql);
  await moveOut();
  await erased(service, { recordID: id });
  await bringBack();
  expect(await tablesWith(service.sql, SECRET)).toEqual([]);
});
