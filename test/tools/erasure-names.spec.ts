import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { archive } from '../../tools/archive/archive.js';
import { MonthFile } from '../../tools/archive/month-file.js';
import { Month } from '../../tools/archive/month.js';
import { restore } from '../../tools/archive/restore.js';
import type { Json } from '../support/http/api.js';
import { useSecuredService } from '../support/http/tokens.js';
import { erased, runErase, tablesWith } from '../support/records/erasing.js';
import { allNumbered } from '../support/records/events.js';
import { createMove, UNKNOWN_ID } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const SHARED = 'Ann Porter';

describe('with AUTH_MODE=off', () => {
  const service = useService();
  const as = (name: string) => service.api.as({ 'X-Display-Name': encodeURIComponent(name) });
  const authors = async ({ id }: Json) => {
    const { body } = await service.api.get<Json[]>(`/v1/moves/${id}/history`);
    return body.filter(({ type }) => type !== 'erased').map(({ changedBy, subject }) => [changedBy, subject]);
  };
  const recorded = async () => (await service.sql.query<Json>('SELECT * FROM erasures ORDER BY started_at')).rows;

  test('a display name is erased, and others are kept', async () => {
    const [ann, bob, nobody] = [
      await createMove(as(SHARED)),
      await createMove(as('Ann Porter-Ode')),
      await createMove(service.api),
    ];
    const { code, stdout } = await runErase(service, ['--name', SHARED, '--by', 'the officer']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('1 history entries, 0 import rows and 0 stored')]);
    expect(await authors(ann)).toEqual([['erased', 'erased']]);
    expect(await authors(bob)).toEqual([['Ann Porter-Ode', 'anonymous']]);
    expect(await authors(nobody)).toEqual([['anonymous', 'anonymous']]);
    const [erasure] = await recorded();
    expect(erasure).toMatchObject({ record_id: null, subject_digest: null, requested_by: 'the officer', entries: '1' });
    expect(JSON.stringify(erasure)).not.toContain('Ann');
  });

  test.each([
    ['--name', 'Nobody At All'],
    ['--subject', 'nobody-at-all'],
    ['--record', UNKNOWN_ID],
  ])('%s that finds nothing says so, is recorded and ends with 3; a dry run is not recorded', async (...words) => {
    const before = (await recorded()).length;
    const dry = await runErase(service, [...words, '--dry-run']);
    expect([dry.code, dry.stdout, (await recorded()).length]).toEqual([3, 'Nothing was found.\n', before]);
    const { code, stdout } = await runErase(service, words);
    expect([code, (await recorded()).length]).toEqual([3, before + 1]);
    expect(stdout).toContain('Nothing was found. It also applies to months that are restored later');
  });

  test('a restored month does not have the name, but has the same name of others', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'waybill-names-'));
    await service.sql.query(`SELECT prepare_history('2024-05-01', '2024-05-01')`);
    await service.sql.query(
      `INSERT INTO history (root_id, record_kind, record_id, type, changed_by, subject, changed_at)
       SELECT gen_random_uuid(), 'move', gen_random_uuid(), 'deleted', 'Cleo', subject, '2024-05-17'
       FROM unnest('{anonymous,cleo-1}'::text[]) AS subject`,
    );
    await allNumbered(service.sql);
    await archive(service.sql, { before: Month.parse('2024-06'), folder, dryRun: false, say: () => undefined });
    expect((await runErase(service, ['--name', 'Cleo'])).code).toBe(3);
    await restore(service.sql, MonthFile.in(folder, 'history_2024_05'), () => undefined);
    const { rows } = await service.sql.query<Json>('SELECT changed_by, subject FROM history_2024_05 ORDER BY subject');
    expect(rows).toEqual([
      { changed_by: 'Cleo', subject: 'cleo-1' },
      { changed_by: 'erased', subject: null },
    ]);
    await rm(folder, { recursive: true });
  });
});

describe('with tokens', () => {
  const { service, as } = useSecuredService({ JWT_NAME_CLAIM: 'name' });

  test('the subjects that used a name are listed, and nothing is erased or recorded', async () => {
    for (const subject of ['ann-2', 'ann-1']) {
      await createMove(await as({ subject, scope: 'moves:write', claims: { name: SHARED } }));
    }
    await expect(erased(service, { name: SHARED })).rejects.toThrow(`used the name "${SHARED}"`);
    for (const more of [[], ['--dry-run']]) {
      const { code, stderr } = await runErase(service, ['--name', SHARED, ...more]);
      expect([code, stderr]).toEqual([1, expect.stringContaining(`used the name "${SHARED}":\n  ann-1\n  ann-2\n`)]);
    }
    expect((await service.sql.query(`SELECT FROM history WHERE changed_by = '${SHARED}'`)).rowCount).toBe(2);
    expect((await service.sql.query('SELECT FROM erasures')).rowCount).toBe(0);
    await erased(service, { subject: 'ann-1' });
    await erased(service, { subject: 'ann-2' });
    expect(await tablesWith(service.sql, SHARED)).toEqual([]);
    expect((await runErase(service, ['--name', SHARED])).code).toBe(3);
  });
});
