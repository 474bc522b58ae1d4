import { runInNewContext } from 'node:vm';
import { cursorOf } from '../../src/records/paging.js';
import { problemExample, PROBLEM_TYPES } from '../../src/api-texts/problem-types.js';
import { WaybillClient } from '../../client/src/waybill.js';
import { Api, type Answer, type Json } from '../support/http/api.js';
import { erased } from '../support/records/erasing.js';
import { untilBlocked } from '../support/database/activity.js';
import { readAnswer, sendRaw } from '../support/http/raw-http.js';
import { createAgent, createShipment } from '../support/records/records.js';
import { startService, useService } from '../support/service/service.js';
import { useSecuredService } from '../support/http/tokens.js';

const service = useService({ POOL_SIZE: '2', LOCK_TIMEOUT_MS: '2000', WEBHOOKS_PER_CALLER: '1' });

/** The same with tokens. */
const secured = useSecuredService({ RATE_LIMIT: '1' });

let shipment: Json;
beforeEach(async () => {
  shipment = await createShipment(service.api, { deliveryDate: '2026-04-15' });
});

const SHIPMENTS = '/v1/shipments';
const path = () => `${SHIPMENTS}/${shipment.id}`;
const post = (body: unknown, headers = {}) => service.api.post(SHIPMENTS, body, headers);
const get = (at: string, headers = {}) => service.api.get(at, headers);
const patch = (body: unknown, headers = {}) => service.api.patch(path(), shipment.eTag, body, headers);

const HEAD = `POST ${SHIPMENTS} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{`;

/** The client closes its side in the middle of the body. */
async function cutOff(): Promise<Answer<Json>> {
  const { connect } = await import('node:net');
  return readAnswer(
    await new Promise((resolve, reject) => {
      const socket = connect({ port: service.port, host: '127.0.0.1', allowHalfOpen: true }, () => socket.end(HEAD));
      let received = '';
      socket.on('data', (chunk) => (received += chunk.toString()));
      socket.on('error', reject).on('end', () => resolve(received));
    }),
  );
}

/** A request about a row that somebody else has locked. */
async function whileLocked(ask: () => Promise<Answer<Json>>): Promise<Answer<Json>> {
  await service.sql.query('BEGIN');
  await service.sql.query('SELECT FROM shipments WHERE id = $1 FOR UPDATE', [shipment.id]);
  const answer = await ask();
  await service.sql.query('COMMIT');
  return answer;
}

async function inProgress(): Promise<Answer<Json>> {
  const key = { 'Idempotency-Key': shipment.id };
  let first: Promise<unknown> | undefined;
  const answer = await whileLocked(async () => {
    first = patch({}, key);
    await untilBlocked(service.sql);
    return patch({}, key);
  });
  await first;
  return answer;
}

/** Deletes the shipment, and returns how to restore it. */
async function deletedShipment(): Promise<() => Promise<Answer<Json>>> {
  await service.api.delete(path());
  const { body } = await get(`/v1/deletions?code=${shipment.shipmentCode}`);
  return () => service.api.post(`${path()}/undelete`, undefined, { 'If-Match': body[0].deletionETag });
}

/** How each problem comes about that its example shows. */
const PROVOKED: Readonly<Record<string, (() => Promise<Answer<Json>>) | string>> = {
  MALFORMED_JSON: () => post('{"shipmentType": }'),
  MALFORMED_FILE: () => service.api.post('/v1/imports', 'delivery\r\n2026-04-18\r\n', { 'Content-Type': 'text/csv' }),
  INVALID_PARAMETER: () => get(`${SHIPMENTS}?limit=ten`),
  INVALID_HEADER: () => service.api.patch(path(), 'two words', {}),
  MALFORMED_REQUEST: cutOff,
  CREDENTIAL_IN_URL: () => get(`${SHIPMENTS}?token=secret`),
  UNAUTHENTICATED: () => secured.service.api.get(path()),
  FORBIDDEN: async () => (await secured.as({ scope: 'shipments:read' })).patch(path(), shipment.eTag, {}),
  NOT_FOUND: () => get('/v1/shipment'),
  METHOD_NOT_ALLOWED: () => service.api.delete(SHIPMENTS),
  NOT_ACCEPTABLE: () => get(path(), { Accept: 'image/png' }),
  REQUEST_TIMEOUT: async () => {
    const hasty = await startService({ REQUEST_TIMEOUT_MS: '300' });
    const answer = await sendRaw(hasty.port, HEAD);
    await hasty.stop();
    return readAnswer(answer);
  },
  STATUS_TRANSITION: () => service.api.patch(`/prime${path()}/updateStatus`, shipment.eTag, { status: 'DELIVERED' }),
  DUPLICATE: async () => {
    const agent = { agentType: 'RECEIVING_AGENT', firstName: 'Grace', phone: '555-0100' };
    await createAgent(service.api, agent, shipment);
    return service.api.post(`${path()}/agents`, agent);
  },
  AMBIGUOUS_FILE: async () => {
    const file = 'shipmentType,pickupDate\r\nHHG,12/1/2026\r\n';
    const { body } = await service.api.post('/v1/imports', file, { 'Content-Type': 'text/csv' });
    return service.api.post(`/v1/imports/${body.id}/apply`, undefined);
  },
  IN_USE: () => service.api.delete(`/v1/moves/${shipment.moveID}`),
  LIMIT_REACHED: async () => {
    await service.api.post('/v1/webhooks', { url: 'https://partner.example/waybill' });
    return service.api.post('/v1/webhooks', { url: 'https://partner.example/waybill' });
  },
  NOT_DELETED: async () => {
    const undelete = await deletedShipment();
    await undelete();
    return undelete();
  },
  PARENT_DELETED: async () => {
    const undelete = await deletedShipment();
    await service.api.delete(`/v1/moves/${shipment.moveID}`);
    return undelete();
  },
  IDEMPOTENCY_IN_PROGRESS: inProgress,
  BULK_REFUSED: async () => {
    const other = await createShipment(service.api);
    const item = ({ id, eTag }: Json, status: string) => ({ op: 'updateStatus', id, ifMatch: eTag, status });
    return service.api.post(`${SHIPMENTS}/bulk`, { items: [item(other, 'APPROVED'), item(shipment, 'DELIVERED')] });
  },
  ERASED: async () => {
    await patch({ customerRemarks: 'Please ring twice.' });
    await erased(service, { recordID: shipment.id });
    return get(`${path()}?version=${shipment.eTag}`);
  },
  NOT_KEPT: async () => {
    const { body } = await service.api.post('/v1/imports', 'shipmentType\r\nHHG\r\n', { 'Content-Type': 'text/csv' });
    await service.sql.query('UPDATE imports SET expires_at = now() WHERE id = $1', [body.id]);
    return get(`/v1/imports/${body.id}`);
  },
  EVENTS_GONE: () => get(`/v1/events?after=${cursorOf('41.0000000000000000')}`),
  PRECONDITION_FAILED: async () => {
    await patch({ deliveryDate: '2026-04-18', customerRemarks: 'Please ring twice.' });
    return patch({ deliveryDate: '2026-04-20' });
  },
  TOO_LARGE: () => post(' '.repeat(65_537)),
  URI_TOO_LONG: () => get(`${SHIPMENTS}?shipmentType=${'x'.repeat(8192)}`),
  UNSUPPORTED_MEDIA_TYPE: () => post('{}', { 'Content-Type': 'text/plain' }),
  VALIDATION_FAILED: () => patch({ deliveryDtae: '2026-04-20' }),
  IDEMPOTENCY_MISMATCH: async () => {
    await post({ shipmentType: 'HHG' }, { 'Idempotency-Key': shipment.id });
    return post({ shipmentType: 'NTS' }, { 'Idempotency-Key': shipment.id });
  },
  PRECONDITION_REQUIRED: () => service.api.patch(path(), undefined, {}),
  RATE_LIMITED: async () => {
    const api = await secured.as({ scope: 'shipments:read', subject: 'busy' });
    await api.get(SHIPMENTS);
    return api.get(SHIPMENTS);
  },
  MISDIRECTED_REQUEST: async () =>
    readAnswer(
      await sendRaw(service.port, `GET ${SHIPMENTS} HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n`),
    ),
  HEADERS_TOO_LARGE: () =>
    get(SHIPMENTS, Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`X-Header-${i}`, '1']))),
  INTERNAL: async () => {
    await service.sql.query('ALTER TABLE shipments RENAME TO elsewhere');
    const answer = await Api.beyondTheDocument(service.url).get(path());
    await service.sql.query('ALTER TABLE elsewhere RENAME TO shipments');
    return answer;
  },
  UNAVAILABLE: () => whileLocked(() => patch({})),
  OUTCOME_UNKNOWN:
    'needs a connection that is cut between COMMIT and its answer: test/writes/transaction-faults.spec.ts',
};

/** The members of a payload with their types, arrays by their elements; what is made anew for each answer stands for itself. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shapeOf(member)]));
}

const CODES = PROBLEM_TYPES.map(({ code }) => code);

test('every problem is provoked, or it says here why not', () => {
  expect(Object.keys(PROVOKED).sort()).toEqual([...CODES].sort());
});

test.each(CODES.filter((code) => typeof PROVOKED[code] !== 'string'))('%s looks as its example does', async (code) => {
  const provoke = PROVOKED[code] as () => Promise<Answer<Json>>;
  const example = problemExample(code) as Json;
  const { body } = await provoke();
  expect(shapeOf(body)).toEqual(shapeOf(example));
  const { type, title, status, detail } = example;
  expect(body).toMatchObject({ type, title, status, code });
  // How many requests a caller may send is configured.
  expect(body.detail.replace(/\d+ requests/, '600 requests')).toBe(detail);
  const ids = /[0-9a-f]{8}-[0-9a-f-]{27}/;
  expect(body.instance.replace(ids, 'ID')).toBe(example.instance.replace(ids, 'ID'));
});

test('the page of each code shows its example', async () => {
  for (const code of CODES) {
    const page = await fetch(`${service.url}/problems/${code}`, { headers: { Accept: 'text/html' } });
    expect(examplesIn(await page.text())[0]).toBe(JSON.stringify(problemExample(code), null, 2));
  }
});

function examplesIn(page: string): string[] {
  const unescaped = (text: string) => text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
  return [...page.matchAll(/<pre[^>]*><code>([^]*?)<\/code><\/pre>/g)].map(([, text = '']) => unescaped(text));
}

describe('what the page of a 412 recommends', () => {
  let curl: string;
  let program: string;
  let stale: Json;

  beforeEach(async () => {
    const page = await fetch(`${service.url}/problems/PRECONDITION_FAILED`, { headers: { Accept: 'text/html' } });
    [, curl = '', program = ''] = examplesIn(await page.text());
    stale = shipment;
    await patch({ deliveryDate: '2026-04-18', customerRemarks: 'Please ring twice.' });
  });

  const settled = async () => {
    const { deliveryDate, customerRemarks } = (await get(path())).body;
    expect([deliveryDate, customerRemarks]).toEqual(['2026-04-20', 'Please ring twice.']);
  };

  test('works with curl', async () => {
    const refused = await patch({ deliveryDate: '2026-04-20' });
    const [, method = '', at = ''] = /curl -s -X (\w+) "\$URL([^"]+)"/.exec(curl) ?? [];
    const [, body = ''] = /-d '([^']+)'/.exec(curl) ?? [];
    expect(curl).toContain('-H "If-Match: $CURRENT_ETAG"');
    const headers = { 'If-Match': refused.body.currentETag };
    const { status } = await service.api.send(method, at.replace('$ID', shipment.id), body, headers);
    expect(status).toBe(200);
    await settled();
  });

  test('works with the client', async () => {
    const said: string[] = [];
    const lines = program.split('\n').filter((line) => !line.startsWith('import '));
    const console = { log: (line: string) => said.push(line) };
    const names = { WaybillClient, baseUrl: service.url, shipment: stale, console };
    await runInNewContext(`(async () => {${lines.join('\n')}})()`, names);
    expect(said).toEqual(['anonymous set deliveryDate to 2026-04-18, you wanted 2026-04-20']);
    await settled();
  });
});
