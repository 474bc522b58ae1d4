import { pino } from 'pino';
import type { App } from '../../src/app.setup.js';
import { createServiceRoleDatabase, type ServiceRoleDatabase } from '../support/database/service-role.js';
import { urlOf } from '../support/database/test-database.js';
import { eventually } from '../support/races/eventually.js';
import { startApp } from '../support/service/service.js';

let database: ServiceRoleDatabase;
let app: App | undefined;

beforeAll(async () => {
  database = await createServiceRoleDatabase();
});
afterEach(async () => {
  await app?.close();
  app = undefined;
});
afterAll(() => database.drop());

const PRODUCTION = { NODE_ENV: 'production', AUTH_MODE: 'off', POOL_SIZE: '2', MIGRATE_ON_START: 'off' };

/** Starts the service as a role, and returns its warnings about that role and the metric once its first checks are done. */
async function startAs(role: string, environment: Record<string, string> = PRODUCTION) {
  const databaseUrl = database.serviceUrl.replace(database.serviceRole, role);
  const lines: string[] = [];
  const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  const started = await startApp({ ...environment, DATABASE_URL: databaseUrl }, databaseUrl, logger);
  app = started.app;
  let excess: string | undefined;
  const isMeasured = async () => {
    const metrics = await (await fetch(`${started.url}/metrics`)).text();
    [, excess] = /^waybill_role_excess_rights\{role="[^"]+"\} (\d+)$/m.exec(metrics) ?? [];
    return excess !== undefined;
  };
  await eventually(isMeasured, 20_000, 'the metric');
  return { warnings: lines.filter((line) => line.includes('SERVICE_ROLE')), excess: Number(excess) };
}

test('no warning and no excess rights with the rights that migrate grants', async () => {
  expect(await startAs(database.serviceRole)).toEqual({ warnings: [], excess: 0 });
});

test.each([
  ['the owner of the tables', () => database.ownerRole, 'it has the rights of the owner'],
  ['a superuser', () => new URL(urlOf('postgres')).username, 'it is a superuser'],
])('one warning in production as %s, which could switch off the triggers', async (_, role, reason) => {
  const { warnings, excess } = await startAs(role());
  expect(warnings).toEqual([expect.stringContaining(`The role ${role()} could change history`)]);
  expect(warnings[0]).toContain(reason);
  expect(excess).toBeGreaterThan(0);
});

test.each([
  ['owns a single table of records', 'ALTER TABLE agents OWNER TO ?', 'ALTER TABLE agents OWNER TO !'],
  [
    'owns a trigger function',
    'ALTER FUNCTION advance_version() OWNER TO ?',
    'ALTER FUNCTION advance_version() OWNER TO !',
  ],
  ['may write history', 'GRANT INSERT ON history TO ?', 'REVOKE INSERT ON history FROM ?'],
  [
    'may switch off all triggers',
    'GRANT SET ON PARAMETER session_replication_role TO ?',
    'REVOKE SET ON PARAMETER session_replication_role FROM ?',
  ],
])('one warning in production as a role that %s', async (_, give, take) => {
  const { serviceRole, ownerRole, asSuperuser } = database;
  const run = (statement: string) => asSuperuser(statement.replace('?', serviceRole).replace('!', ownerRole));
  await run(give);
  try {
    const { warnings, excess } = await startAs(serviceRole);
    expect([warnings.length, excess]).toEqual([1, 1]);
  } finally {
    await run(take);
  }
});

test('no warning outside of production, where one role does everything', async () => {
  const { warnings, excess } = await startAs(database.ownerRole, { POOL_SIZE: '2', MIGRATE_ON_START: 'off' });
  expect(warnings).toEqual([]);
  expect(excess).toBeGreaterThan(0);
});
