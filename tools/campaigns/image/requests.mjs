// Requests to the stack, which has a certificate that signs itself.
import http from 'node:http';
import https from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';

export const JSON_TYPE = { 'Content-Type': 'application/json' };

export function request(url, { method = 'GET', path, headers = {}, body, agent, timeout = 60_000 } = {}) {
  return new Promise((resolve) => {
    const { protocol } = new URL(url);
    const text = body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    const options = { method, headers, agent: agent ?? false, rejectUnauthorized: false, ...(path && { path }) };
    const sent = (protocol === 'https:' ? https : http).request(url, options, (response) => {
      let read = '';
      const done = (status) => resolve({ status, headers: response.headers, text: read, json: parsed(read) });
      response.setEncoding('utf8').on('data', (part) => (read += part));
      response.on('end', () => done(response.statusCode)).on('error', (error) => done(error.code));
    });
    sent.on('error', (error) => resolve({ status: error.code, headers: {}, text: '', json: undefined }));
    sent.setTimeout(timeout, () => sent.destroy(Object.assign(new Error('timeout'), { code: 'TIMEOUT' })));
    sent.end(text);
  });
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Workers that each create a shipment, then change and read it with the eTag they were given. Nobody else changes their shipments and
 * nothing is sent twice, so every answer but 200 and 201 is a failure, including a 412. `stop` ends it and returns what was found.
 */
export function load(base, workers = 8) {
  const { Agent } = base.startsWith('https:') ? https : http;
  const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
  const found = { requests: 0, failed: 0, slowestMs: 0, examples: [] };
  let running = true;
  const send = async (method, path, body, headers = {}) => {
    const began = performance.now();
    const answer = await request(base + path, {
      method,
      agent,
      body,
      headers: { ...(body && JSON_TYPE), ...headers },
    });
    found.requests += 1;
    found.slowestMs = Math.max(found.slowestMs, Math.round(performance.now() - began));
    if (answer.status === 200 || answer.status === 201) return answer.json;
    found.failed += 1;
    if (found.examples.length < 3)
      found.examples.push(`${method} ${path} ${answer.status} ${answer.text.slice(0, 200)}`);
    await sleep(100);
    return undefined;
  };
  const work = async () => {
    for (let record, turn = 0; running; turn += 1) {
      if (record === undefined) {
        record = await send('POST', '/v1/shipments', { shipmentType: 'HHG' });
        continue;
      }
      record = await send(
        'PATCH',
        `/v1/shipments/${record.id}`,
        { customerRemarks: `${turn}` },
        { 'If-Match': record.eTag },
      );
      await send('GET', turn % 5 === 0 ? '/v1/shipments?limit=10' : `/v1/shipments/${record?.id ?? '?limit=1'}`);
      if (turn % 50 === 49) record = undefined;
    }
  };
  const all = Promise.all(Array.from({ length: workers }, work));
  return {
    found,
    stop: async () => {
      running = false;
      await all;
      agent.destroy();
      return found;
    },
  };
}

export async function until(isSo, seconds = 60) {
  for (const end = Date.now() + seconds * 1000; Date.now() < end;) {
    if (await isSo()) return true;
    await sleep(250);
  }
  return false;
}
