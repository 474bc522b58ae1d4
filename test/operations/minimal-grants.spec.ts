import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { routeCalls } from '../support/every-route.js';
import { PostgresServer } from '../support/postgres-server.js';
import { Replica } from '../support/replica.js';
import { describeWith, findTool } from '../support/tools.js';

const SERVICE = 'waybill_service';
const OWNER = 'waybill_owner';

describeWith(['psql'], 'a service whose role has what deploy/grants.sql gives it', () => {
  let server: PostgresServer;
  let replica: Replica;

  function psql(user: string, ...options: string[]): string {
    const url = server.urlOf('waybill', user);
    return execFileSync(findTool('psql') ?? 'psql', [url, '--no-psqlrc', '--quiet', ...options], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  /** What PostgreSQL says when the service's role tries a statement. */
  function refusal(statement: string): string {
    try {
      psql(SERVICE, '--set=ON_ERROR_STOP=1', `--command=${statement}`);
    } catch (error) {
      return (error as { stderr: string }).stderr.trim();
    }
    throw new Error(`The service's role may do this: ${statement}`);
  }

  function migrate(user: string): string {
    const env = { PATH: process.env['PATH'], DATABASE_URL: server.urlOf('waybill', user) };
    return execFileSync(process.execPath, ['dist/src/migrate.js'], { env, encoding: 'utf8' });
  }

  beforeAll(async () => {
    server = await PostgresServer.start();
    await server.sql(`CREATE ROLE ${OWNER} LOGIN`);
    await server.sql(`CREATE ROLE ${SERVICE} LOGIN`);
    await server.sql(`CREATE DATABASE waybill OWNER ${OWNER}`);
    await server.sql(`ALTER SCHEMA public OWNER TO ${OWNER}`, [], 'waybill');
  });
  afterAll(async () => {
    await replica.stop();
    await server.remove();
  });

  test('ready is 503 until the owner has migrated, and 200 by itself after that', async () => {
    const environment = {
      DATABASE_URL: server.urlOf('waybill', SERVICE),
      MIGRATE_ON_START: 'off',
      DRAIN_DELAY_MS: '0',
    };
    const starting = Replica.start(environment);
    await sleep(2500);
    expect(migrate(OWNER)).toContain('up to date');
    psql(OWNER, `--set=service=${SERVICE}`, '--file=deploy/grants.sql');
    replica = await starting;
    expect(await replica.isReady()).toBe(true);
    // The next start finds everything in place and has nothing to complain about.
    expect(await replica.stop()).toBe(0);
    replica.lines.length = 0;
    await replica.startAgain();
  });

  test('every route works', async () => {
    for (const { about, run, expected } of await routeCalls(replica.api)) {
      const { status, body } = await run();
      expect([about, status, expected === status ? '' : body]).toEqual([about, expected, '']);
    }
    expect(replica.lines.filter((line) => /"level":(40|50)/.test(line))).toEqual([]);
  });

  test.each([
    ['UPDATE history SET changed_by = $$nobody$$', 'permission denied for table history'],
    ['DELETE FROM history', 'permission denied for table history'],
    ['TRUNCATE history', 'permission denied for table history'],
    ['TRUNCATE history_default', 'permission denied for table history_default'],
    ['DROP TABLE history', 'must be owner of table history'],
    ['ALTER TABLE moves DISABLE TRIGGER moves_history', 'must be owner of table moves'],
    ['CREATE TABLE public.mine ()', 'permission denied for schema public'],
    ['CREATE FUNCTION public.now_ms() RETURNS int LANGUAGE sql AS $$SELECT 1$$', 'permission denied for schema public'],
    ['DELETE FROM migrations', 'permission denied for table migrations'],
    ['TRUNCATE moves CASCADE', 'permission denied for table moves'],
    [`SELECT prepare_history(now(), now() + interval '900 years')`, 'permission denied for function prepare_history'],
    ['SET session_replication_role = replica', 'permission denied to set parameter'],
  ])('%s is refused', (statement, reason) => {
    expect(refusal(statement)).toContain(reason);
  });

  test('psql lists no right beyond those', () => {
    const rights = psql(
      SERVICE,
      '--tuples-only',
      '--no-align',
      `--command=SELECT table_name, string_agg(privilege_type, ',' ORDER BY privilege_type)
         FROM information_schema.role_table_grants WHERE grantee = '${SERVICE}' GROUP BY 1 ORDER BY 1`,
    );
    expect(rights.trim().split('\n')).toEqual([
      'agents|DELETE,INSERT,SELECT,UPDATE',
      'history|SELECT',
      'idempotency_keys|DELETE,INSERT,SELECT,UPDATE',
      'migrations|SELECT',
      'moves|DELETE,INSERT,SELECT,UPDATE',
      'services|DELETE,INSERT,SELECT,UPDATE',
      'shipments|DELETE,INSERT,SELECT,UPDATE',
    ]);
  });
});
