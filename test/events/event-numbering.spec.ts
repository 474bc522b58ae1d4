// Not through PgBouncer: it connects to PostgreSQL directly, as the owner or as another role.
import { randomUUID } from 'node:crypto';
import type { EmbeddedPostgres } from '@waybill/embedded-postgres';
import type { QueryRunner } from 'typeorm';
import { Events1763400000006 } from '../../migrations/1763400000006-events.js';
import { eventually } from '../support/races/eventually.js';
import { NumberingWorld, startNumberingServer, type Writer } from '../support/database/numbering-world.js';
import { sabotage } from '../support/races/sabotage.js';
import { shareOf } from '../support/repository/sweeps.js';

const WRITERS = 3;
/** Begin and get an id; write and so draw a position; end. */
const STEPS = 3;

let server: EmbeddedPostgres;
let world: NumberingWorld;

beforeAll(async () => {
  server = await startNumberingServer();
});
beforeEach(async () => {
  world = await NumberingWorld.create(server, WRITERS);
});
afterEach(() => world.leave());
afterAll(() => server.stop());

/** Every order in which the steps of three writers can come. Writers are alike, so they begin in order. */
function interleavings(done: readonly number[] = Array<number>(WRITERS).fill(0)): number[][] {
  if (done.every((count) => count === STEPS)) return [[]];
  return done.flatMap((count, writer) => {
    const mayGoOn = count < STEPS && (count > 0 || writer === 0 || (done[writer - 1] ?? 0) > 0);
    if (!mayGoOn) return [];
    const after = done.map((each, other) => (other === writer ? each + 1 : each));
    return interleavings(after).map((rest) => [writer, ...rest]);
  });
}

const ORDERS = interleavings();
/** Those that are tried; one test proves that among them is one in which a wrong bound loses entries. */
const TRIED = shareOf(ORDERS, 0, 10);

function writerAt(index: number): Writer {
  const writer = world.writers[index];
  if (writer === undefined) throw new Error(`There is no writer ${index}`);
  return writer;
}

/** Takes the steps in this order, and looks after each. A step that waits for another transaction comes when it can. */
async function play(
  order: readonly number[],
  outcome: number,
  write: (writer: Writer) => Promise<void>,
  look: () => Promise<void>,
) {
  const done = Array<number>(WRITERS).fill(0);
  const left = [...order];
  while (left.length > 0) {
    const at = left.findIndex((index) => !writerAt(index).isBlocked);
    const [index = 0] = left.splice(at, 1);
    const writer = writerAt(index);
    const step = done[index] ?? 0;
    done[index] = step + 1;
    if (step === 0) await writer.begin();
    else if (step === 1) await write(writer);
    else await writer.run((outcome >> index) & 1 ? 'ROLLBACK' : 'COMMIT');
    // Writers that waited for the transaction that has just ended continue, or wait for another one.
    for (const other of world.writers)
      await eventually(async () => !other.isBlocked || (await other.waitsForLock()), 30_000);
    await look();
  }
}

/** Reads on from the largest position that it has seen, and tells how many entries it passed over. */
class ByPosition {
  private last = '0';
  private seen = 0;

  readonly look = async () => {
    const { rows } = await world.sql.query<{ position: string }>(
      'SELECT position FROM history WHERE position > $1 ORDER BY position',
      [this.last],
    );
    this.last = rows.at(-1)?.position ?? this.last;
    this.seen += rows.length;
  };

  async lost(): Promise<number> {
    const { rows } = await world.sql.query<{ count: number }>('SELECT count(*)::int AS count FROM history');
    return (rows[0]?.count ?? 0) - this.seen;
  }
}

/** How often a record's entries are not in the order of the ids of their transactions. */
async function invertedByTransaction(): Promise<number> {
  const { rows } = await world.sql.query<{ count: number }>(`
    SELECT count(*)::int AS count FROM (
      SELECT xid, lag(xid) OVER (PARTITION BY record_id ORDER BY position) AS before
      FROM (SELECT record_id, position, xmin::text::bigint AS xid FROM history) entries
    ) chain WHERE before > xid`);
  return rows[0]?.count ?? 0;
}

const number = async (): Promise<void> => {
  await world.number();
};

test('records of their own: orders of three writers, with some of the eight outcomes each; reading by position alone loses entries', async () => {
  expect(ORDERS).toHaveLength(280);
  const naive = new ByPosition();
  for (const [index, order] of TRIED.entries()) {
    for (const outcome of shareOf([index % 8, (index + 3) % 8], 0, 2)) {
      await play(
        order,
        outcome,
        (writer) => writer.insert(),
        async () => {
          await number();
          await naive.look();
        },
      );
    }
  }
  await number();
  expect(await world.faults()).toEqual([]);
  expect(await naive.lost()).toBeGreaterThan(0);
}, 600_000);

test('one record: orders of three writers; reading by transaction id inverts it', async () => {
  const id = randomUUID();
  await world.sql.query(`INSERT INTO moves (id, move_code) VALUES ($1, 'AAAAAA')`, [id]);
  for (const [index, order] of TRIED.entries()) {
    await play(order, index % 8, (writer) => writer.update(id), number);
  }
  await number();
  expect(await world.faults()).toEqual([]);
  expect(await invertedByTransaction()).toBeGreaterThan(0);
}, 600_000);

test('with the xmax of the snapshot instead of an id that was assigned after it, entries are lost', async () => {
  await sabotage(world.sql, 'number_events', 'pg_current_xact_id()\n', 'pg_snapshot_xmax(pg_current_snapshot())\n');
  const isLost = async () => (await world.faults()).some((fault) => fault.includes('has no number'));
  for (const order of TRIED) {
    await play(order, 0, (writer) => writer.insert(), number);
    await number();
    if (await isLost()) return;
  }
  throw new Error('Nothing was lost in any order');
}, 600_000);

describe('a transaction with more entries than a batch that commits late', () => {
  const late = async () => {
    const [large, small] = world.writers as [Writer, Writer];
    await large.begin();
    await large.insert(1100);
    await small.insert();
    await world.number();
    await large.run('COMMIT');
    while ((await world.number()) !== 0);
  };

  test('is numbered as a whole', async () => {
    await late();
    expect(await world.faults()).toEqual([]);
    expect(await world.gaps()).toBe(0);
  });

  test('loses entries when a full batch does not keep its gaps', async () => {
    await sabotage(world.sql, 'number_events', 'WHERE is_full OR', 'WHERE');
    await late();
    expect(await world.faults()).toContainEqual(expect.stringMatching(/^entry \d+ has no number$/));
  });
});

test('a gap is remembered while somebody older runs, and forgotten afterwards; nobody waits for it', async () => {
  const [old, failing, other] = world.writers as [Writer, Writer, Writer];
  await old.begin();
  await failing.begin();
  await failing.insert();
  await failing.run('ROLLBACK');
  for (let turn = 0; turn < 3; turn += 1) {
    await other.insert();
    expect([await world.number(), await world.gaps()]).toEqual([1, 1]);
  }
  await old.run('ROLLBACK');
  await other.insert();
  expect([await world.number(), await world.gaps()]).toEqual([1, 0]);
  expect(await world.faults()).toEqual([]);
});

test('a session that is killed leaves a gap that is forgotten', async () => {
  const [killed, other] = world.writers as [Writer, Writer];
  await killed.begin();
  await killed.insert();
  await other.insert();
  expect([await world.number(), await world.gaps()]).toEqual([1, 1]);
  await world.sql.query('SELECT pg_terminate_backend($1, 10000)', [killed.pid]);
  await other.insert();
  expect([await world.number(), await world.gaps()]).toEqual([1, 0]);
  expect(await world.faults()).toEqual([]);
});

describe('an entry that is moved to a month of its own while it is looked for', () => {
  async function move(): Promise<void> {
    const [late, other, preparing] = world.writers as [Writer, Writer, Writer];
    await late.begin();
    await late.run(`
      INSERT INTO history (root_id, record_kind, record_id, type, changed_by, changed_at)
      VALUES (gen_random_uuid(), 'move', gen_random_uuid(), 'deleted', 'somebody', '2024-04-01T00:00:00Z')
    `);
    await other.insert();
    expect([await world.number(), await world.gaps()]).toEqual([1, 1]);
    await late.run('COMMIT');
    await other.insert();
    await preparing.begin();
    await preparing.run(`SELECT prepare_history('2024-04-01', '2024-04-01')`);
    await late.run('SELECT number_events()');
    expect(late.isBlocked).toBe(true);
    await preparing.run('COMMIT');
    await late.ends();
    await world.number();
  }

  test('gets its number', async () => {
    await move();
    expect(await world.faults()).toEqual([]);
  });

  test('is lost when months may be attached between the plan and the snapshot', async () => {
    await sabotage(world.sql, 'prepare_history', 'LOCK TABLE ONLY history IN ACCESS EXCLUSIVE MODE;', 'NULL;');
    await move();
    expect(await world.faults()).toEqual([expect.stringMatching(/^entry \d+ has no number$/)]);
  });
});

describe('a month that is dropped while somebody else looks', () => {
  const NUMBERING = 'SELECT number_events()';
  const PREPARING = `SELECT prepare_history('2024-05-01', '2024-05-01')`;

  async function drop(statement: string): Promise<void> {
    const [reading, dropping, looking] = world.writers as [Writer, Writer, Writer];
    await reading.run(`SELECT prepare_history('2024-04-01', '2024-04-01')`);
    await reading.run('BEGIN; SELECT FROM history LIMIT 1');
    await dropping.run('DROP TABLE history_2024_04');
    await looking.run(statement);
    expect([dropping.isBlocked, looking.isBlocked]).toEqual([true, true]);
    await reading.run('COMMIT');
    await Promise.all([dropping.ends(), looking.ends()]);
  }

  test.each([NUMBERING, PREPARING])('waits for nobody who waits for it: %s', async (statement) => {
    await drop(statement);
  });

  test('is a deadlock when the preparation locks history_default first', async () => {
    await sabotage(world.sql, 'prepare_history', 'LOCK TABLE ONLY history IN ACCESS SHARE MODE;', '');
    await expect(drop(PREPARING)).rejects.toThrow('deadlock detected');
  });
});

test('one session numbers at a time, and only in a transaction that has not written', async () => {
  const [first, second] = world.writers as [Writer, Writer];
  await first.insert();
  await first.run('BEGIN');
  await first.run('SELECT number_events()');
  expect(await world.number()).toBeNull();
  await first.run('COMMIT');
  expect(await world.number()).toBe(0);
  await second.begin();
  await expect(second.run('SELECT number_events()')).rejects.toThrow('needs a transaction of its own');
});

test('what history has when the feed is made is numbered in batches, and looking costs no transaction id', async () => {
  const [writer] = world.writers as [Writer];
  await writer.insert(1100);
  const migration = new Events1763400000006();
  const db = { query: async (text: string) => (await world.sql.query<object>(text)).rows } as unknown as QueryRunner;
  await world.sql.query('DROP FUNCTION number_events; DROP TABLE events');
  await world.sql.query(`SELECT nextval(pg_get_serial_sequence('history', 'position'))`);
  await writer.insert(10);
  await migration.up(db);
  const batches: (number | null)[] = [];
  do batches.push(await world.number());
  while (batches.at(-1) !== 0);
  expect(batches).toEqual([1000, expect.any(Number), 0]);
  expect(await world.faults()).toEqual([]);
  const nextID = async () => (await world.sql.query(`SELECT pg_snapshot_xmax(pg_current_snapshot())`)).rows;
  const before = await nextID();
  for (let turn = 0; turn < 5; turn += 1) expect(await world.number()).toBe(0);
  expect(await nextID()).toEqual(before);
});
