import type { Client } from 'pg';
import { readOptions } from '../../tools/seed/options.js';
import { nextStatuses, STATUSES, type ShipmentStatus } from '../../src/model/shipment-status.js';
import { MOVES, seed, seedHere, UNTIL } from '../support/records/seed.js';
import { connect, createTestDatabase, type TestDatabase } from '../support/database/test-database.js';

const TABLES = ['moves', 'shipments', 'agents', 'services'];

async function digests(client: Client): Promise<string[]> {
  const { rows } = await client.query<[string]>({
    text: TABLES.map((table) => `SELECT md5(string_agg(r::text, ',' ORDER BY r.id)) FROM ${table} r`).join(
      ' UNION ALL ',
    ),
    rowMode: 'array',
  });
  return rows.flat();
}

describe('a seeded database', () => {
  let database: TestDatabase;
  let client: Client;
  let said: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    client = await connect(database.url);
    said = await seed(database.url);
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  async function countOf(condition: string): Promise<number> {
    const { rows } = await client.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${condition}`);
    return rows[0]?.count ?? NaN;
  }

  it('is left as it was when the same seed comes again, which is told', async () => {
    const before = await digests(client);
    await expect(seed(database.url, { words: ['--into-existing'] })).rejects.toMatchObject({
      stderr: expect.stringContaining('Nothing was created: the database already has these records.') as string,
    });
    expect(await digests(client)).toEqual(before);
  });

  it.each<[string, Parameters<typeof seed>[1], string]>([
    ['has moves', { words: ['--seed', '8'] }, 'Nothing was created: the database has moves already.'],
    [
      'is in production',
      { words: ['--seed', '8', '--into-existing'], environment: { NODE_ENV: 'production' } },
      'Nothing was created: NODE_ENV is production',
    ],
  ])('is not filled when it %s', async (_, options, message) => {
    const before = await digests(client);
    await expect(seed(database.url, options)).rejects.toMatchObject({
      stderr: expect.stringContaining(message) as string,
    });
    expect(await digests(client)).toEqual(before);
  });

  it('is told about', async () => {
    const counts: number[] = [];
    for (const table of TABLES) counts.push(await countOf(table));
    const [moves = 0, shipments = 0, agents = 0, services = 0] = counts;
    expect(said).toContain(`Made ${moves} moves, ${shipments} shipments, ${agents} agents, ${services} services in `);
    expect(moves).toBe(MOVES);
    expect(shipments / moves).toBeGreaterThan(2.5);
    expect(shipments / moves).toBeLessThan(3.5);
  });

  it('has ids in the order of creation, and no moment outside of the two years', async () => {
    for (const table of TABLES) {
      const outOfOrder = `(SELECT created_at < lag(created_at) OVER (ORDER BY id) AS late FROM ${table}) r WHERE late`;
      expect(await countOf(outOfOrder)).toBe(0);
      const outside = `${table} WHERE created_at > updated_at OR updated_at > '${UNTIL}' OR created_at < '2024-01-30'`;
      expect(await countOf(outside)).toBe(0);
    }
  });
});

describe('a seeded week', () => {
  let database: TestDatabase;
  let client: Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    await seedHere(database.url, { week: true });
    client = await connect(database.url);
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  it('has shipments of every status, and no moment outside of it', async () => {
    const { rows } = await client.query<{ status: string; first: Date; last: Date }>(
      'SELECT status, min(created_at) AS first, max(updated_at) AS last FROM shipments GROUP BY status',
    );
    expect(rows.map(({ status }) => status).sort()).toEqual([...STATUSES].sort());
    for (const { first, last } of rows) {
      expect(first.getTime()).toBeGreaterThanOrEqual(Date.parse('2026-01-24T00:00:00Z'));
      expect(last.getTime()).toBeLessThanOrEqual(Date.parse(UNTIL));
    }
  });

  it('has the same records after the same seed, and others after another', async () => {
    const clones: [TestDatabase, number][] = [];
    for (const number of [7, 8]) clones.push([await createTestDatabase(), number]);
    const [same, other] = await Promise.all(
      clones.map(async ([clone, number]) => {
        await seedHere(clone.url, { number, week: true });
        const reader = await connect(clone.url);
        const found = await digests(reader);
        await reader.end();
        await clone.drop();
        return found;
      }),
    );
    expect(same).toEqual(await digests(client));
    expect(other?.some((digest) => same?.includes(digest))).toBe(false);
  });

  it('records named authors of status changes, and makes only allowed transitions', async () => {
    const { rows } = await client.query<{ from: ShipmentStatus | null; to: ShipmentStatus; by: string }>(
      `SELECT lag(record ->> 'status') OVER (PARTITION BY record_id ORDER BY changed_at) AS from,
         record ->> 'status' AS to, changed_by AS by
       FROM history WHERE record_kind = 'shipment'`,
    );
    expect(rows.length).toBeGreaterThan(300);
    for (const { from, to, by } of rows) {
      expect(by).toMatch(/^[A-Z][a-z]+ [A-Z][A-Za-z']+$/);
      if (from !== null && from !== to) expect(nextStatuses(from)).toContain(to);
    }
  });
});

describe('the program', () => {
  it.each([
    [{ moves: '0' }, '--moves must be a whole number from 1'],
    [{ seed: 'x' }, '--seed must be a whole number'],
    [{ until: '2999-01-01' }, '--until must be a time in the past'],
  ])('refuses %j', (options, fault) => {
    expect(() => readOptions({ moves: '1', seed: '1', week: false, ...options }, Date.now())).toThrow(fault);
  });
});
