import { readFileSync } from 'node:fs';
import { PREPARE_MONTHS } from '../../src/operations/housekeeping.js';
import { createServiceRoleDatabase, type ServiceRoleDatabase } from '../support/database/service-role.js';

const MOVE = '01900000-0000-7000-8000-0000000000a1';
const SHIPMENT = '01900000-0000-7000-8000-0000000000b1';

let database: ServiceRoleDatabase;

beforeAll(async () => {
  database = await createServiceRoleDatabase();
  await database.owner.query(`
    INSERT INTO moves (id, move_code) VALUES ('${MOVE}', 'AAAAAA');
    INSERT INTO shipments (id, move_id, shipment_type, status, customer_remarks)
      VALUES ('${SHIPMENT}', '${MOVE}', 'HHG', 'SUBMITTED', 'ask for Ada')`);
});
afterAll(() => database.drop());

/** The SQL of docs/history.md below a heading, statement by statement, with its placeholders filled in. */
function documented(heading: string): string[] {
  const [, section = ''] = readFileSync('docs/history.md', 'utf8').split(`\n## ${heading}\n`);
  const blocks = [...section.replace(/\n## [^]*/, '').matchAll(/```sql\n([^]*?)```/g)].map(([, sql]) => String(sql));
  const statements = blocks.flatMap((sql) => sql.replace(/^--.*\n/gm, '').split(/;\n/));
  return statements.filter((sql) => sql !== '').map((sql) => sql.replaceAll('waybill_service', database.serviceRole));
}

test.each(['Monthly partitions', 'Growth', 'Erasing a person’s data', 'Grants', 'Authors'])(
  'docs/history.md: the owner can run the SQL under "%s"',
  async (heading) => {
    const statements = documented(heading.replace('’', "'"));
    expect(statements.length).toBeGreaterThan(0);
    for (const statement of statements) await database.owner.query(statement);
  },
);

test('docs/history.md grants what the service calls', async () => {
  const { owner, serviceRole } = database;
  await owner.query(
    `REVOKE ALL ON history FROM ${serviceRole}; REVOKE ALL ON FUNCTION prepare_months_ahead() FROM ${serviceRole}`,
  );
  const service = await database.connect();
  try {
    await expect(service.query('SELECT FROM history')).rejects.toThrow('permission denied');
    await expect(service.query(PREPARE_MONTHS.text)).rejects.toThrow('permission denied');
    for (const statement of documented('Grants')) await owner.query(statement);
    await service.query('SELECT FROM history');
    await service.query(PREPARE_MONTHS.text);
  } finally {
    await service.end();
  }
});
