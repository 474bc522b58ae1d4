import type { Json } from '../support/http/api.js';
import { erased, runErase, startErase, tablesWith } from '../support/records/erasing.js';
import { allNumbered } from '../support/records/events.js';
import { eventually } from '../support/races/eventually.js';
import { createShipment, UNKNOWN_ID } from '../support/records/records.js';
import { shareOf } from '../support/repository/sweeps.js';
import { useService } from '../support/service/service.js';

const service = useService();

const SECRET = 'Q9-Brian';
const CHANGES = 24;

/** A deleted shipment with as many entries as it had changes, and two more. */
async function deletedShipment(): Promise<string> {
  let shipment = await createShipment(service.api, { customerRemarks: SECRET });
  const path = `/v1/shipments/${shipment.id}`;
  for (let change = 1; change <= CHANGES; change += 1) {
    ({ body: shipment } = await service.api.patch(path, shipment.eTag, { customerRemarks: `${SECRET} ${change}` }));
  }
  await service.api.delete(path);
  return shipment.id;
}

async function erasuresOf(id: string): Promise<Json[]> {
  return (await service.sql.query('SELECT * FROM erasures WHERE record_id = $1', [id])).rows;
}

test('killed between batches and run again: all is erased, and recorded once with the right count', async () => {
  const id = await deletedShipment();
  const [blocker, observer] = [await service.connect(), await service.connect()];
  await blocker.query('BEGIN');
  // An entry of the second batch.
  await blocker.query(
    `SELECT FROM history WHERE root_id = $1 AND position = (
       SELECT position FROM history WHERE root_id = $1 ORDER BY position OFFSET 14 LIMIT 1
     ) FOR UPDATE`,
    [id],
  );
  const first = startErase(service, ['--record', id, '--batch', '10', '--by', 'the officer']);
  const atWork = `SELECT wait_event_type FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'waybill erase'`;
  const stateOf = async () => (await observer.query<Json>(atWork)).rows.map((row: Json) => row.wait_event_type);
  await eventually(async () => (await stateOf()).includes('Lock'), 60_000, 'the second batch waits');
  first.process.kill('SIGKILL');
  await first.ended;
  await blocker.query('ROLLBACK');
  await eventually(async () => (await stateOf()).length === 0, 60_000, 'its connection has ended');
  await Promise.all([blocker.end(), observer.end()]);
  const [interrupted] = await erasuresOf(id);
  expect([interrupted.entries, interrupted.finished_at]).toEqual(['10', null]);

  const { code, stdout, stderr } = await runErase(service, ['--record', id, '--batch', '10']);

  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain('Resuming an interrupted erasure: 10 history entries');
  expect(stdout).toContain('20 history entries, 0 import rows and 0 stored responses erased so far.');
  expect(await tablesWith(service.sql, SECRET)).toEqual([]);
  const erasures = await erasuresOf(id);
  expect(erasures).toEqual([expect.objectContaining({ entries: String(CHANGES + 2), requested_by: 'the officer' })]);
  expect(erasures[0].finished_at).toBeInstanceOf(Date);
  await allNumbered(service.sql);
  const { body } = await service.api.get(`/v1/events?limit=1000&resourceID=${id}`);
  expect(body.map(({ data }: Json) => data.erased)).toEqual([...Array<true>(CHANGES + 2).fill(true), undefined]);
  expect(body.at(-1)).toMatchObject({ type: 'shipment.erased', data: { changedBy: 'the officer' } });
});

test('a dry run counts and touches nothing', async () => {
  const id = await deletedShipment();
  const before = (await service.sql.query('SELECT * FROM history ORDER BY position')).rows;
  const { code, stdout } = await runErase(service, ['--record', id.toUpperCase(), '--dry-run']);
  expect([code, stdout]).toEqual([0, expect.stringContaining(`${CHANGES + 2} history entries`)]);
  expect(await erased(service, { subject: 'anonymous' }, { dryRun: true })).toMatchObject({
    entries: before.filter(({ changed_by: author }) => author === 'anonymous').length,
  });
  expect((await service.sql.query('SELECT * FROM history ORDER BY position')).rows).toEqual(before);
  expect(await erasuresOf(id)).toEqual([]);
});

const REFUSED: [words: string[], reason: string][] = [
  [[], 'Pass one of --record, --subject and --name.'],
  [['--record', UNKNOWN_ID, '--subject', 'somebody'], 'Pass one of --record, --subject and --name.'],
  [['--record', 'P9DS53'], '--record must be the id of a record, but is "p9ds53".'],
  [['--subject', ''], 'The subject is empty.'],
  [['--name', ''], 'The name is empty.'],
  [['--name', 'erased'], '"erased" stands for authors that are erased.'],
  [['--record', UNKNOWN_ID, '--batch', '0'], '--batch must be a whole number from 1 to 100000, but is "0".'],
];

test.each(shareOf(REFUSED, 0, REFUSED.length))('%j ends with 1 and the usage', async (words, reason) => {
  const { code, stderr } = await runErase(service, words);
  expect([code, stderr]).toEqual([1, expect.stringContaining('npm run history:erase')]);
  expect(stderr).toContain(reason);
});

test('an erasure does not begin while another one runs', async () => {
  const other = await service.connect();
  await other.query(`SELECT pg_advisory_lock(hashtext('history_erase'))`);
  await expect(erased(service, { recordID: UNKNOWN_ID })).rejects.toThrow('Another erasure is running');
  await other.end();
});

test('a role that does not own the tables is refused before anything happens', async () => {
  const connect = async () => {
    const client = await service.connect();
    await client.query('SET ROLE pg_monitor');
    return client;
  };
  const refused = erased({ connect }, { recordID: UNKNOWN_ID });
  await expect(refused).rejects.toThrow('Erasing requires the role that owns the tables');
});
