import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { parse, parseAllDocuments } from 'yaml';
import type { Json } from '../support/http/api.js';
import { freePort } from '../support/http/free-port.js';
import { Replica } from '../support/service/replica.js';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.js';

const compose = parse(readFileSync('docker-compose.yml', 'utf8'), { merge: true });
const [, inImage = '[]'] = /^HEALTHCHECK [^[]*CMD (\[.+\])$/m.exec(readFileSync('Dockerfile', 'utf8')) ?? [];

/** The commands that containers are asked with whether they are ready. */
const COMMANDS: [string, string[]][] = [
  ['the image', JSON.parse(inImage)],
  ['docker-compose.yml', compose.services['service-1'].healthcheck.test.slice(1)],
];

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

function check([program = '', ...args]: string[], environment: Record<string, string>): number | null {
  expect(program).toBe('node');
  return spawnSync(process.execPath, args, { env: environment }).status;
}

describe.each([
  ['on the port of the service', false],
  ['on a port of its own', true],
])('with health %s', (_, isSeparate) => {
  it('the health checks of the containers find out whether the service is ready', async () => {
    const [port, management] = [String(await freePort()), String(await freePort())];
    // An operator who says nothing leaves it empty, as compose passes it on.
    const ports = { PORT: port, MANAGEMENT_PORT: isSeparate ? management : '' };
    const replica = await Replica.start({
      ...ports,
      DATABASE_URL: database.url,
      LOG_LEVEL: 'silent',
      DRAIN_DELAY_MS: '0',
    });
    const whenReady = COMMANDS.map(([name, command]) => [name, check(command, ports)]);
    await replica.stop();
    expect(whenReady).toEqual(COMMANDS.map(([name]) => [name, 0]));
    for (const [name, command] of COMMANDS) expect([name, check(command, ports)]).toEqual([name, 1]);
  });
});

test('Kubernetes asks for health and metrics on the port that MANAGEMENT_PORT says', () => {
  const manifests: Json[] = readdirSync('deploy/kubernetes').flatMap((file) =>
    parseAllDocuments(readFileSync(`deploy/kubernetes/${file}`, 'utf8')).map((document) => document.toJS()),
  );
  const { template } = manifests.find(({ kind }) => kind === 'Deployment').spec;
  const [container] = template.spec.containers;
  const variable = (name: string) => container.env.find((one: Json) => one.name === name)?.value;
  const port = (name: string) => String(container.ports.find((one: Json) => one.name === name)?.containerPort);
  expect([port('http'), port('management')]).toEqual([variable('PORT'), variable('MANAGEMENT_PORT')]);
  for (const probe of ['livenessProbe', 'readinessProbe', 'startupProbe']) {
    expect(container[probe].httpGet).toMatchObject({ path: expect.stringMatching(/^\/health\//), port: 'management' });
  }
  expect(template.metadata.annotations['prometheus.io/port']).toBe(variable('MANAGEMENT_PORT'));
});
