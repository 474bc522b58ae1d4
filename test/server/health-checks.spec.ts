import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import { freePort } from '../support/http/free-port.js';
import { Replica } from '../support/service/replica.js';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.js';

const [, inImage = '[]'] = /^HEALTHCHECK [^[]*CMD (\[.+\])$/m.exec(readFileSync('Dockerfile', 'utf8')) ?? [];
const [program = '', ...words] = JSON.parse(inImage) as string[];

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

function check(environment: Record<string, string>): number | null {
  // Not Node.js: to start it every few seconds takes 4 % of a core.
  expect(program).toBe('bash');
  return spawnSync(program, words, { env: { PATH: process.env['PATH'], ...environment } }).status;
}

describe.each([
  ['on the port of the service', false],
  ['on a port of its own', true],
])('with health %s', (_, isSeparate) => {
  it('the health check of the image finds out whether the service is ready', async () => {
    const [port, management] = [String(await freePort()), String(await freePort())];
    // An operator who says nothing leaves it empty, as compose passes it on.
    const ports = { PORT: port, MANAGEMENT_PORT: isSeparate ? management : '' };
    const replica = await Replica.start({
      ...ports,
      DATABASE_URL: database.url,
      LOG_LEVEL: 'silent',
      DRAIN_DELAY_MS: '0',
    });
    const whenReady = check(ports);
    replica.signal('SIGSTOP');
    const whenStuck = check(ports);
    replica.signal('SIGCONT');
    const owner = new Client({ connectionString: database.url });
    await owner.connect();
    await owner.query('ALTER TABLE migrations RENAME TO elsewhere');
    const whenNotReady = check(ports);
    await owner.query('ALTER TABLE elsewhere RENAME TO migrations');
    await owner.end();
    await replica.stop();
    const answers = [whenReady, whenStuck, whenNotReady, check(ports)];
    expect(answers.map((status) => status === 0)).toEqual([true, false, false, false]);
  });
});
