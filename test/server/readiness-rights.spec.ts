// Not through PgBouncer: it starts services of its own, with a role that PgBouncer does not know.
import { execFileSync } from 'node:child_process';
import type { App } from '../../src/app.setup.js';
import { createServiceRoleDatabase, type ServiceRoleDatabase } from '../support/database/service-role.js';
import { startApp } from '../support/service/service.js';

let database: ServiceRoleDatabase;
let app: App;
let url: string;

beforeAll(async () => {
  database = await createServiceRoleDatabase();
  ({ app, url } = await startApp({ POOL_SIZE: '2', MIGRATE_ON_START: 'off' }, database.serviceUrl));
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

async function readiness(): Promise<{ status: number; detail: string | undefined }> {
  const response = await fetch(`${url}/health/ready`);
  const { detail } = (await response.json()) as { detail?: string };
  return { status: response.status, detail };
}

interface Right {
  readonly object: string;
  readonly privilege: string;
}

/** Every right that the role was granted, as the catalogue has it rather than as the service lists it. */
async function grantedRights(): Promise<Right[]> {
  const { rows } = await database.owner.query<Right>(
    `SELECT oid::regclass::text AS object, privilege_type AS privilege
     FROM pg_class, aclexplode(relacl) WHERE grantee = $1::regrole
     UNION ALL SELECT 'FUNCTION ' || oid::regprocedure, privilege_type
     FROM pg_proc, aclexplode(proacl) WHERE grantee = $1::regrole`,
    [database.serviceRole],
  );
  return rows;
}

test('ready with the rights that migrate grants; 503 without any one of them, and the detail names it', async () => {
  const { owner, serviceRole } = database;
  expect(await readiness()).toEqual({ status: 200, detail: undefined });
  const rights = await grantedRights();
  // Functions that everybody may execute are not missed when the role's own grant goes.
  const rows = await owner.query<{ name: string }>(
    `SELECT 'FUNCTION ' || oid::regprocedure AS name FROM pg_proc WHERE pronamespace = 'public'::regnamespace
     AND EXISTS (SELECT FROM aclexplode(coalesce(proacl, acldefault('f', proowner))) WHERE grantee = 0)`,
  );
  const everybodys = new Set(rows.rows.map(({ name }) => name));
  const needed = rights.filter(({ object }) => !everybodys.has(object));
  expect(needed.length).toBeGreaterThan(25);
  for (const { object, privilege } of needed) {
    await owner.query(`REVOKE ${privilege} ON ${object} FROM ${serviceRole}`);
    const { status, detail } = await readiness();
    const shown = object === 'migrations' ? 'no rights' : `${privilege} on ${object.replace('FUNCTION ', '')}`;
    expect([object, status, detail]).toEqual([object, 503, expect.stringContaining(shown)]);
    expect(detail).toContain('SERVICE_ROLE');
    await owner.query(`GRANT ${privilege} ON ${object} TO ${serviceRole}`);
  }
  expect(await readiness()).toEqual({ status: 200, detail: undefined });
});

describe('migrate with SERVICE_ROLE', () => {
  function migrate(role: string): string {
    const { serviceUrl, serviceRole, ownerRole } = database;
    const env = {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      DATABASE_URL: serviceUrl.replace(serviceRole, ownerRole),
      SERVICE_ROLE: role,
    };
    try {
      return execFileSync(process.execPath, ['dist/tools/migrate/main.js'], { env, encoding: 'utf8', stdio: 'pipe' });
    } catch (error) {
      return (error as { stderr: string }).stderr;
    }
  }

  test('restores the rights that are missing', async () => {
    const { owner, serviceRole } = database;
    await owner.query(`REVOKE ALL ON import_rows, idempotency_keys FROM ${serviceRole}`);
    expect((await readiness()).detail).toContain(`The role ${serviceRole} lacks rights on the database`);
    expect(migrate(serviceRole)).toContain(`The role ${serviceRole} has the rights that the service needs`);
    expect((await readiness()).status).toBe(200);
  });

  test('explains in one line that the role does not exist', () => {
    expect(migrate('nobody"; --')).toBe(
      `SERVICE_ROLE=nobody"; -- did not get its rights: role "nobody"; --" does not exist. ` +
        'Create the role first, and migrate as the owner of the database.\n',
    );
  });

  test('refuses the role of the owner', () => {
    expect(migrate(database.ownerRole)).toMatch(
      /more rights than the service may have: it has the rights of the owner/,
    );
  });
});
