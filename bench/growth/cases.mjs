// What a client can ask for whose cost must not depend on how much there is. Values lie in fixed places of the seeded two years.

const DAY_MS = 86_400_000;
const MONTH = 30;

function day(daysFromToday) {
  return new Date(Date.now() + daysFromToday * DAY_MS).toISOString().slice(0, 10);
}

function moment(daysFromNow) {
  return new Date(Date.now() + daysFromNow * DAY_MS).toISOString();
}

function cursorAt(...position) {
  return Buffer.from(position.join(' '), 'latin1').toString('base64url');
}

const PAGE = 50;

const shipments = (query, limit = PAGE) => `/v1/shipments?${[`limit=${limit}`, query].filter(Boolean).join('&')}`;

/** Lists by a filter, on their first page. */
const FILTERS = {
  'status DELIVERED (most)': 'status=DELIVERED',
  'status REJECTED (few, everywhere)': 'status=REJECTED',
  'status SUBMITTED (few, new)': 'status=SUBMITTED',
  'two open statuses': 'status=SUBMITTED&status=APPROVED',
  'three closed statuses': 'status=DELIVERED&status=CANCELED&status=REJECTED',
  'two rare statuses': 'status=REJECTED&status=CANCELLATION_REQUESTED',
  'shipmentType HHG (half)': 'shipmentType=HHG',
  'shipmentType BOAT (a fifth)': 'shipmentType=BOAT',
  'shipmentType that nobody has': 'shipmentType=NONE',
  'delivery within a week, a year ago': `deliveryDateFrom=${day(-365)}&deliveryDateTo=${day(-358)}`,
  'delivery within a month, 20 months ago': `deliveryDateFrom=${day(-20 * MONTH)}&deliveryDateTo=${day(-19 * MONTH)}`,
  'delivery from today': `deliveryDateFrom=${day(0)}`,
  'delivery from a year ago': `deliveryDateFrom=${day(-365)}`,
  'delivery until 23 months ago': `deliveryDateTo=${day(-23 * MONTH)}`,
  'delivery until a year ago': `deliveryDateTo=${day(-365)}`,
  'delivery far in the future (none)': `deliveryDateFrom=${day(3650)}`,
  'overdue: IN_TRANSIT, delivery until last month': `status=IN_TRANSIT&deliveryDateTo=${day(-MONTH)}`,
  'delivery of one type until a year ago': `shipmentType=BOAT&deliveryDateTo=${day(-365)}`,
  'delivery of one type within half a year': `shipmentType=BOAT&deliveryDateFrom=${day(-500)}&deliveryDateTo=${day(-320)}`,
};

/** Lists by filters that few pass, of fewer records, so that the smallest database has enough of them, too. */
const NARROW_FILTERS = {
  'five of one day, a year ago': [5, `deliveryDateFrom=${day(-365)}&deliveryDateTo=${day(-365)}`],
  'ten SUBMITTED of one type': [10, 'status=SUBMITTED&shipmentType=BOAT'],
  'ten overdue of one type': [10, `status=IN_TRANSIT&shipmentType=BOAT&deliveryDateTo=${day(-MONTH)}`],
  'ten of one type within a week': [10, `shipmentType=BOAT&deliveryDateFrom=${day(-365)}&deliveryDateTo=${day(-358)}`],
};

/**
 * Lists by the moment of the last change. The moments are those since which so many shipments were changed, for an hour has more
 * changes the more shipments there are, and an answer of fifty costs more than one of two.
 */
async function changesOn(database, count) {
  const since = async (changes) => {
    const [{ moment }] = await database.query(
      'SELECT iso_ms(updated_at) AS moment FROM shipments ORDER BY updated_at DESC, id DESC OFFSET $1 LIMIT 1',
      [changes - 1],
    );
    return `updatedSince=${moment}`;
  };
  return {
    'updated: the last 60 changes': await since(60),
    'updated: the last 900 changes': await since(900),
    'updated: half of all': await since(count / 2),
    'updated later than now (none)': `updatedSince=${moment(1)}`,
    'APPROVED of the last 900 changes': `status=APPROVED&${await since(900)}`,
    'REJECTED within the hour': `status=REJECTED&updatedSince=${moment(-1 / 24)}`,
    'REJECTED within the year': `status=REJECTED&updatedSince=${moment(-365)}`,
  };
}

/** The last page of what was changed within the month. */
async function lastPagesOn(database) {
  const since = moment(-MONTH);
  const last = async (table, condition, query) => {
    const [{ at, id }] = await database.query(
      `SELECT iso_ms(updated_at) AS at, id FROM ${table} WHERE updated_at >= $1 AND ${condition}
       ORDER BY updated_at DESC, id DESC OFFSET ${PAGE} LIMIT 1`,
      [since],
    );
    return `/v1/${table}?limit=${PAGE}&updatedSince=${since}&cursor=${cursorAt('updatedAt', at, id)}${query}`;
  };
  return {
    'updated within the month, last page': await last('shipments', 'true', ''),
    'BOAT updated within the month, last page': await last('shipments', `shipment_type = 'BOAT'`, '&shipmentType=BOAT'),
    'moves updated within the month, last page': await last('moves', 'true', ''),
  };
}

const THOUSANDTH = 1000;

/**
 * Each case as a function that makes the n-th request of its kind.
 * @param {import('../database.mjs').BenchDatabase} database
 */
export async function casesOn(database, count) {
  const ids = await column(database, 'id');
  const moves = await column(database, 'move_id');
  const codes = await column(database, 'move_code');
  const orders = await column(database, 'order_id');
  const deep = Math.min(THOUSANDTH * PAGE, count - 2 * PAGE);
  const [{ id: deepID }] = await database.query('SELECT bench_shipment_id($1) AS id', [count - deep]);
  const [{ id: middleID }] = await database.query('SELECT bench_shipment_id($1) AS id', [Math.floor(count / 2)]);
  const pick = (values, n) => values[n % values.length];
  const get = (path) => ({ method: 'GET', path });
  return {
    'GET one': (n) => get(`/v1/shipments/${pick(ids, n)}`),
    'GET one, expanded': (n) => get(`/v1/shipments/${pick(ids, n)}?expand=services,agents,move`),
    PATCH: (n) => patchOf(database, pick(ids, n), n),
    'first page': () => get(shipments('')),
    'thousandth page': () => get(shipments(`cursor=${cursorAt('-createdAt', deepID)}`)),
    'first page, expanded': () => get(shipments('expand=services,agents,move')),
    'one move': (n) => get(shipments(`moveID=${pick(moves, n)}`)),
    ...Object.fromEntries(
      Object.entries({ ...FILTERS, ...(await changesOn(database, count)) }).map(([name, query]) => [
        name,
        () => get(shipments(query)),
      ]),
    ),
    ...Object.fromEntries(
      Object.entries(NARROW_FILTERS).map(([name, [limit, query]]) => [name, () => get(shipments(query, limit))]),
    ),
    ...Object.fromEntries(Object.entries(await lastPagesOn(database)).map(([name, path]) => [name, () => get(path)])),
    'status DELIVERED, from the middle': () =>
      get(shipments(`status=DELIVERED&cursor=${cursorAt('-createdAt', middleID)}`)),
    'three closed statuses, from the middle': () =>
      get(shipments(`status=DELIVERED&status=CANCELED&status=REJECTED&cursor=${cursorAt('-createdAt', middleID)}`)),
    'delivery until a year ago, latest first': () => get(shipments(`deliveryDateTo=${day(-365)}&sort=-deliveryDate`)),
    'no delivery date first': () => get(shipments('sort=-deliveryDate')),
    'history of a shipment': (n) => get(`/v1/shipments/${pick(ids, n)}/history`),
    'history of a move': (n) => get(`/v1/moves/${pick(moves, n)}/history`),
    'moves, first page': () => get('/v1/moves?limit=50'),
    'moves, expanded': () => get('/v1/moves?limit=50&expand=shipments'),
    'moves of an order': (n) => get(`/v1/moves?orderID=${pick(orders, n)}`),
    'moves updated within the month': () => get(`/v1/moves?limit=50&updatedSince=${moment(-MONTH)}`),
    'move by its code': (n) => get(`/v1/moves/${pick(codes, n)}`),
  };
}

/** The values of 200 shipments all over the table, the same in every run. */
async function column(database, name) {
  const rows = await database.query(
    `SELECT ${name} AS value FROM bench_shipments WHERE ${name} IS NOT NULL ORDER BY hashint8(n) LIMIT 200`,
  );
  return rows.map(({ value }) => value);
}

async function patchOf(database, id, n) {
  const [{ etag }] = await database.query('SELECT etag_of(updated_at) AS etag FROM shipments WHERE id = $1', [id]);
  const body = { estimatedWeight: 1000 + (n % 9000), customerRemarks: `Call before arrival, round ${n}.` };
  return { method: 'PATCH', path: `/v1/shipments/${id}`, options: { headers: { 'If-Match': `"${etag}"` }, body } };
}
