// What is compared. A round of an operation does a fixed amount of work, and returns how many requests it counts as.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { NEW_SHIPMENT } from '../requests.mjs';

const BULK = 200;
const POLL_MS = 100;
const ROWS_OF_AN_EXPORT = 100_000;
const JSON_BODY = { 'content-type': 'application/json' };
/** The collection and the fields of each. */
const CHILDREN = [
  ['agents', { agentType: 'RECEIVING_AGENT', firstName: 'Grace', email: 'grace@example.com' }],
  ['agents', { agentType: 'RELEASING_AGENT', firstName: 'Ada', email: 'ada@example.com' }],
  ['services', { code: 'PACK' }],
];

/**
 * `share` is the number of requests for each GET. `isWrite` adds the work that follows the responses. `prepare` comes before and is not
 * measured. Contenders take part in those that are `common`.
 * @type {Record<string, { title: string, share?: number, isWrite?: boolean, common?: boolean,
 *   prepare?: (side: import('./side.mjs').Side, count: number) => Promise<void>,
 *   run: (side: import('./side.mjs').Side, count: number, options: { rows: number }) => Promise<number | void> }>}
 */
export const OPERATIONS = {
  get: {
    title: 'GET one',
    share: 1,
    common: true,
    run: (side, count) => side.each(count, (index) => side.send(side.requests.get(side.ids[index % side.ids.length]))),
  },
  list: {
    title: 'list of 50',
    share: 1 / 8,
    common: true,
    run: (side, count) => side.each(count, () => side.send(side.requests.list())),
  },
  patch: { title: 'PATCH with If-Match', share: 3 / 8, common: true, isWrite: true, run: patchMany },
  post: {
    title: 'POST',
    share: 1 / 4,
    common: true,
    isWrite: true,
    run: (side, count) => side.each(count, () => side.send(side.requests.post())),
  },
  delete: {
    title: 'DELETE',
    share: 1 / 8,
    isWrite: true,
    prepare: (side, count) => createDoomed(side, count, []),
    run: deleteDoomed,
  },
  deleteWithChildren: {
    title: 'DELETE with three children',
    share: 1 / 16,
    isWrite: true,
    prepare: (side, count) => createDoomed(side, count, CHILDREN),
    run: deleteDoomed,
  },
  events: {
    title: 'page of 100 events',
    share: 1 / 20,
    run: (side, count) => side.each(count, () => side.send({ method: 'GET', path: '/v1/events?limit=100' })),
  },
  eventsWithoutMatch: {
    title: 'page of events without a match',
    share: 1 / 20,
    run: (side, count) => side.each(count, () => side.send({ method: 'GET', path: '/v1/events?type=move.erased' })),
  },
  export: { title: 'export of 100,000 rows', run: exportAll },
  stale: { title: '412 of a version just replaced', share: 1 / 8, prepare: replaceVersions, run: sendStale },
  bulk: { title: `bulk of ${BULK}`, share: 1 / 800, isWrite: true, run: sendBulks },
  import: { title: 'import', isWrite: true, run: importRows },
  webhooks: { title: 'PATCH with a webhook', share: 1 / 16, isWrite: true, prepare: subscribe, run: patchAndDeliver },
};

function patchMany(side, count) {
  return side.each(count, (index) => side.patch(side.shipments[index % side.shipments.length]));
}

/** Shipments that the round deletes. */
async function createDoomed(side, count, children) {
  side.doomed = [];
  await side.each(count, async () => {
    const { id } = JSON.parse(await side.send(side.requests.post()));
    for (const [collection, fields] of children) {
      const path = `/v1/shipments/${id}/${collection}`;
      await side.send({ method: 'POST', path, headers: JSON_BODY, body: JSON.stringify(fields) });
    }
    side.doomed.push(id);
  });
}

async function deleteDoomed(side, count) {
  await side.each(count, (index) =>
    side.send({ method: 'DELETE', path: `/v1/shipments/${side.doomed[index]}` }, [204]),
  );
}

async function exportAll(side) {
  const [{ rows }] = await side.database.query('SELECT count(*)::int AS rows FROM shipments');
  const request = { method: 'GET', path: '/v1/shipments', headers: { accept: 'text/csv' } };
  const { statusCode, body } = await side.pool.request(request);
  if (statusCode !== 200) throw new Error(`${side.title} answered an export with ${statusCode}: ${await body.text()}`);
  await body.dump({ limit: Infinity });
  return rows / ROWS_OF_AN_EXPORT;
}

/** Each by a write of the service itself, and none twice. */
async function replaceVersions(side, count) {
  side.stale = side.shipments.slice(0, count).map((shipment) => ({ ...shipment }));
  await side.each(side.stale.length, (index) => side.patch(side.shipments[index]));
}

async function sendStale(side) {
  await side.each(side.stale.length, (index) => side.send(side.requests.patch(side.stale[index], side.turn++), [412]));
  return side.stale.length;
}

async function sendBulks(side, count) {
  for (let index = 0; index < count; index++) {
    const shipments = side.shipments.slice(0, BULK);
    const patch = { estimatedWeight: 1000 + (side.turn++ % 9000) };
    const items = shipments.map(({ id, eTag }) => ({ op: 'update', id, ifMatch: eTag, patch }));
    const body = JSON.stringify({ atomic: true, items });
    const text = await side.send({ method: 'POST', path: '/v1/shipments/bulk', headers: JSON_BODY, body });
    for (const [at, item] of JSON.parse(text).items.entries()) shipments[at].eTag = item.shipment.eTag;
  }
}

/** The dry run and the import itself. All rows create shipments. */
async function importRows(side, count, { rows }) {
  const { pickupAddress, destinationAddress, ...fields } = NEW_SHIPMENT;
  const cells = Object.entries(fields).concat(
    Object.entries({ pickupAddress, destinationAddress }).flatMap(([name, address]) => {
      return Object.entries(address).map(([field, value]) => [`${name}.${field}`, value]);
    }),
  );
  const body = [cells.map(([name]) => name), ...Array(rows).fill(cells.map(([, value]) => value))].join('\n');
  const headers = { 'content-type': 'text/csv' };
  const { id } = JSON.parse(await side.send({ method: 'POST', path: '/v1/imports', headers, body }));
  await side.send({ method: 'POST', path: `/v1/imports/${id}/apply` }, [202]);
  for (let state; state !== 'applied'; await sleep(POLL_MS)) {
    ({ state } = JSON.parse(await side.send({ method: 'GET', path: `/v1/imports/${id}` })));
  }
  return 1;
}

async function subscribe(side) {
  side.delivered = 0;
  side.receiver = createServer((request, response) => {
    request.resume().on('end', () => {
      side.delivered += 1;
      response.writeHead(204).end();
    });
  }).listen(0, '127.0.0.1');
  await once(side.receiver, 'listening');
  const url = `http://127.0.0.1:${side.receiver.address().port}/`;
  const body = JSON.stringify({ url, types: ['shipment.updated'] });
  side.webhook = JSON.parse(await side.send({ method: 'POST', path: '/v1/webhooks', headers: JSON_BODY, body }));
}

async function patchAndDeliver(side, count) {
  const wanted = side.delivered + count;
  await patchMany(side, count);
  while (side.delivered < wanted) await sleep(POLL_MS);
  const { id, eTag } = side.webhook;
  await side.send({ method: 'DELETE', path: `/v1/webhooks/${id}`, headers: { 'if-match': `"${eTag}"` } }, [204]);
  side.receiver.closeAllConnections();
  side.receiver.close();
}
