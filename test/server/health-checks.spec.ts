// Not through PgBouncer: it starts programs and services on a database of its own.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { freePort } from '../support/http/free-port.js';
import { Replica } from '../support/service/replica.js';
import { connect, createTestDatabase } from '../support/database/test-database.js';

const [, inImage = '[]'] = /^HEALTHCHECK [^[]*CMD (\[.+\])$/m.exec(readFileSync('Dockerfile', 'utf8')) ?? [];
const [program = '', ...words] = JSON.parse(inImage) as string[];

function check(environment: Record<string, string>): boolean {
  // Not Node.js: to start it every few seconds takes 4 % of a core.
  expect(program).toBe('bash');
  return spawnSync(program, words, { env: { PATH: process.env['PATH'], ...environment } }).status === 0;
}

test('the health check of the image finds out whether the service is ready', async () => {
  const database = await createTestDatabase();
  const [port, management] = [String(await freePort()), String(await freePort())];
  const ports = { PORT: port, MANAGEMENT_PORT: management };
  const environment = { ...ports, DATABASE_URL: database.url, LOG_LEVEL: 'silent', DRAIN_DELAY_MS: '0' };
  const replica = await Replica.start(environment);
  // An operator who says nothing leaves it empty, as compose passes it on. Then health is on the port of the service.
  const checkBoth = () => [ports, { PORT: management, MANAGEMENT_PORT: '' }].map(check);
  const whenReady = checkBoth();
  replica.signal('SIGSTOP');
  const whenStuck = checkBoth();
  replica.signal('SIGCONT');
  const owner = await connect(database.url);
  await owner.query('ALTER TABLE migrations RENAME TO elsewhere');
  const whenNotReady = checkBoth();
  await owner.query('ALTER TABLE elsewhere RENAME TO migrations');
  await owner.end();
  await replica.stop();
  expect([whenReady, whenStuck, whenNotReady, checkBoth()]).toEqual([
    [true, true],
    [false, false],
    [false, false],
    [false, false],
  ]);
  await database.drop();
});
