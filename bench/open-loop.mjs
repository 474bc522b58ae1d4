// Requests at a constant rate, whether or not the ones before have been answered. Latency counts from the moment at which a request
// should have been sent, so a server that stalls pays for all who had to wait, which a closed loop of a few connections hides.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';

const MOST_CONNECTIONS = 64;
/** At the beginning connections are opened; who comes then is not counted. */
const UNCOUNTED_MS = 1000;
/** A generator that sends this much too late has no processor time left, and what it measures is itself. */
export const MOST_LATE_MS = 10;

/**
 * Latencies in milliseconds. `late` is how long after its moment one request in a hundred was sent, which is the generator's fault.
 * @returns {Promise<{ requests: number, errors: number, p50: number, p99: number, max: number, late: number }>}
 */
export async function openLoop(load, contender, operation, rate, seconds) {
  const next = await requestsFor(load, contender, operation);
  const pool = new Pool(contender.url, { connections: MOST_CONNECTIONS });
  const latencies = [];
  const delays = [];
  let errors = 0;
  const begun = performance.now();
  const underWay = new Set();
  for (let sent = 0; ;) {
    const elapsed = performance.now() - begun;
    if (elapsed >= seconds * 1000 + UNCOUNTED_MS) break;
    for (; sent < (elapsed / 1000) * rate; sent++) {
      const due = begun + (sent / rate) * 1000;
      const counts = due - begun >= UNCOUNTED_MS;
      if (counts) delays.push(performance.now() - due);
      const answered = send(pool, next())
        .then(() => counts && latencies.push(performance.now() - due))
        .catch(() => errors++)
        .finally(() => underWay.delete(answered));
      underWay.add(answered);
    }
    await sleep(1);
  }
  await Promise.all(underWay);
  await pool.close();
  return {
    requests: latencies.length,
    errors,
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    max: Math.max(...latencies),
    late: percentile(delays, 0.99),
  };
}

function percentile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
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

/** Only the answer to a PATCH is made into text: with whole pages of shipments the generator would be too busy to send in time. */
async function send(pool, { method, path, headers = {}, body, putBack }) {
  const written = body && { 'Content-Type': 'application/json' };
  const answer = new Answer(putBack !== undefined);
  pool.dispatch({ method, path, headers: { ...headers, ...written }, body }, answer);
  const status = await answer.ended;
  if (status >= 300) throw new Error(`${method} ${path}: ${status}`);
  putBack?.(Buffer.concat(answer.chunks).toString());
}

/** What undici tells of an answer as it arrives. */
class Answer {
  chunks = [];

  constructor(isKept) {
    this.isKept = isKept;
    this.ended = new Promise((resolve, reject) => Object.assign(this, { resolve, reject }));
  }

  onRequestStart() {}

  onResponseStart(controller, status) {
    this.status = status;
  }

  onResponseData(controller, chunk) {
    if (this.isKept) this.chunks.push(chunk);
  }

  onResponseEnd() {
    this.resolve(this.status);
  }

  onResponseError(controller, error) {
    this.reject(error);
  }
}
