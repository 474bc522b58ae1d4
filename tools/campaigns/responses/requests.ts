import type { Client as Sql } from 'pg';
import { cursorOf } from '../../../src/records/paging.js';
import { UNKNOWN_ID } from '../../../test/support/records/records.js';

/** A request that changes nothing. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

/** Each kind of record: its collection, table and expansions. */
const KINDS = [
  { path: '/v1/moves', table: 'moves', expansions: ['shipments'] },
  { path: '/v1/shipments', table: 'shipments', expansions: ['services', 'agents', 'move', 'move,agents,services'] },
  { path: '/v1/agents', table: 'agents', expansions: [] },
  { path: '/v1/services', table: 'services', expansions: [] },
  { path: '/v1/webhooks', table: 'webhooks', expansions: [] },
] as const;

const UNKNOWN_ETAG = `"${'0'.repeat(64)}"`;

const FILES = ['text/csv', 'application/jsonl'];

/** Requests for every record and version, and for pages of lists, histories and events. */
export async function requestsFor(sql: Sql): Promise<Asked[]> {
  return [...(await ofRecords(sql)), ...(await ofVersions(sql)), ...(await ofLists(sql)), ...(await ofEvents(sql))];
}

async function ofRecords(sql: Sql): Promise<Asked[]> {
  const asked: Asked[] = [];
  for (const { path, table, expansions } of KINDS) {
    const { rows } = await sql.query<{ id: string; eTag: string }>(
      `SELECT id, etag_of(updated_at) AS "eTag" FROM ${table} ORDER BY id`,
    );
    for (const { id, eTag } of rows) {
      asked.push(get(`${path}/${id}`), get(`${path}/${id}`, { 'If-None-Match': `"${eTag}"` }));
      asked.push({ method: 'HEAD', path: `${path}/${id}` }, get(`${path}/${id}`, { 'If-Match': UNKNOWN_ETAG }));
      for (const names of expansions) asked.push(get(`${path}/${id}?expand=${names}`));
    }
    asked.push(get(`${path}/${UNKNOWN_ID}`), get(`${path}/unknown`));
  }
  return asked;
}

/** Past versions, and writes that they refuse. */
async function ofVersions(sql: Sql): Promise<Asked[]> {
  const asked: Asked[] = [];
  for (const { path, table } of KINDS) {
    const { rows } = await sql.query<{ id: string; eTag: string; isCurrent: boolean }>(
      `SELECT h.record_id AS id, encode(h.e_tag, 'hex') AS "eTag", r.id IS NOT NULL AS "isCurrent"
       FROM history h LEFT JOIN ${table} r ON r.id = h.record_id AND etag_of(r.updated_at) = encode(h.e_tag, 'hex')
       WHERE h.e_tag IS NOT NULL AND h.record_kind = $1 ORDER BY h.position`,
      [table.slice(0, -1)],
    );
    for (const { id, eTag, isCurrent } of rows) {
      if (table !== 'webhooks') asked.push(get(`${path}/${id}?version=${eTag}`));
      if (isCurrent) continue;
      for (const [method, body] of STALE[table]) {
        asked.push({ method, path: `${path}/${id}`, headers: { 'If-Match': eTag }, body });
      }
    }
    asked.push(get(`${path}/${rows[0]?.id}/history`), get(`${path}/${rows[0]?.id}/history?limit=2`));
  }
  return asked;
}

/** Without an address, which conflicts as a whole since 7e26ef94. */
const SHIPMENT = { shipmentType: 'X "', customerRemarks: 'mine' };

const STALE: Record<(typeof KINDS)[number]['table'], readonly (readonly [string, object | undefined])[]> = {
  moves: [
    ['PATCH', { remarks: 'mine' }],
    ['DELETE', undefined],
  ],
  shipments: [
    ['PATCH', SHIPMENT],
    ['PATCH', {}],
    ['PUT', { shipmentType: 'HHG' }],
    ['DELETE', undefined],
  ],
  agents: [['PATCH', { lastName: 'mine' }]],
  services: [['PATCH', { code: 'MINE' }]],
  webhooks: [['PATCH', { types: ['move.created'] }]],
};

async function ofLists(sql: Sql): Promise<Asked[]> {
  const { rows } = await sql.query<{ id: string; code: string }>(
    'SELECT id, move_code AS code FROM moves ORDER BY id LIMIT 1',
  );
  const [move] = rows;
  const shipments = ['', `moveID=${move?.id}`, `moveID=${move?.code}`, 'status=SUBMITTED', 'status=SUBMITTED,APPROVED']
    .concat(['shipmentType=HHG', 'status=SUBMITTED&shipmentType=HHG', 'q=rome', 'q=main st', 'moveID=unknown'])
    .flatMap((filter) =>
      ['', 'sort=createdAt', 'sort=deliveryDate', 'sort=-deliveryDate', 'sort=-updatedAt'].map((sort) => [
        filter,
        sort,
      ]),
    )
    .filter(([filter = '', sort = '']) => !filter.startsWith('q=') || sort === '')
    .map((parts) => parts.filter(Boolean).join('&'))
    .concat(['deliveryDateFrom=2000-01-01&deliveryDateTo=2199-12-31', 'deliveryDateFrom=0001-01-01']);
  const moves = ['', 'orderID=A-1', 'sort=createdAt', 'sort=-updatedAt', 'q=fragile', 'expand=shipments&limit=3'];
  const pages = [
    ...shipments.flatMap((query) => ['limit=7', 'limit=200'].map((limit) => `/v1/shipments?${query}&${limit}`)),
    ...['services', 'agents,move', 'services,agents,move'].map((names) => `/v1/shipments?expand=${names}&limit=200`),
    ...moves.map((query) => `/v1/moves?${query}`),
    '/v1/webhooks',
  ].map((path) => path.replace('?&', '?'));
  const children = await sql.query<{ path: string }>(
    `SELECT DISTINCT '/v1/shipments/' || shipment_id || '/agents' AS path FROM agents
     UNION SELECT DISTINCT '/v1/shipments/' || shipment_id || '/services' FROM services ORDER BY 1`,
  );
  const addresses = await sql.query<{ path: string }>(
    `SELECT '/v1/mto-shipment/' || id || '/address/' || destination_address_id AS path FROM shipments
     WHERE destination_address_id IS NOT NULL ORDER BY 1`,
  );
  return [
    ...pages.map((path) => get(path)),
    ...[...children.rows, ...addresses.rows].map(({ path }) => get(path)),
    ...FILES.flatMap((accept) =>
      ['/v1/shipments', '/v1/moves', '/v1/shipments?q=rome'].map((path) => get(path, { accept })),
    ),
    get('/v1/overview?today=2026-03-01&from=2026-03-01&to=2026-03-20'),
  ];
}

async function ofEvents(sql: Sql): Promise<Asked[]> {
  const { rows } = await sql.query<{ after: string }>(
    `SELECT number || '.' || encode(seal, 'hex') AS after FROM events ORDER BY number`,
  );
  const filters = ['', 'type=shipment.updated', 'resource=agent', 'type=move.created,webhook.disabled'];
  const cursors = rows.filter((_, index) => index % 50 === 0).map(({ after }) => cursorOf(after));
  return [undefined, ...cursors].flatMap((after) =>
    filters.map((filter) => get(`/v1/events?limit=100&${filter}${after === undefined ? '' : `&after=${after}`}`)),
  );
}

function get(path: string, headers?: Record<string, string>): Asked {
  return { method: 'GET', path, ...(headers && { headers }) };
}
