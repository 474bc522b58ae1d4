import type { Client } from 'pg';
import { openDatabase } from '../../../src/open-database.js';
import { readConfig } from '../../../src/config/read-config.js';
import { grantServiceRights } from '../../../tools/migrate/grant-rights.js';
import { connect, createTestDatabase, urlOf } from './test-database.js';
import { OWN_TABLES } from '../../../src/model/resources.js';

/** A database that an ordinary role owns and has migrated, and the service's role with exactly the rights that migrate grants. */
export interface ServiceRoleDatabase {
  readonly name: string;
  readonly ownerRole: string;
  readonly serviceRole: string;
  readonly serviceUrl: string;
  readonly owner: Client;
  /** A connection as the service's role; the caller ends it. */
  connect(): Promise<Client>;
  asSuperuser(statement: string): Promise<void>;
  drop(): Promise<void>;
}

export async function createServiceRoleDatabase(): Promise<ServiceRoleDatabase> {
  const database = await createTestDatabase('template1');
  const name = new URL(database.url).pathname.slice(1);
  const [ownerRole, serviceRole] = [`${name}_owner`, `${name}_service`];
  const as = (role: string) => database.url.replace(/\/\/[^@]*@/, `//${role}@`);
  await asSuperuser(`CREATE ROLE ${ownerRole} LOGIN; CREATE ROLE ${serviceRole} LOGIN`);
  await asSuperuser(`ALTER DATABASE ${name} OWNER TO ${ownerRole}`);
  await (await openDatabase(readConfig({}), as(ownerRole))).dataSource.destroy();
  const owner = await connect(as(ownerRole));
  await owner.query(grantServiceRights(serviceRole, OWN_TABLES));
  return {
    name,
    ownerRole,
    serviceRole,
    serviceUrl: as(serviceRole),
    owner,
    connect: () => connect(as(serviceRole)),
    asSuperuser: (statement) => asSuperuser(statement, name),
    drop: async () => {
      await owner.end();
      await database.drop();
      await asSuperuser(`DROP ROLE ${serviceRole}; DROP ROLE ${ownerRole}`);
    },
  };
}

async function asSuperuser(statements: string, database = 'postgres'): Promise<void> {
  const client = await connect(urlOf(database));
  try {
    await client.query(statements);
  } finally {
    await client.end();
  }
}
