import { RESOURCES } from '../src/app.module.js';
import { Database } from '../src/database/database.js';
import { Records } from '../src/records/records.js';
import type { Resource } from '../src/records/resource.js';
import { KINDS } from './support/records.js';
import { useService } from './support/service.js';

const service = useService();

function resourceAt(path: string): Resource {
  const found = RESOURCES.find((each) => each.path === path);
  if (found === undefined) throw new Error(`There is no resource at ${path}`);
  return found;
}

/** The record as a writer gets it under its lock, on a connection that writes moments in some time zone. */
async function lockedRow(path: string, id: string, timeZone: string): Promise<object> {
  const transaction = await service.app.get(Database).begin({ requestID: 'r', caller: { subject: 's' } });
  try {
    await transaction.query({ text: `SET LOCAL timezone = '${timeZone}'` });
    return (await service.app.get(Records).lock(transaction, resourceAt(path), id)).row;
  } finally {
    await transaction.rollback();
  }
}

/** PostgreSQL writes a moment without milliseconds in a shorter form. */
async function changeOnTheSecond(path: string, id: string): Promise<void> {
  const { tableName } = service.app.get(Database).dataSource.getMetadata(resourceAt(path).entity);
  await service.sql.query('SET session_replication_role = replica');
  await service.sql.query(`UPDATE ${tableName} SET updated_at = date_trunc('second', now()) WHERE id = $1`, [id]);
}

describe.each(KINDS)('a $name under its lock', ({ path, create, full }) => {
  test.each([
    ['of which everything is known', full],
    ['of which only what is required is known', {}],
  ])('is what a reader sees, one %s', async (_, fields) => {
    const { id } = await create(service.api, fields);
    expect(await lockedRow(path, id, 'UTC')).toEqual((await service.api.get(`${path}/${id}`)).body);
  });

  test('is what a reader sees, wherever the clock of its connection stands', async () => {
    const { id } = await create(service.api);
    await changeOnTheSecond(path, id);
    expect(await lockedRow(path, id, 'Asia/Kathmandu')).toEqual((await service.api.get(`${path}/${id}`)).body);
  });
});
