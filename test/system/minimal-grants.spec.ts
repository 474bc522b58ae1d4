import { execFileSync } from 'node:child_process';
import { eventually } from '../support/races/eventually.js';
import { routeCalls } from '../support/http/every-route.js';
import { KINDS } from '../support/records/records.js';
import { COMPOSE, environmentOf } from '../support/repository/compose.js';
import { PostgresServer } from '../support/database/postgres-server.js';
import { Replica } from '../support/service/replica.js';
import { describeWith, findTool } from '../support/repository/tools.js';

const { services } = COMPOSE;

describeWith(['psql'], 'the services of docker-compose.yml that prepare the database, and a replica', () => {
  let server: PostgresServer;
  let replica: Replica | undefined;

  beforeEach(async () => {
    server = await PostgresServer.start();
    await server.sql('CREATE DATABASE waybill');
  });
  afterEach(async () => {
    await replica?.stop();
    replica = undefined;
    await server.remove();
  });

  /** Text of the compose file, with the test's server in the place of the container. */
  function here(text: string): string {
    return text.replace('@database:5432/', `@127.0.0.1:${server.port}/`);
  }

  /** Creates the roles as the container of the database does. */
  function createRoles(): void {
    const { OWNER_PASSWORD, SERVICE_PASSWORD } = environmentOf(services.database);
    const env = { PATH: process.env['PATH'], OWNER_PASSWORD, SERVICE_PASSWORD };
    execFileSync(findTool('psql') ?? 'psql', [server.urlOf('waybill'), '--file=deploy/roles.sql'], {
      env,
      stdio: 'pipe',
    });
  }

  /** Runs what the service `migrate` runs, with the environment that it has there. */
  function migrate(environment: Record<string, string> = {}): string {
    const values = Object.entries(environmentOf(services.migrate)).map(([variable, value]) => [variable, here(value)]);
    const env = { PATH: process.env['PATH'], NODE_ENV: 'production', ...Object.fromEntries(values), ...environment };
    return execFileSync(process.execPath, ['dist/tools/migrate/main.js'], {
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  function replicaEnvironment(): Record<string, string> {
    const { DATABASE_URL = '', MIGRATE_ON_START = '' } = environmentOf(services['service-1']);
    return { DATABASE_URL: here(DATABASE_URL), MIGRATE_ON_START, DRAIN_DELAY_MS: '0' };
  }

  async function expectEveryRoute(started: Replica): Promise<void> {
    for (const { about, run: call, expected } of await routeCalls(started.api)) {
      const { status, body } = await call();
      expect([about, status, expected === status ? '' : body]).toEqual([about, expected, '']);
    }
    expect(started.lines.filter((line) => /"level":(40|50)/.test(line))).toEqual([]);
  }

  /** These rights has the service on tables, and no other. */
  async function expectRights(): Promise<void> {
    const rights = await server.sql<{ name: string; rights: string }>(
      `SELECT table_name AS name, string_agg(privilege_type, ',' ORDER BY privilege_type) AS rights
       FROM information_schema.role_table_grants WHERE grantee = 'waybill_service' GROUP BY 1 ORDER BY 1`,
      [],
      'waybill',
    );
    expect(rights.map(({ name, rights: given }) => `${name}: ${given}`)).toEqual(
      [
        'deletions: SELECT',
        'events: SELECT',
        'history: SELECT',
        'idempotency_keys: DELETE,INSERT,SELECT,UPDATE',
        'import_rows: DELETE,INSERT,SELECT,UPDATE',
        'imports: DELETE,INSERT,SELECT,UPDATE',
        'key_hashes: DELETE,INSERT,SELECT,UPDATE',
        'key_progress: INSERT,SELECT,UPDATE',
        'keys: DELETE,INSERT,SELECT,UPDATE',
        'list_marks: SELECT',
        'migrations: SELECT',
        'search: SELECT',
        'search_progress: SELECT',
        'seeded_entries: SELECT',
        'undeletions: INSERT',
        'webhook_attempts: INSERT,SELECT',
        'webhook_deliveries: DELETE,INSERT,SELECT,UPDATE',
        'webhook_progress: INSERT,SELECT,UPDATE',
        'webhook_requests: DELETE,INSERT,SELECT',
        'webhook_secrets: DELETE,INSERT,SELECT,UPDATE',
        'webhooks: DELETE,INSERT,SELECT,UPDATE',
        ...KINDS.map(({ name }) => `${name}s: DELETE,INSERT,SELECT,UPDATE`),
      ].sort(),
    );
    const roles = await server.sql(`SELECT rolname FROM pg_roles WHERE rolname LIKE 'waybill\\_%' AND rolsuper`);
    expect(roles).toEqual([]);
  }

  test('ready is 503 until the owner has migrated and granted, and then every route works, with these rights alone, in a schema of its own', async () => {
    createRoles();
    await server.sql('CREATE SCHEMA own AUTHORIZATION waybill_owner', [], 'waybill');
    await server.sql('ALTER DATABASE waybill SET search_path = own');
    const waiting = (replica = await Replica.launch(replicaEnvironment()));
    await eventually(async () => (await waiting.readiness()) === 503, 60_000, 'ready is 503');
    expect(migrate()).toMatch(/up to date\n.*waybill_service has the rights/);
    await expectRights();
    await replica.untilReady();
    // The next start finds everything in place and has nothing to complain about.
    expect(await replica.stop()).toBe(0);
    replica.lines.length = 0;
    await replica.startAgain();
    await expectEveryRoute(replica);
  });

  test('a database that the superuser migrated, as earlier versions did, gets an ordinary owner, and all of it works twice', async () => {
    migrate({ DATABASE_URL: server.urlOf('waybill'), SERVICE_ROLE: '' });
    for (let time = 1; time <= 2; time++) {
      createRoles();
      migrate();
    }
    const owners = await server.sql(
      `SELECT DISTINCT relowner::regrole::text AS owner FROM pg_class WHERE relnamespace = 'public'::regnamespace
       UNION SELECT proowner::regrole::text FROM pg_proc WHERE pronamespace = 'public'::regnamespace`,
      [],
      'waybill',
    );
    expect(owners).toEqual([{ owner: 'waybill_owner' }]);
    replica = await Replica.start(replicaEnvironment());
    await expectEveryRoute(replica);
  });
});
