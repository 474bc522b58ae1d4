import { pino } from 'pino';
import { newKey } from '../../src/auth/key-text.js';
import { Metrics } from '../../src/operations/metrics.js';
import { Api, type Json } from '../support/http/api.js';
import { freePort } from '../support/http/free-port.js';
import { useServiceWithKeys } from '../support/http/keys.js';
import { expectProblem } from '../support/http/problem.js';
import { bearer } from '../support/http/tokens.js';
import { eventually } from '../support/races/eventually.js';
import { startApp } from '../support/service/service.js';

const { service, createKey } = useServiceWithKeys();

const LIMIT = 2;
const PATIENCE_MS = 20_000;

/** Calls a replica twice with a key of this name, and once too often. Returns what it says about the requests. */
async function used(name: string, environment: Record<string, string>) {
  const lines: Json[] = [];
  const logger = pino({ level: 'info', base: null }, { write: (line) => void lines.push(JSON.parse(line)) });
  const settings = { AUTH_MODE: 'keys', WEBHOOKS: 'off', RATE_LIMIT: String(LIMIT), ...environment };
  const { app, url } = await startApp(settings, service.databaseUrl, logger);
  const { key, id } = await createKey({ scopes: ['moves:read'], name });
  const api = new Api(url).as(bearer(key));
  expect((await api.get('/v1/moves')).status).toBe(200);
  expect((await api.get('/v1/shipments')).status).toBe(403);
  const { detail } = expectProblem(await api.get('/v1/moves'), 429, 'RATE_LIMITED');
  for (const wrong of [newKey(), newKey(), 'wb_x']) {
    expect([401, 429]).toContain((await new Api(url).get('/v1/moves', bearer(wrong))).status);
  }
  await eventually(() => lines.filter(({ msg }) => msg === 'request').length === 6, PATIENCE_MS, 'all are in the log');
  const metrics = await app.get(Metrics).registry.metrics();
  await app.close();
  return { id, detail, lines: lines.filter(({ msg }) => msg === 'request'), metrics };
}

function series(metrics: string, name: string): string[] {
  return metrics.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
}

test('the name of a key is in the log, in a 429 and in metrics that are not public', async () => {
  const environment = { MANAGEMENT_PORT: String(await freePort()) };
  const { id, detail, lines, metrics } = await used('Carrier "North"', environment);
  expect(detail).toBe(`The API key "Carrier "North"" may send ${LIMIT} requests per minute. Wait for Retry-After.`);
  const said = lines.map(({ subject, keyName }) => [subject, keyName]);
  const ours = [`key:${id}`, 'Carrier "North"'];
  expect(said).toEqual([ours, ours, ours, ...Array.from({ length: 3 }, () => ['anonymous', undefined])]);
  expect(series(metrics, 'waybill_key_requests_total')).toEqual([
    `waybill_key_requests_total{subject="key:${id}",name="Carrier \\"North\\"",status="2xx"} 1`,
    `waybill_key_requests_total{subject="key:${id}",name="Carrier \\"North\\"",status="4xx"} 2`,
  ]);
  expect(series(metrics, 'waybill_keys_refused_total')).toEqual([
    'waybill_keys_refused_total{reason="malformed"} 1',
    'waybill_keys_refused_total{reason="unknown"} 2',
    'waybill_keys_refused_total{reason="expired"} 0',
  ]);
});

test('metrics that everybody can read name no keys', async () => {
  const { id, metrics } = await used('Carrier South', {});
  expect(metrics).toContain('waybill_keys_refused_total');
  expect(metrics).not.toMatch(new RegExp(`Carrier|${String(id)}`));
});

test('keys that are in use and expire soon are counted', async () => {
  const soon = await createKey({ scopes: ['moves:read'] });
  await createKey({ scopes: ['moves:read'] });
  const expiring = async () => series(await service.app.get(Metrics).registry.metrics(), 'waybill_keys_expiring');
  await service.sql.query(`UPDATE keys SET expires_at = now() + interval '13 days' WHERE id = $1`, [soon.id]);
  expect(await expiring()).toEqual(['waybill_keys_expiring 0']);
  expect((await service.api.get('/v1/moves', bearer(soon.key))).status).toBe(200);
  await eventually(async () => (await expiring())[0] === 'waybill_keys_expiring 1', PATIENCE_MS, 'it is counted');
});
