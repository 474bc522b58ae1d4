// The four operations that every contender offers, as requests: over REST, and over GraphQL for PostGraphile.

export const NEW_SHIPMENT = {
  shipmentType: 'HHG',
  pickupDate: '2030-03-01',
  deliveryDate: '2030-03-10',
  estimatedWeight: 4200,
  customerRemarks: 'Please call an hour before arrival.',
  pickupAddress: { streetAddress1: '12 Oak Lane', city: 'Norfolk', state: 'VA', postalCode: '23510', country: 'US' },
  destinationAddress: { streetAddress1: '7 Mill Road', city: 'Tampa', state: 'FL', postalCode: '33601', country: 'US' },
};

const JSON_BODY = { 'content-type': 'application/json' };
const SHIPMENTS = '/v1/shipments';

/** A change that differs from the one of the turn before. */
function changes(turn) {
  return { estimatedWeight: 1000 + (turn % 9000), customerRemarks: `Call before arrival, round ${turn}.` };
}

export const REST = {
  get: (id) => ({ method: 'GET', path: `${SHIPMENTS}/${id}` }),
  list: () => ({ method: 'GET', path: `${SHIPMENTS}?limit=50` }),
  patch: ({ id, eTag }, turn) => ({
    method: 'PATCH',
    path: `${SHIPMENTS}/${id}`,
    headers: { ...JSON_BODY, 'if-match': `"${eTag}"` },
    body: JSON.stringify(changes(turn)),
  }),
  post: () => ({ method: 'POST', path: SHIPMENTS, headers: JSON_BODY, body: JSON.stringify(NEW_SHIPMENT) }),
  /** Whether a body with status 200 or 201 reports an error. */
  isRefused: () => false,
  eTagOf: (text) => JSON.parse(text).eTag,
};

const ADDRESS = ['id', 'streetAddress1', 'streetAddress2', 'streetAddress3', 'city', 'state', 'postalCode', 'country'];
const addressFields = (name) => ADDRESS.map((field) => `${name}${field[0].toUpperCase()}${field.slice(1)}`);

/** What REST shows of a shipment, without eTags. */
const FIELDS = [
  'rowId moveId shipmentType status rejectionReason pickupDate deliveryDate estimatedWeight actualWeight customerRemarks',
  ...['pickupAddress', 'destinationAddress'].flatMap(addressFields),
  'createdAt updatedAt',
].join(' ');

const QUERIES = {
  get: `query ($id: UUID!) { shipmentByRowId(rowId: $id) { ${FIELDS} } }`,
  list: `{ allShipments(first: 50, orderBy: PRIMARY_KEY_DESC) { nodes { ${FIELDS} } pageInfo { hasNextPage endCursor } } }`,
  patch: `mutation ($id: UUID!, $patch: ShipmentPatch!) {
    updateShipmentByRowId(input: { rowId: $id, shipmentPatch: $patch }) { shipment { ${FIELDS} } }
  }`,
  post: `mutation ($fields: JSON!) { submitShipment(input: { fields: $fields }) { shipment { ${FIELDS} } } }`,
};

function graphql(query, variables) {
  return { method: 'POST', path: '/graphql', headers: JSON_BODY, body: JSON.stringify({ query, variables }) };
}

/** PostGraphile compares no version: its update overwrites whatever others have written. */
export const GRAPHQL = {
  get: (id) => graphql(QUERIES.get, { id }),
  list: () => graphql(QUERIES.list),
  patch: ({ id }, turn) => graphql(QUERIES.patch, { id, patch: changes(turn) }),
  post: () => graphql(QUERIES.post, { fields: columnsOf(NEW_SHIPMENT) }),
  isRefused: (text) => text.includes('"errors"'),
  eTagOf: () => undefined,
};

/** The names of columns, with those of the addresses behind the address's own. */
function columnsOf(fields, prefix = '') {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      const column = prefix + name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      return typeof value === 'object' ? Object.entries(columnsOf(value, `${column}_`)) : [[column, value]];
    }),
  );
}
