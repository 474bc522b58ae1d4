import { readFileSync } from 'node:fs';
import type { Client } from 'pg';
import { NUMBERING } from '../../src/events/events-sql.js';
import { positionsFault } from '../../src/history/positions.js';
import { connect, createTestDatabase, type TestDatabase } from '../support/database/test-database.js';
import { allNumbered } from '../support/records/events.js';
import { createMove } from '../support/records/records.js';
import { eventually } from '../support/races/eventually.js';
import { Replica } from '../support/service/replica.js';

let database: TestDatabase;
let sql: Client;
let replica: Replica;

test.each([
  ['0', '0', undefined],
  ['3', '3', undefined],
  ['9007199254740993', '9007199254740992', undefined],
  ['9007199254740992', '9007199254740993', /setval\('history_position_seq', 9007199254740993\)/],
  ['0', '3', /is 1, but 3 is in use/],
])('with %s drawn and %s in use, the fault is %s', (drawn, highest, fault) => {
  if (fault === undefined) expect(positionsFault({ drawn, highest })).toBeUndefined();
  else expect(positionsFault({ drawn, highest })).toMatch(fault);
});

describe('a service', () => {
  beforeEach(async () => {
    database = await createTestDatabase();
    sql = await connect(database.url);
  });
  afterEach(async () => {
    await replica.kill();
    await sql.end();
    await database.drop();
  });

  const environment = () => ({ DATABASE_URL: database.url });
  const lost = async () => (await sql.query<{ lost: number }>(NUMBERING.text)).rows[0]?.lost;

  /** What logical replication leaves: the rows, and a sequence that has not moved. */
  async function loseSequence(): Promise<void> {
    for (let made = 0; made < 3; made += 1) await createMove(replica.api);
    await allNumbered(sql);
    await sql.query(`SELECT setval('history_position_seq', 1, false)`);
  }

  const BEHIND =
    "is 1, but 3 is in use already. Run this as the owner of the tables: SELECT setval('history_position_seq', 3). " +
    'Changes made in the meantime may lack events: docs/history.md says how to number them.';

  test('a service whose positions have fallen behind is not ready, and ready again after the statement that it names', async () => {
    replica = await Replica.start(environment());
    expect(await lost()).toBe(0);
    await loseSequence();
    expect(await replica.readiness()).toBe(503);
    await eventually(() => Promise.resolve(replica.lines.join('\n').includes(BEHIND)), 10_000, 'the reason in the log');
    await sql.query(`SELECT setval('history_position_seq', 3)`);
    expect(await replica.readiness()).toBe(200);
    await createMove(replica.api);
    await allNumbered(sql);
  });

  test('a service does not start on positions that have fallen behind, and says the statement', async () => {
    replica = await Replica.start(environment());
    await loseSequence();
    await replica.stop();
    replica = await Replica.launch(environment());
    expect(await replica.exit).toBe(1);
    expect(replica.lines.join('\n')).toContain(BEHIND);
    expect(replica.lines.join('\n')).not.toContain('    at ');
  });

  test('entries that never became events are counted, and the documented repair numbers them', async () => {
    replica = await Replica.start(environment());
    await loseSequence();
    await createMove(replica.api);
    await createMove(replica.api);
    expect(await lost()).toBe(2);
    await replica.stop();
    await sql.query(`SELECT setval('history_position_seq', 3)`);
    const [repair = ''] = /BEGIN;\nALTER TABLE history.*?COMMIT;/s.exec(readFileSync('docs/history.md', 'utf8')) ?? [];
    await sql.query(repair);
    await replica.startAgain();
    await createMove(replica.api);
    await allNumbered(sql);
    expect(await lost()).toBe(0);
    const { body } = await replica.api.get('/v1/events');
    expect(body).toHaveLength(6);
  });
});
