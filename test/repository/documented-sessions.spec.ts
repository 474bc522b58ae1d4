import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { COMMANDS } from '../../scripts/commands.mjs';
import { BLOCKS } from '../support/repository/documents.js';
import { allNumbered } from '../support/records/events.js';
import { createShipment } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const run = promisify(execFile);
const service = useService({ POOL_SIZE: '3' });
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waybill-documents-'));
});
afterAll(() => rm(folder, { recursive: true }));

function block(document: string, language: string, marker: string): string {
  const found = BLOCKS.filter(
    (one) => one.document === document && one.language === language && one.text.includes(marker),
  );
  expect(found).toHaveLength(1);
  return found[0]?.text ?? '';
}

/** Runs a shell block as it stands in the document, but for its folder and npm, which takes longer than the programs that it runs. */
async function runSession(text: string): Promise<string> {
  const script = text
    .replaceAll('/backup/waybill', folder)
    .replaceAll(/npm run (\S+) --/g, (_, name: string) =>
      ['node', ...(COMMANDS[name]?.programs ?? []).flat()].join(' '),
    );
  const env = { ...process.env, DATABASE_URL: service.databaseUrl };
  const { stdout } = await run('sh', ['-ec', script], { env });
  return stdout;
}

/** A shipment whose only entry of history is told to be of December 2025. */
async function shipmentOfDecember(): Promise<string> {
  const { id } = await createShipment(service.api, { customerRemarks: 'Ada Lovelace, second floor' });
  await allNumbered(service.sql);
  await service.sql.query(`SELECT prepare_history('2025-12-01Z', '2025-12-01Z')`);
  await service.sql.query('ALTER TABLE events DISABLE TRIGGER events_append_only');
  await service.sql.query(`UPDATE events SET moment = '2025-12-24T12:00:00Z' WHERE root_id = $1`, [id]);
  await service.sql.query('ALTER TABLE events ENABLE TRIGGER events_append_only');
  await service.sql.query('ALTER TABLE history DISABLE TRIGGER history_append_only');
  await service.sql.query(`UPDATE history SET changed_at = '2025-12-24T12:00:00Z' WHERE root_id = $1`, [id]);
  await service.sql.query('ALTER TABLE history ENABLE TRIGGER history_append_only');
  return id;
}

async function historyOf(id: string): Promise<unknown[]> {
  const { rows } = await service.sql.query('SELECT * FROM history WHERE root_id = $1 ORDER BY position', [id]);
  return rows;
}

describe('docs/history.md', () => {
  let id: string;
  let before: unknown[];

  it('moves months out and brings them back with its commands', async () => {
    id = await shipmentOfDecember();
    before = await historyOf(id);
    await runSession(block('docs/history.md', 'sh', 'history:archive'));
    expect(await historyOf(id)).toEqual([]);
    expect(await readdir(folder)).toEqual(expect.arrayContaining(['history_2025_12.json', 'history_2025_12.tsv.gz']));
    await runSession(block('docs/history.md', 'sh', 'history:restore'));
    expect(await historyOf(id)).toEqual(before);
  });
});

test('docs/versioning.md shows headers that a client can read', () => {
  const [headers = ''] = BLOCKS.filter(({ document }) => document === 'docs/versioning.md').map(({ text }) => text);
  const [, deprecation] = /^Deprecation: @(\d+)$/m.exec(headers) ?? [];
  const [, sunset = ''] = /^Sunset: (.+)$/m.exec(headers) ?? [];
  expect(Number(deprecation) * 1000).toBeLessThan(Date.parse(sunset));
  expect(new Date(sunset).toUTCString()).toBe(sunset);
});
