// Not through PgBouncer: it starts services of its own, with a role that PgBouncer does not know.
import { openDatabase } from '../../src/open-database.js';
import { readConfig } from '../../src/config/read-config.js';
import { grantServiceRights } from '../../tools/migrate/grant-rights.js';
import { Api } from '../support/http/api.js';
import { routeCalls } from '../support/http/every-route.js';
import { startApp, useService } from '../support/service/service.js';
import { createServiceRoleDatabase, type ServiceRoleDatabase } from '../support/database/service-role.js';
import { OWN_TABLES } from '../../src/model/resources.js';

const service = useService();

describe('a service whose role has what migrate grants', () => {
  let database: ServiceRoleDatabase;

  beforeAll(async () => {
    database = await createServiceRoleDatabase();
  });
  afterAll(() => database.drop());

  test('serves every route', async () => {
    const { app, url } = await startApp({ POOL_SIZE: '2', MIGRATE_ON_START: 'off' }, database.serviceUrl);
    try {
      for (const { about, run, expected } of await routeCalls(new Api(url))) {
        const { status, body } = await run();
        expect([about, status, expected === status ? '' : body]).toEqual([about, expected, '']);
      }
    } finally {
      await app.close();
    }
    const { rows } = await database.owner.query('SELECT DISTINCT changed_by FROM history');
    expect(rows).toEqual([{ changed_by: 'anonymous' }]);
  });

  test('starts when there is nothing to migrate', async () => {
    await (await openDatabase(readConfig({ MIGRATE_ON_START: 'on' }), database.serviceUrl)).dataSource.destroy();
  });

  test.each([
    ['may create temporary tables', 'TEMPORARY ON DATABASE "$database"'],
    ['may write history', 'INSERT ON history'],
    ['may use the sequence of history', 'ALL ON ALL SEQUENCES IN SCHEMA public'],
    ['may prepare any month', 'EXECUTE ON FUNCTION prepare_history(timestamptz, timestamptz)'],
  ])('migrate takes away what an earlier one gave: %s', async (_, right) => {
    const { owner, name, serviceRole } = database;
    const before = await rightsOf(database);
    await owner.query(`GRANT ${right.replace('$database', name)} TO ${serviceRole}`);
    expect(await rightsOf(database)).not.toEqual(before);
    await owner.query(grantServiceRights(serviceRole, OWN_TABLES));
    expect(await rightsOf(database)).toEqual(before);
  });

  test('migrate fails when the role has the rights of the owner, or temporary objects through another role', async () => {
    const { owner, name, ownerRole, serviceRole } = database;
    const others = `${name}_others`;
    await service.sql.query(`CREATE ROLE ${others}; GRANT TEMPORARY ON DATABASE ${name} TO ${others}`);
    for (const [role, reason] of [
      [others, 'it may create temporary tables'],
      [ownerRole, 'it has the rights of the owner'],
    ]) {
      await service.sql.query(`GRANT ${String(role)} TO ${serviceRole}`);
      await expect(owner.query(grantServiceRights(serviceRole, OWN_TABLES))).rejects.toThrow(reason);
      await owner.query('ROLLBACK');
      await service.sql.query(`REVOKE ${String(role)} FROM ${serviceRole}`);
    }
    await service.sql.query(`REVOKE ALL ON DATABASE ${name} FROM ${others}; DROP ROLE ${others}`);
  });
});

async function rightsOf({ owner }: ServiceRoleDatabase): Promise<unknown[]> {
  const { rows } = await owner.query<object>(`
    SELECT relname AS name, relacl::text AS rights FROM pg_class WHERE relnamespace = 'public'::regnamespace
    UNION ALL SELECT proname, proacl::text FROM pg_proc WHERE pronamespace = 'public'::regnamespace
    UNION ALL SELECT datname, datacl::text FROM pg_database WHERE datname = current_database()
    ORDER BY 1, 2`);
  return rows;
}
