import type { Server } from 'node:http';
import { readConfig } from '../../src/config/read-config.js';
import { routesOf, type Route } from '../../src/http/routes.js';
import { serveManagement } from '../../src/operations/management-server.js';
import { Api } from '../support/http/api.js';
import { freePort } from '../support/http/free-port.js';
import { showsOperations, spellingsOf } from '../support/http/path-spellings.js';
import { expectProblem } from '../support/http/problem.js';
import { rawRequest, sendRaw } from '../support/http/raw-http.js';
import { startService, type TestService } from '../support/service/service.js';

let service: TestService;
let management: Server | undefined;
let managementPort: number;
let inside: Api;
let outside: Api;

beforeAll(async () => {
  managementPort = await freePort();
  const environment = { MANAGEMENT_PORT: String(managementPort), HOST: '127.0.0.1' };
  service = await startService(environment);
  management = await serveManagement(service.app, readConfig(environment));
  inside = Api.beyondTheDocument(`http://127.0.0.1:${managementPort}`);
  outside = Api.beyondTheDocument(service.url);
});
afterAll(async () => {
  management?.closeAllConnections();
  management?.close();
  await service.stop();
});

const isForOperators = ({ name }: Route) => /^(Health|Metrics)Controller\./.test(name);

/** The paths that GET is served on, with something in place of each parameter. */
function pathsOf(matches: (route: Route) => boolean): string[] {
  const routes = routesOf(service.app).filter((route) => route.method === 'GET' && matches(route));
  return routes.map(({ path }) => path.replace(/[:*]\w+/g, 'x'));
}

/** The targets, as they are written, whose answers `isFault` finds fault with. */
async function faultsAmong(port: number, targets: readonly string[], isFault: (answer: string) => boolean) {
  const answers = await Promise.all(
    targets.map(async (target) => ({ target, answer: await sendRaw(port, rawRequest('GET', target, [])) })),
  );
  return answers.filter(({ answer }) => isFault(answer)).map(({ target }) => target);
}

test.each(['/health/live', '/health/ready', '/metrics'])('%s is on the management port alone', async (path) => {
  expect(pathsOf(isForOperators)).toContain(path);
  expect((await inside.get(path)).status).toBe(200);
  expect((await inside.get(`${path}/`)).status).toBe(200);
  expectProblem(await outside.get(path), 404, 'NOT_FOUND');
});

test('no spelling of a management path is served on the public port', async () => {
  const paths = pathsOf(isForOperators);
  expect(paths).toHaveLength(3);
  const isFault = (answer: string) => showsOperations(answer) || !/^HTTP\/1\.1 [24]/.test(answer);
  expect(await faultsAmong(service.port, paths.flatMap(spellingsOf), isFault)).toEqual([]);
  // The control: the same search finds these paths on the management port.
  expect(await faultsAmong(managementPort, paths, showsOperations)).toEqual(paths);
});

test('400 or 404 on the management port for every path of the API', async () => {
  const paths = pathsOf((route) => !isForOperators(route));
  expect(paths.length).toBeGreaterThan(10);
  const targets = paths.flatMap((path) => [path, `${path}/`, `http://example.com${path}`]);
  expect(await faultsAmong(managementPort, targets, (answer) => !/^HTTP\/1\.1 40[04]/.test(answer))).toEqual([]);
});
