import type { Server } from 'node:http';
import { readConfig } from '../src/config/config.js';
import { serveManagement } from '../src/operations/management-server.js';
import { Api } from './support/api.js';
import { freePort } from './support/free-port.js';
import { expectProblem } from './support/problem.js';
import { startService, type TestService } from './support/service.js';

let service: TestService;
let management: Server | undefined;
let inside: Api;
let outside: Api;

beforeAll(async () => {
  const environment = { MANAGEMENT_PORT: String(await freePort()), HOST: '127.0.0.1' };
  service = await startService(environment);
  management = await serveManagement(service.app, readConfig(environment));
  inside = Api.beyondTheDocument(`http://127.0.0.1:${environment.MANAGEMENT_PORT}`);
  outside = Api.beyondTheDocument(service.url);
});
afterAll(async () => {
  management?.closeAllConnections();
  management?.close();
  await service.stop();
});

test.each(['/health/live', '/health/ready', '/metrics'])('%s is on the management port alone', async (path) => {
  expect((await inside.get(path)).status).toBe(200);
  expectProblem(await outside.get(path), 404, 'NOT_FOUND');
});

test('the API is not on the management port', async () => {
  expect((await service.api.get('/v1/moves')).status).toBe(200);
  expectProblem(await inside.get('/v1/moves'), 404, 'NOT_FOUND');
});
