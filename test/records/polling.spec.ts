import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { Client } from 'pg';
import type { Json } from '../support/http/api.js';
import { createMove, createShipment } from '../support/records/records.js';
import { repetitions } from '../support/repository/sweeps.js';
import { useService } from '../support/service/service.js';

const service = useService({ POOL_SIZE: '4' });

/** The current version of each record that a client has seen that follows the links of the list. */
class Poller {
  readonly seen = new Map<string, string>();
  pages = 0;

  constructor(private path: string) {}

  get since(): string {
    return new URL(this.path, service.url).searchParams.get('updatedSince') ?? '';
  }

  /** Reads one page, long enough after the one before that a new mark may be made. True if it was the last one. */
  async read(): Promise<boolean> {
    await service.sql.query(`UPDATE clock SET ahead = ahead + interval '2 seconds'`);
    const { status, body, headers } = await service.api.get<Json[]>(this.path);
    const [, target = '', relation = ''] = /^<([^>]*)>; rel="(\w+)"$/.exec(headers.get('Link') ?? '') ?? [];
    expect([status, relation]).toEqual([200, expect.stringMatching(/^(next|monitor)$/)]);
    for (const { id, eTag } of body) this.seen.set(id, eTag);
    this.path = target;
    this.pages += 1;
    return relation === 'monitor';
  }

  async readAll(): Promise<void> {
    while (!(await this.read()));
  }
}

/** A clock that the spec can move. */
const MOVED_CLOCK = `
  CREATE TABLE clock (ahead interval NOT NULL);
  INSERT INTO clock VALUES ('0');
  CREATE OR REPLACE FUNCTION now_ms() RETURNS timestamptz LANGUAGE sql VOLATILE SECURITY DEFINER
    RETURN date_trunc('milliseconds', clock_timestamp() + (SELECT ahead FROM public.clock))`;

async function versions(table = 'moves'): Promise<Map<string, string>> {
  const { rows } = await service.sql.query<{ id: string; eTag: string }>(
    `SELECT id, etag_of(updated_at) AS "eTag" FROM ${table}`,
  );
  return new Map(rows.map(({ id, eTag }) => [id, eTag]));
}

const BEGINNING = '/v1/moves?updatedSince=2020-01-01T00:00:00Z';

beforeAll(() => service.sql.query(MOVED_CLOCK));
beforeEach(async () => {
  await service.sql.query('SET session_replication_role = replica');
  await service.sql.query('DELETE FROM shipments');
  await service.sql.query('DELETE FROM moves');
  await service.sql.query('RESET session_replication_role');
});

test('the last page, and no other, links to the next poll, with all parameters of the request', async () => {
  for (let count = 0; count < 3; count += 1) await createShipment(service.api);
  const first = await service.api.get('/v1/shipments?limit=2&status=SUBMITTED&updatedSince=2020-01-01T00%3A00%3A00Z');
  const [, next = ''] = /^<([^>]*cursor=[^>]*)>; rel="next"$/.exec(first.headers.get('Link') ?? '') ?? [];
  const last = await service.api.get(next);
  expect(last.body).toHaveLength(1);
  expect(last.headers.get('Link')).toMatch(
    /^<\/v1\/shipments\?limit=2&status=SUBMITTED&updatedSince=\d{4}-\d\d-\d\dT\d\d%3A\d\d%3A\d\d\.\d{3}Z>; rel="monitor"$/,
  );
});

test.each(['sort=-updatedAt&updatedSince=2020-01-01T00:00:00Z', 'sort=updatedAt', ''])(
  'a list by %j, whose changes are not in order, has no such link',
  async (query) => {
    await createMove(service.api);
    expect((await service.api.get(`/v1/moves?${query}`)).headers.get('Link')).toBeNull();
  },
);

test('a change that was made before a poll and committed after it is in the next one', async () => {
  const { id } = await createMove(service.api);
  const poller = new Poller(BEGINNING);
  await poller.readAll();
  const other = await service.connect();
  await other.query('BEGIN');
  await other.query(`UPDATE moves SET remarks = 'late' WHERE id = $1`, [id]);
  await createMove(service.api);
  await poller.readAll();
  await other.query('COMMIT');
  await other.end();
  await poller.readAll();
  expect(poller.seen).toEqual(await versions());
});

test('a change that is committed between two pages, before the records of both, is in the next poll', async () => {
  const { id } = await createMove(service.api);
  const poller = new Poller(`${BEGINNING}&limit=2`);
  const other = await service.connect();
  await other.query('BEGIN');
  await other.query(`UPDATE moves SET remarks = 'late' WHERE id = $1`, [id]);
  for (let count = 0; count < 2; count += 1) await createMove(service.api);
  expect(await poller.read()).toBe(false);
  await other.query('COMMIT');
  await other.end();
  expect(await poller.read()).toBe(true);
  expect(poller.seen).not.toEqual(await versions());
  await poller.readAll();
  expect(poller.seen).toEqual(await versions());
});

test('a record from a clock that was ahead hides no others', async () => {
  const { id } = await createMove(service.api);
  await service.sql.query('SET session_replication_role = replica');
  await service.sql.query(`UPDATE moves SET updated_at = '2099-01-01' WHERE id = $1`, [id]);
  await service.sql.query('RESET session_replication_role');
  const poller = new Poller(BEGINNING);
  await poller.readAll();
  await createMove(service.api);
  await poller.readAll();
  expect(poller.seen).toEqual(await versions());
  expect(poller.since < '2099').toBe(true);
});

const WRITERS = 3;
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('change'), by: fc.nat(WRITERS - 1) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('create'), by: fc.nat(WRITERS - 1) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('commit', 'rollback'), by: fc.nat(WRITERS - 1) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('poll'), by: fc.constant(0) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('move clock'), by: fc.integer({ min: -7200, max: 7200 }) }) },
);

test('whatever the order of writes, commits, polls and jumps of the clock: the poller misses no version', async () => {
  const writers: Client[] = [];
  for (let count = 0; count < WRITERS; count += 1) {
    const writer = await service.connect();
    await writer.query(`SET application_name = 'waybill'; SET waybill.author = 'request writer'`);
    writers.push(writer);
  }
  const own = await Promise.all(writers.map(async () => (await createMove(service.api)).id as string));
  let codes = 0;
  const perform = async (poller: Poller, what: string, by: number) => {
    const writer = writers[by];
    if (what === 'poll') await poller.read();
    else if (what === 'move clock') await service.sql.query(`UPDATE clock SET ahead = $1 * interval '1 second'`, [by]);
    else if (what === 'commit' || what === 'rollback') await writer?.query(what);
    else {
      await writer?.query('BEGIN');
      if (what === 'change') await writer?.query('UPDATE moves SET id = id WHERE id = $1', [own[by]]);
      else {
        const code = (codes++)
          .toString(8)
          .replace(/./g, (digit) => 'ABCDEFGH'[Number(digit)] ?? '')
          .padStart(6, 'Z');
        await writer?.query('INSERT INTO moves (id, move_code) VALUES ($1, $2)', [randomUUID(), code]);
      }
    }
  };
  const property = fc.asyncProperty(
    fc.array(step, { minLength: 10, maxLength: 30 }),
    fc.nat(3),
    async (steps, limit) => {
      const poller = new Poller(`${BEGINNING}&limit=${limit + 1}`);
      await poller.readAll();
      for (const { do: what, by } of steps) await perform(poller, what, by);
      for (const writer of writers) await writer.query('COMMIT');
      while (!(await poller.read()));
      await poller.readAll();
      expect(poller.seen).toEqual(await versions());
    },
  );
  await fc.assert(property, { numRuns: repetitions(200, 25) });
  for (const writer of writers) await writer.end();
});

const KINDS = [
  {
    list: '/v1/moves?updatedSince=2020-01-01T00:00:00Z',
    table: 'moves',
    create: () => createMove(service.api),
    change: ({ id, eTag }: Json) => service.api.patch(`/v1/moves/${id}`, eTag, { remarks: 'changed' }),
  },
  {
    list: '/v1/shipments?status=SUBMITTED,APPROVED,IN_TRANSIT&updatedSince=2020-01-01T00:00:00Z',
    table: 'shipments',
    create: () => createShipment(service.api),
    change: ({ id, eTag }: Json) => {
      return service.api.patch(`/prime/v1/shipments/${id}/updateStatus`, eTag, { status: 'APPROVED' });
    },
  },
];

test.each(KINDS)(
  'many concurrent requests and a poller of $list that never rests: it has every record in the end',
  async (kind) => {
    const { list, table, create, change } = kind;
    const poller = new Poller(`${list}&limit=20`);
    let isWriting = true;
    const write = async () => {
      for (let count = 0; count < 40; count += 1) {
        const record = await create();
        if (count % 2 === 0) expect((await change(record)).status).toBe(200);
      }
    };
    const poll = async () => {
      while (isWriting) await poller.read();
    };
    const polling = poll();
    await Promise.all(Array.from({ length: 6 }, write));
    isWriting = false;
    await polling;
    while (!(await poller.read()));
    expect(poller.pages).toBeGreaterThan(5);
    expect(poller.seen).toEqual(await versions(table));
  },
);
