// Shipments over pg alone, as one writes them by hand: prepared statements, rows turned into JSON in JavaScript.
// Shared by bare-http and express, which therefore differ in nothing but the HTTP layer.
import { createHash, randomInt, randomUUID } from 'node:crypto';
import pg from 'pg';
import { v7 as uuidv7 } from 'uuid';

const DATE = 1082;
// A day is a day, not a moment in somebody's time zone.
pg.types.setTypeParser(DATE, (text) => text);

export const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: Number(process.env.POOL_SIZE),
  application_name: 'contender',
});

/** Writable fields and their columns. */
const FIELDS = {
  shipmentType: 'shipment_type',
  pickupDate: 'pickup_date',
  deliveryDate: 'delivery_date',
  estimatedWeight: 'estimated_weight',
  actualWeight: 'actual_weight',
  customerRemarks: 'customer_remarks',
};

const ADDRESS_FIELDS = {
  streetAddress1: 'street_address1',
  streetAddress2: 'street_address2',
  streetAddress3: 'street_address3',
  city: 'city',
  state: 'state',
  postalCode: 'postal_code',
  country: 'country',
};

const ADDRESSES = { pickupAddress: 'pickup_address', destinationAddress: 'destination_address' };

const COLUMNS = [
  'id, move_id, status, rejection_reason, created_at, updated_at',
  ...Object.values(FIELDS),
  ...Object.values(ADDRESSES).flatMap((prefix) =>
    ['id', ...Object.values(ADDRESS_FIELDS)].map((name) => `${prefix}_${name}`),
  ),
].join(', ');

/** A request that is answered with an error status. */
export class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

export async function read(id) {
  const { rows } = await pool.query({
    name: 'read',
    text: `SELECT ${COLUMNS} FROM shipments WHERE id = $1`,
    values: [knownID(id)],
  });
  if (rows.length === 0) throw new Refusal(404, 'There is no such shipment.');
  return shown(rows[0]);
}

/** The newest `limit` shipments, and the id to go on from when there are more. */
export async function list(limit, cursor) {
  const text = `SELECT ${COLUMNS} FROM shipments ${cursor ? 'WHERE id < $2' : ''} ORDER BY id DESC LIMIT $1`;
  const { rows } = await pool.query({
    name: cursor ? 'list-on' : 'list',
    text,
    values: cursor ? [limit + 1, knownID(cursor)] : [limit + 1],
  });
  const more = rows.length > limit;
  const page = more ? rows.slice(0, limit) : rows;
  return { shipments: page.map(shown), next: more ? page.at(-1).id : undefined };
}

export async function patch(id, ifMatch, body) {
  knownID(id);
  if (ifMatch === undefined) throw new Refusal(428, 'If-Match is required.');
  const changes = columnsOf(body);
  return inTransaction(async (client) => {
    const { rows } = await client.query({
      name: 'lock',
      text: 'SELECT updated_at FROM shipments WHERE id = $1 FOR NO KEY UPDATE',
      values: [id],
    });
    if (rows.length === 0) throw new Refusal(404, 'There is no such shipment.');
    if (ifMatch.replaceAll('"', '') !== eTagOf(rows[0])) throw new Refusal(412, 'The shipment was changed meanwhile.');
    const settings = Object.keys(changes).map((column, index) => `${column} = $${index + 2}`);
    const updated = await client.query({
      name: nameOf(`update ${Object.keys(changes)}`),
      text: `UPDATE shipments SET ${settings} WHERE id = $1 RETURNING ${COLUMNS}`,
      values: [id, ...Object.values(changes)],
    });
    return shown(updated.rows[0]);
  });
}

export async function create(body) {
  const fields = columnsOf(body);
  if (typeof fields.shipment_type !== 'string') throw new Refusal(422, 'shipmentType is required.');
  for (const prefix of Object.values(ADDRESSES)) {
    if (fields[`${prefix}_city`]) fields[`${prefix}_id`] = uuidv7();
  }
  return inTransaction(async (client) => {
    const moveID = uuidv7();
    await client.query({
      name: 'open-move',
      text: 'INSERT INTO moves (id, move_code) VALUES ($1, $2)',
      values: [moveID, moveCode()],
    });
    const values = { id: uuidv7(), move_id: moveID, status: 'SUBMITTED', ...fields };
    const { rows } = await client.query({
      name: nameOf(`insert ${Object.keys(values)}`),
      text: `INSERT INTO shipments (${Object.keys(values)})
             VALUES (${Object.keys(values).map((_, index) => `$${index + 1}`)}) RETURNING ${COLUMNS}`,
      values: Object.values(values),
    });
    return shown(rows[0]);
  });
}

const names = new Map();

/** A short name for a statement, which PostgreSQL then parses once per connection; it takes no longer ones than 63 letters. */
function nameOf(shape) {
  if (!names.has(shape)) names.set(shape, `statement-${names.size}`);
  return names.get(shape);
}

async function inTransaction(work) {
  const client = await pool.connect();
  try {
    // History keeps who changed something in which request.
    await client.query(`BEGIN; SET LOCAL waybill.author = '${randomUUID()} anonymous'`);
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}

function knownID(id) {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return id;
  throw new Refusal(404, 'There is no such shipment.');
}

/** The columns that a body sets. */
function columnsOf(body) {
  if (typeof body !== 'object' || body === null) throw new Refusal(422, 'The body must be an object.');
  const columns = {};
  for (const [name, value] of Object.entries(body)) {
    if (FIELDS[name] !== undefined) columns[FIELDS[name]] = value;
    else if (ADDRESSES[name] !== undefined) {
      for (const [field, column] of Object.entries(ADDRESS_FIELDS)) {
        columns[`${ADDRESSES[name]}_${column}`] = value?.[field] ?? null;
      }
    } else throw new Refusal(422, `${name} is not a field that can be written.`);
  }
  return columns;
}

function eTagOf({ updated_at: updatedAt }) {
  return createHash('sha256').update(updatedAt.toISOString()).digest('hex');
}

function moveCode() {
  const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
  return Array.from({ length: 6 }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/** A row as the API shows it. */
function shown(row) {
  const eTag = eTagOf(row);
  return {
    id: row.id,
    moveID: row.move_id,
    shipmentType: row.shipment_type,
    status: row.status,
    rejectionReason: row.rejection_reason,
    pickupDate: row.pickup_date,
    deliveryDate: row.delivery_date,
    estimatedWeight: row.estimated_weight,
    actualWeight: row.actual_weight,
    customerRemarks: row.customer_remarks,
    pickupAddress: pickupOf(row, eTag),
    destinationAddress: destinationOf(row, eTag),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    eTag,
  };
}

function pickupOf(row, eTag) {
  if (row.pickup_address_id === null) return null;
  return {
    id: row.pickup_address_id,
    streetAddress1: row.pickup_address_street_address1,
    streetAddress2: row.pickup_address_street_address2,
    streetAddress3: row.pickup_address_street_address3,
    city: row.pickup_address_city,
    state: row.pickup_address_state,
    postalCode: row.pickup_address_postal_code,
    country: row.pickup_address_country,
    eTag,
  };
}

function destinationOf(row, eTag) {
  if (row.destination_address_id === null) return null;
  return {
    id: row.destination_address_id,
    streetAddress1: row.destination_address_street_address1,
    streetAddress2: row.destination_address_street_address2,
    streetAddress3: row.destination_address_street_address3,
    city: row.destination_address_city,
    state: row.destination_address_state,
    postalCode: row.destination_address_postal_code,
    country: row.destination_address_country,
    eTag,
  };
}
