import { WaybillClient } from '../../client/src/waybill.js';
import type { Json } from '../support/http/api.js';
import { walk } from '../support/http/paging.js';
import { expectProblem } from '../support/http/problem.js';
import { allIndexed, allNumbered } from '../support/records/events.js';
import { addShipments, indexNextPart } from '../support/records/indexing.js';
import { createMove, createShipment } from '../support/records/records.js';
import { eventually } from '../support/races/eventually.js';
import { startService, useService, type TestService } from '../support/service/service.js';

/**
 * A change of a move concerns its shipments. Here each of 200 has a long text, which is more than one part of indexing, and than a search examines.
 */
const COUNT = 200;
const LONG = 'Ὀδός '.repeat(398);

let replica: TestService;
// Before the service that it shares a database with.
afterAll(() => replica.stop());

const service = useService();
let move: Json;
let old: string;
let made = 0;
const word = (): string => `part${++made}y`;

beforeAll(async () => {
  replica = await startService({}, () => service.databaseUrl);
  old = word();
  move = await createMove(service.api, { remarks: old });
  await addShipments(service.sql, move, COUNT, LONG);
  await allIndexed(service.sql);
});

/** Only the spec indexes, on its own connection, until the test ends. */
beforeEach(() => service.sql.query(`SELECT pg_advisory_lock(hashtext('refresh_words'))`));
afterEach(() => service.sql.query('SELECT pg_advisory_unlock_all()'));

const indexPart = () => indexNextPart(service.sql);

async function change(remarks: string, of = move): Promise<void> {
  expect((await service.api.patch(`/v1/moves/${of.id}`, '*', { remarks })).status).toBe(200);
  await allNumbered(service.sql);
}

/** How many shipments of the index have a word. */
async function indexed(text: string): Promise<number> {
  return (
    (await service.sql.query('SELECT FROM search WHERE id <> move_id AND words @@ search_query($1)', [text]))
      .rowCount ?? 0
  );
}

async function found(q: string): Promise<number> {
  return (await walk(service.api, `/v1/shipments?q=${q}&limit=200`)).flat().length;
}

const search = (q: string, headers?: Record<string, string>) => service.api.get(`/v1/shipments?q=${q}`, headers);
const behind = (headers: Headers) => headers.get('Waybill-Search-Behind');

describe('a change of a move with many long shipments', () => {
  test('is indexed in parts, each of which the next one continues', async () => {
    const text = word();
    await change(text);
    const counts: number[] = [];
    while ((await indexPart()) !== 0) counts.push(await indexed(text));
    expect(counts.length).toBeGreaterThan(5);
    expect(counts).toEqual([...counts].sort((one, other) => one - other));
    expect([Math.max(...counts.map((count, n) => count - (counts[n - 1] ?? 0))) < 100, counts.at(-1)]).toEqual([
      true,
      COUNT,
    ]);
  });

  test('leaves searches that find what is indexed, and say how many changes that lacks', async () => {
    const [before, text] = [word(), word()];
    await change(before);
    while ((await indexPart()) !== 0);
    await change(text);
    const page = await search(text);
    expect([page.status, behind(page.headers), page.body]).toEqual([200, '1', []]);
    expect((await search(before)).body).toHaveLength(50);
    await indexPart();
    const count = await indexed(text);
    expect(await found(text)).toBe(count);
    expect(behind((await service.api.get(`/v1/moves?q=${text}`)).headers)).toBe('1');
    await createShipment(service.api);
    expect(behind((await search(text)).headers)).toMatch(/^[23]$/);
    while ((await indexPart()) !== 0);
    const last = await search(text);
    expect([behind(last.headers), await found(text), await found(before)]).toEqual([null, COUNT, 0]);
  });

  test.each(['text/csv', 'application/jsonl'])(
    '503 for a file of a search as %s, and then all records',
    async (accept) => {
      const text = word();
      await change(text);
      await indexPart();
      const refused = await search(text, { Accept: accept });
      expectProblem(refused, 503, 'UNAVAILABLE');
      expect(refused.body.detail).toMatch(/search index/);
      expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
      while ((await indexPart()) !== 0);
      const file = await fetch(`${service.url}/v1/shipments?q=${text}`, { headers: { Accept: accept } });
      expect((await file.text()).trim().split('\n')).toHaveLength(COUNT + Number(accept === 'text/csv'));
    },
  );

  test('which the client passes on', async () => {
    const text = word();
    await change(text);
    await indexPart();
    const client = new WaybillClient({ baseUrl: service.url });
    expect((await client.shipments.list({ q: text }).page()).searchBehind).toBe(1);
    expect((await client.shipments.list().page()).searchBehind).toBeUndefined();
  });

  test('is continued where it was when the session that indexed ended before its commit', async () => {
    const text = word();
    await change(text);
    await indexPart();
    const count = await indexed(text);
    await service.sql.query('SELECT pg_advisory_unlock_all()');
    const killed = await service.connect();
    const { rows } = await killed.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    killed.on('error', () => undefined);
    await killed.query('BEGIN');
    await indexNextPart(killed);
    expect(await indexPart()).toBeNull();
    await service.sql.query('SELECT pg_terminate_backend($1, 30000)', [rows[0]?.pid]);
    expect(await indexed(text)).toBeGreaterThanOrEqual(count);
    await allIndexed(service.sql);
    expect([await indexed(text), await found(text)]).toEqual([COUNT, COUNT]);
  });

  test('does not begin again when the move changes meanwhile', async () => {
    const [first, second] = [word(), word()];
    await change(first);
    await indexPart();
    await change(second);
    const reached = async () => (await service.sql.query('SELECT number FROM search_progress')).rows[0]?.number;
    const begin = await reached();
    while ((await reached()) === begin) await indexPart();
    expect(await indexed(second)).toBeGreaterThan(COUNT / 2);
    while ((await indexPart()) !== 0);
    expect(await indexed(second)).toBe(COUNT);
  });
});

describe('a change of a move with many short shipments', () => {
  const SHORT = 900;
  let other: Json;
  beforeAll(async () => {
    other = await createMove(service.api);
    await addShipments(service.sql, other, SHORT, 'fragile');
    await allIndexed(service.sql);
  });

  test('is found entirely by each search between two parts, and the old text nowhere', async () => {
    const [before, text] = [word(), word()];
    await change(before, other);
    while ((await indexPart()) !== 0);
    await change(text, other);
    let parts = 0;
    for (let left: number | null = 1; left !== 0; parts += 1) {
      expect([await found(text), await found(before), behind((await search(text)).headers)]).toEqual([SHORT, 0, null]);
      left = await indexPart();
    }
    expect(parts).toBeGreaterThan(3);
  });

  test('by two replicas at once, each record has its words', async () => {
    await service.sql.query('SELECT pg_advisory_unlock_all()');
    const texts = Array.from({ length: 5 }, word);
    for (const text of texts) {
      await replica.api.patch(`/v1/moves/${other.id}`, '*', { remarks: text });
      await change(text, other);
    }
    await allIndexed(service.sql);
    const { rows } = await service.sql.query(
      `SELECT id FROM words_of(ARRAY(SELECT id FROM moves)) expected FULL JOIN search actual USING (id, move_id)
       WHERE actual.words IS DISTINCT FROM expected.words`,
    );
    expect([rows, await found(texts.at(-1) ?? '')]).toEqual([[], SHORT]);
  });
});

test('numbering does not wait for indexing', async () => {
  const holder = await service.connect();
  await holder.query('BEGIN; LOCK TABLE search IN ACCESS EXCLUSIVE MODE');
  await service.sql.query('SELECT pg_advisory_unlock_all()');
  await createShipment(service.api);
  const isIndexing = `SELECT FROM pg_locks WHERE relation = 'search'::regclass AND NOT granted`;
  await eventually(async () => (await service.sql.query(isIndexing)).rowCount !== 0, 30_000, 'indexing waits');
  await createShipment(service.api);
  await allNumbered(service.sql);
  await holder.end();
});
