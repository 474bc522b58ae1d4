import { useService } from '../support/service/service.js';

const service = useService();

const MARKS = 100;
const BEGINNING = '/v1/moves?updatedSince=1960-01-01T00:00:00Z';

/** The moment from which the next poll starts. */
async function monitored(): Promise<string> {
  const { status, headers } = await service.api.get(BEGINNING);
  const [, since = ''] = /updatedSince=([^&>]*)>; rel="monitor"/.exec(headers.get('Link') ?? '') ?? [];
  expect([status, since]).toEqual([200, expect.stringMatching(/^\d{4}-/)]);
  return decodeURIComponent(since);
}

async function marks(): Promise<string[]> {
  const { rows } = await service.sql.query('SELECT iso_ms(moment) AS moment FROM list_marks ORDER BY moment');
  return rows.map(({ moment }) => moment);
}

/** Makes the next mark without waiting for a second to pass. */
async function mark(): Promise<void> {
  await service.sql.query(`SELECT setval('version_floor', (SELECT last_value + 1000 FROM version_floor))`);
  await service.sql.query('SELECT keep_list_mark()');
}

test('a transaction that does not end lets no more than a hundred marks wait, the newest among them', async () => {
  const other = await service.connect();
  try {
    await other.query('BEGIN');
    await other.query('SELECT pg_current_xact_id()');
    await mark();
    const [first = ''] = (await marks()).slice(-1);
    for (let count = 0; count < MARKS + 20; count += 1) await mark();
    const kept = await marks();
    expect(kept.length).toBeLessThanOrEqual(MARKS);
    const { rows } = await service.sql.query('SELECT iso_ms(version_floor()) AS floor');
    expect(kept.at(-1)).toBe(rows[0].floor);
    expect((await monitored()) < first).toBe(true);
  } finally {
    await other.end();
  }
});

test('a mark later than the floor, left from before the floor was reset, is not handed out', async () => {
  await monitored();
  await service.sql.query(`BEGIN; SELECT setval('version_floor', 0); DELETE FROM list_marks; COMMIT`);
  await service.sql.query(`INSERT INTO list_marks VALUES ('2099-01-01', '3')`);
  expect((await monitored()) < '2099').toBe(true);
});
