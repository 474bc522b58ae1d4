import { Client } from 'pg';
import { readOptions } from '../../tools/seed/options.js';
import { nextStatuses, STATUSES, type ShipmentStatus } from '../../src/shipments/shipment-status.js';
import { seed } from '../support/records/seed.js';
import { startService, type TestService } from '../support/service/service.js';
import { createTestDatabase, urlOf, type TestDatabase } from '../support/database/test-database.js';

const UNTIL = '2026-01-31T00:00:00Z';
const SEED = ['--moves', '300', '--seed', '7', '--until', UNTIL];
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
  let service: TestService;
  let url: string;
  let said: string;

  beforeAll(async () => {
    service = await startService();
    const { rows } = await service.sql.query<{ name: string }>('SELECT current_database() AS name');
    url = urlOf(rows[0]?.name ?? '');
    said = await seed(url, SEED);
  });
  afterAll(() => service.stop());

  async function countOf(condition: string): Promise<number> {
    const { rows } = await service.sql.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${condition}`);
    return rows[0]?.count ?? NaN;
  }

  it('is left as it was when the same seed comes again, which is told', async () => {
    const before = await digests(service.sql);
    await expect(seed(url, SEED)).rejects.toMatchObject({
      stderr: expect.stringContaining('Nothing was created: the database already has these records.') as string,
    });
    expect(await digests(service.sql)).toEqual(before);
  });

  it('is told about', async () => {
    const counts: number[] = [];
    for (const table of TABLES) counts.push(await countOf(table));
    const [moves = 0, shipments = 0, agents = 0, services = 0] = counts;
    expect(said).toContain(`Made ${moves} moves, ${shipments} shipments, ${agents} agents, ${services} services in `);
    expect(moves).toBe(300);
    expect(shipments / moves).toBeGreaterThan(2.5);
    expect(shipments / moves).toBeLessThan(3.5);
  });

  it('has the same records after the same seed, and others after another', async () => {
    const clones: [TestDatabase, string][] = [];
    for (const number of ['7', '8']) clones.push([await createTestDatabase(), number]);
    const [same, other] = await Promise.all(
      clones.map(async ([database, number]) => {
        await seed(database.url, [...SEED, '--seed', number]);
        const client = new Client({ connectionString: database.url });
        await client.connect();
        const found = await digests(client);
        await client.end();
        await database.drop();
        return found;
      }),
    );
    expect(same).toEqual(await digests(service.sql));
    expect(other?.some((digest) => same?.includes(digest))).toBe(false);
  });

  it('has shipments of every status', async () => {
    const { rows } = await service.sql.query<[string]>({
      text: 'SELECT DISTINCT status FROM shipments',
      rowMode: 'array',
    });
    expect(rows.flat().sort()).toEqual([...STATUSES].sort());
  });

  it('has ids in the order of creation, and no moment outside of the two years', async () => {
    for (const table of TABLES) {
      const outOfOrder = `(SELECT created_at < lag(created_at) OVER (ORDER BY id) AS late FROM ${table}) r WHERE late`;
      expect(await countOf(outOfOrder)).toBe(0);
      const outside = `${table} WHERE created_at > updated_at OR updated_at > '${UNTIL}' OR created_at < '2024-01-30'`;
      expect(await countOf(outside)).toBe(0);
    }
  });

  it('is served by the API', async () => {
    const { status, body } = await service.api.get('/v1/shipments?limit=5&expand=move,agents,services');
    expect(status).toBe(200);
    expect(body).toHaveLength(5);
    for (const { id, moveID, move, eTag } of body) {
      expect(move.id).toBe(moveID);
      const changed = await service.api.patch(`/v1/shipments/${id}`, eTag, { customerRemarks: 'Seen.' });
      expect(changed.status).toBe(200);
    }
    const [move] = (await service.api.get('/v1/moves?limit=1')).body;
    expect((await service.api.get(`/v1/moves/${move.moveCode}`)).body).toEqual(move);
  });
});

describe('a seeded week', () => {
  let database: TestDatabase;
  let client: Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    await seed(database.url, ['--week', '--moves', '150', '--until', UNTIL]);
    client = new Client({ connectionString: database.url });
    await client.connect();
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

  it('records named authors of status changes, and makes only allowed transitions', async () => {
    const { rows } = await client.query<{ from: ShipmentStatus | null; to: ShipmentStatus; by: string }>(
      `SELECT lag(record ->> 'status') OVER (PARTITION BY record_id ORDER BY changed_at) AS from,
         record ->> 'status' AS to, changed_by AS by
       FROM history WHERE record_kind = 'shipment'`,
    );
    expect(rows.length).toBeGreaterThan(500);
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
