// Measures the CPU time of the service per request: without tracing, with it, and with callers that do not sample.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readCommandLine } from '../dist/src/config/command-line.js';

const REQUESTS = 2000;
const ROUNDS = 3;
const WORKERS = 8;
const MODES = ['off', 'on', 'unsampled'];

readCommandLine('Measures what tracing adds to a request.\n\n  npm run bench -- tracing-cost', {});

const agent = new Agent({ keepAlive: true, maxSockets: WORKERS });

function send(port, method, path, body, headers = {}) {
  return new Promise((resolve, reject) => {
    const options = {
      port,
      method,
      path,
      agent,
      headers: { ...(body && { 'Content-Type': 'application/json' }), ...headers },
    };
    const sent = request(options, (response) => {
      let text = '';
      response.on('data', (part) => (text += part)).on('end', () => resolve(JSON.parse(text)));
    });
    sent.on('error', reject).end(body && JSON.stringify(body));
  });
}

/** In microseconds; a tick of the kernel is 10 ms. */
function cpuTime(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

async function measure(mode, dataDir, collector) {
  const environment = { PATH: process.env.PATH, NODE_ENV: 'test', PORT: '0', LOG_LEVEL: 'info', DATA_DIR: dataDir };
  if (mode !== 'off') environment.OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${collector.address().port}`;
  const child = spawn(process.execPath, ['dist/src/main.js'], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const port = await new Promise((resolve) => {
    let said = '';
    child.stdout.on('data', (part) => {
      if (said.length < 100_000) said += part;
      const [, found] = /Listening on http:\/\/[^"]*:(\d+)/.exec(said) ?? [];
      if (found) resolve(Number(found));
    });
  });
  let number = 0;
  const traced = () => {
    number += 1;
    return {
      traceparent: `00-${String(number).padStart(32, '0')}-00f067aa0ba902b7-${mode === 'unsampled' ? '00' : '01'}`,
    };
  };
  const run = async (count, work) => {
    const before = cpuTime(child.pid);
    await Promise.all(Array.from({ length: WORKERS }, () => work(count / WORKERS)));
    return (cpuTime(child.pid) - before) / count;
  };
  const read = async (times) => {
    const { id } = await send(port, 'POST', '/v1/shipments', { shipmentType: 'HHG' });
    for (let turn = 0; turn < times; turn += 1) await send(port, 'GET', `/v1/shipments/${id}`, undefined, traced());
  };
  const change = async (times) => {
    let record = await send(port, 'POST', '/v1/shipments', { shipmentType: 'HHG' });
    for (let turn = 0; turn < times; turn += 1) {
      const headers = { 'If-Match': record.eTag, ...traced() };
      record = await send(port, 'PATCH', `/v1/shipments/${record.id}`, { customerRemarks: `${turn}` }, headers);
    }
  };
  await run(REQUESTS, read);
  await run(REQUESTS / 2, change);
  const result = { GET: await run(REQUESTS, read), PATCH: await run(REQUESTS, change) };
  child.kill('SIGTERM');
  await new Promise((resolve) => child.once('exit', resolve));
  return result;
}

const collector = createServer((received, response) => received.resume().on('end', () => response.end('{}')));
await new Promise((resolve) => collector.listen(0, '127.0.0.1', resolve));
const dataDir = mkdtempSync(join(tmpdir(), 'waybill-tracing-cost-'));
const found = Object.fromEntries(MODES.map((mode) => [mode, []]));
for (let round = 0; round < ROUNDS; round += 1) {
  for (const mode of MODES) {
    found[mode].push(await measure(mode, dataDir, collector));
    await sleep(500);
  }
}
collector.closeAllConnections();
collector.close();
agent.destroy();
rmSync(dataDir, { recursive: true, force: true });
for (const mode of MODES) {
  const median = (method) => found[mode].map((one) => one[method]).sort((a, b) => a - b)[Math.floor(ROUNDS / 2)];
  process.stdout.write(
    `tracing ${mode}: ${median('GET').toFixed(0)} us of CPU for a GET, ${median('PATCH').toFixed(0)} for a PATCH\n`,
  );
}
