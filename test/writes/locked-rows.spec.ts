import { ALL_RESOURCES } from '../../src/model/resources.js';
import { Database } from '../../src/database/database.js';
import type { Transaction } from '../../src/database/transaction.js';
import { Records } from '../../src/records/records.js';
import type { Resource } from '../../src/records/resource.js';
import type { Json } from '../support/http/api.js';
import { KINDS } from '../support/records/records.js';
import { useService } from '../support/service/service.js';

const service = useService();

function resourceAt(path: string): Resource {
  const found = ALL_RESOURCES.find((each) => each.path === path);
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

/** Whether another writer could lock the record right now. */
async function isFree(path: string, id: string): Promise<boolean> {
  const { tableName } = service.app.get(Database).dataSource.getMetadata(resourceAt(path).entity);
  const { rows } = await service.sql.query(`SELECT FROM ${tableName} WHERE id = $1 FOR NO KEY UPDATE SKIP LOCKED`, [
    id,
  ]);
  return rows.length === 1;
}

type Lock = (records: Records, transaction: Transaction, resource: Resource, record: Json) => Promise<unknown>;

const LOCKS: readonly [way: string, lock: Lock][] = [
  ['in any version', (records, transaction, resource, { id }) => records.lock(transaction, resource, id)],
  [
    'in a version that is named',
    (records, transaction, resource, { id, eTag }) => records.lockVersion(transaction, resource, id, [eTag]),
  ],
  ['together with others', (records, transaction, resource, { id }) => records.lockAll(transaction, resource, [id])],
];

/** PostgreSQL writes a moment without milliseconds in a shorter form. */
async function changeOnTheSecond(path: string, id: string): Promise<void> {
  const { tableName } = service.app.get(Database).dataSource.getMetadata(resourceAt(path).entity);
  await service.sql.query('SET session_replication_role = replica');
  await service.sql.query(`UPDATE ${tableName} SET updated_at = date_trunc('second', now()) WHERE id = $1`, [id]);
}

describe.each(KINDS)('a $name under its lock', ({ path, create, full }) => {
  test('is what a reader sees, with a value in every field', async () => {
    const { id } = await create(service.api, full);
    expect(await lockedRow(path, id, 'UTC')).toEqual((await service.api.get(`${path}/${id}`)).body);
  });

  test('is what a reader sees, with only what is required, wherever the clock of its connection stands', async () => {
    const { id } = await create(service.api);
    await changeOnTheSecond(path, id);
    expect(await lockedRow(path, id, 'Asia/Kathmandu')).toEqual((await service.api.get(`${path}/${id}`)).body);
  });

  test.each(LOCKS)('locked %s, it keeps other writers out until the transaction ends', async (_, lock) => {
    const record = await create(service.api);
    const transaction = await service.app.get(Database).begin({ requestID: 'r', caller: { subject: 's' } });
    try {
      await lock(service.app.get(Records), transaction, resourceAt(path), record);
      expect(await isFree(path, record.id)).toBe(false);
    } finally {
      await transaction.rollback();
    }
    expect(await isFree(path, record.id)).toBe(true);
  });
});
