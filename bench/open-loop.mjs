// Requests at a constant rate, whether or not the ones before have been answered. Latency counts from the moment at which a request
// should have been sent, so a server that stalls pays for all who had to wait, which a closed loop of a few connections hides.
import { Agent, request } from 'node:http';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const MOST_CONNECTIONS = 256;

/** @returns {Promise<{ requests: number, errors: number, p50: number, p99: number, max: number }>} latencies in milliseconds */
export async function openLoop(load, contender, operation, rate, seconds) {
  const next = await requestsFor(load, contender, operation);
  const agent = new Agent({ keepAlive: true, maxSockets: MOST_CONNECTIONS });
  const latencies = [];
  let errors = 0;
  const begun = performance.now();
  const underWay = new Set();
  for (let sent = 0; ;) {
    const elapsed = performance.now() - begun;
    if (elapsed >= seconds * 1000) break;
    for (; sent < (elapsed / 1000) * rate; sent++) {
      const due = begun + (sent / rate) * 1000;
      const answered = send(agent, contender.url, next())
        .then(() => latencies.push(performance.now() - due))
        .catch(() => errors++)
        .finally(() => underWay.delete(answered));
      underWay.add(answered);
    }
    await sleep(1);
  }
  await Promise.all(underWay);
  agent.destroy();
  latencies.sort((a, b) => a - b);
  const percentile = (share) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))];
  return { requests: latencies.length, errors, p50: percentile(0.5), p99: percentile(0.99), max: latencies.at(-1) };
}

/** A function that makes one request after the other, as the scripts of wrk do. */
async function requestsFor(load, contender, operation) {
  const [path] = await load.wordsFor(operation, contender);
  const lines = path === undefined ? [] : readFileSync(path, 'utf8').trim().split('\n');
  let turn = 0;
  switch (operation) {
    case 'get':
      return () => ({ method: 'GET', path: `/v1/shipments/${lines[turn++ % lines.length]}` });
    case 'list':
      return () => ({ method: 'GET', path: '/v1/shipments?limit=50' });
    case 'post':
      return () => ({ method: 'POST', path: '/v1/shipments', body: lines[0] });
    case 'patch': {
      const queue = lines.map((line) => line.split(' '));
      return () => {
        const [id, eTag] = queue.shift();
        const body = `{"estimatedWeight":${1000 + (turn++ % 9000)},"customerRemarks":"Call before arrival, round ${turn}."}`;
        const putBack = (answer) => queue.push([id, JSON.parse(answer).eTag]);
        return { method: 'PATCH', path: `/v1/shipments/${id}`, headers: { 'If-Match': `"${eTag}"` }, body, putBack };
      };
    }
    default:
      throw new Error(`There is no open loop for ${operation}`);
  }
}

function send(agent, url, { method, path, headers = {}, body, putBack }) {
  return new Promise((resolve, reject) => {
    const written = body && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
    const sent = request(`${url}${path}`, { method, agent, headers: { ...headers, ...written } }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        if (response.statusCode >= 300) return reject(new Error(`${method} ${path}: ${response.statusCode}`));
        putBack?.(Buffer.concat(chunks).toString());
        resolve();
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
