import { KINDS } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService();

describe.each(KINDS)('a $name that is written past the service', (kind) => {
  const table = `${kind.name}s`;

  async function updatedAt(id: string): Promise<number> {
    const { rows } = await service.sql.query<{ updated_at: Date }>(`SELECT updated_at FROM ${table} WHERE id = $1`, [
      id,
    ]);
    return rows[0]?.updated_at.getTime() ?? NaN;
  }

  test('has a new version that the service shows, and the old eTag is worth nothing', async () => {
    const { id, eTag } = await kind.create(service.api);
    await service.sql.query(`UPDATE ${table} SET id = id WHERE id = $1`, [id]);
    const { body } = await service.api.get(`${kind.path}/${id}`);
    expect(body.eTag).not.toBe(eTag);
    expect(Date.parse(body.updatedAt)).toBe(await updatedAt(id));
    expect((await service.api.patch(`${kind.path}/${id}`, eTag, {})).status).toBe(412);
  });

  test('strictly later each time, also within one transaction and one millisecond', async () => {
    const { id } = await kind.create(service.api);
    const moments = [await updatedAt(id)];
    await service.sql.query('BEGIN');
    for (let i = 0; i < 20; i++) {
      await service.sql.query(`UPDATE ${table} SET id = id WHERE id = $1`, [id]);
      moments.push(await updatedAt(id));
    }
    await service.sql.query('COMMIT');
    for (const [index, moment] of moments.slice(1).entries()) expect(moment).toBeGreaterThan(moments[index] ?? NaN);
  });

  test('later by a millisecond when the clock was set back, and so is its deletion', async () => {
    const { id } = await kind.create(service.api);
    const future = Date.parse('2040-01-01T00:00:00.000Z');
    await service.sql.query('SET session_replication_role = replica');
    await service.sql.query(`UPDATE ${table} SET updated_at = '2040-01-01T00:00:00Z' WHERE id = $1`, [id]);
    await service.sql.query('SET session_replication_role = DEFAULT');
    const { body } = await service.api.get(`${kind.path}/${id}`);
    const patched = await service.api.patch(`${kind.path}/${id}`, body.eTag, {});
    expect([body.updatedAt, patched.body.updatedAt].map(Date.parse)).toEqual([future, future + 1]);
    expect((await service.api.delete(`${kind.path}/${id}`)).status).toBe(204);
    const { rows } = await service.sql.query<{ changed_at: Date }>(
      `SELECT changed_at FROM history WHERE record_id = $1 AND type = 'deleted'`,
      [id],
    );
    expect(rows.map(({ changed_at }) => changed_at.getTime())).toEqual([future + 2]);
  });

  test('nobody can set it by hand', async () => {
    const { id } = await kind.create(service.api);
    const before = await updatedAt(id);
    await service.sql.query(`UPDATE ${table} SET updated_at = '2001-01-01T00:00:00Z' WHERE id = $1`, [id]);
    expect(await updatedAt(id)).toBeGreaterThan(before);
  });
});

test.each(KINDS)('createdAt and updatedAt of a new $name are one reading of the clock', async ({ name, create }) => {
  // Two readings rarely differ by themselves, so one of them is made to.
  await service.sql.query(`ALTER TABLE ${name}s ALTER created_at SET DEFAULT now_ms() - interval '1 day'`);
  const { createdAt, updatedAt } = await create(service.api);
  expect(updatedAt).toBe(createdAt);
});
