import { expectProblem } from '../support/http/problem.js';
import { rawRequest, readAnswer, sendRaw } from '../support/http/raw-http.js';
import { useService } from '../support/service/service.js';

const service = useService({ PUBLIC_URL: 'https://Waybill.example:8443/base' });

/** Asks with HTTP/1.1, or with another request line, under a host name. */
async function askFor(host: string | undefined, line = 'GET /v1/moves HTTP/1.1') {
  const header = host === undefined ? '' : `Host: ${host}\r\n`;
  return readAnswer(await sendRaw(service.port, `${line}\r\n${header}Connection: close\r\n\r\n`));
}

test.each([
  'localhost',
  'LOCALHOST:3000',
  'localhost.',
  'board.localhost:80',
  '127.0.0.1',
  '127.8.0.1:9999',
  '[::1]',
  '[0:0::1]:3000',
  'waybill.example',
  'WAYBILL.example:8443',
  'waybill.example:1',
])('200 for Host: %s', async (host) => {
  expect((await askFor(host)).status).toBe(200);
});

test.each([
  'attacker.example',
  'localhost.attacker.example',
  '127.0.0.1.attacker.example',
  'notlocalhost',
  'sub.waybill.example',
  'waybill.example.attacker.example',
  '0.0.0.0',
  '192.168.1.10',
  '[::]',
  '[::1',
  'localhost@attacker.example',
  'attacker.example#localhost',
  'attacker.example/localhost',
  '',
])('421 for Host: %s', async (host) => {
  expectProblem(await askFor(host), 421, 'MISDIRECTED_REQUEST');
});

test('421 also for writes, pages and paths that do not exist, and nothing is written', async () => {
  const body = JSON.stringify({ orderID: 'rebound' });
  const bytes = rawRequest('POST', '/v1/moves', [['Content-Type', 'application/json']], body);
  const write = bytes.toString().replace('Host: localhost', 'Host: attacker.example');
  expectProblem(readAnswer(await sendRaw(service.port, write)), 421, 'MISDIRECTED_REQUEST');
  const { rows } = await service.sql.query(`SELECT FROM moves WHERE order_id = 'rebound'`);
  expect(rows).toEqual([]);
  for (const path of [
    '/',
    '/console',
    '/docs',
    '/openapi.json',
    '/nowhere',
    '/healthy',
    '/health-x',
    '//health/live',
  ]) {
    expect([path, (await askFor('attacker.example', `GET ${path} HTTP/1.1`)).status]).toEqual([path, 421]);
  }
});

test('200 without a Host by HTTP/1.0, 400 by HTTP/1.1', async () => {
  expect((await askFor(undefined, 'GET /v1/moves HTTP/1.0')).status).toBe(200);
  expectProblem(await askFor('attacker.example', 'GET /v1/moves HTTP/1.0'), 421, 'MISDIRECTED_REQUEST');
  expectProblem(await askFor(undefined), 400, 'MALFORMED_REQUEST');
});

test('health and metrics answer under any name: probes and scrapers use the address of a replica', async () => {
  for (const path of ['/health/live', '/health/ready', '/metrics']) {
    const answer = await sendRaw(
      service.port,
      `GET ${path} HTTP/1.1\r\nHost: 10.1.2.3:3000\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  }
});
