// The floor under each operation: the statements that the service sends for it, sent by pgbench with no service in between.
import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { promisify } from 'node:util';
import { URL } from 'node:url';
import { POOL_SIZE } from './contenders.mjs';
import { NEW_SHIPMENT } from './load.mjs';
import { Client } from './request.mjs';
import { statementsDuring } from './statements.mjs';

const TIMESTAMP = /^\d{4}-\d\d-\d\d[T ]\d\d:/;
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

export function findPgbench() {
  const folder = '/usr/lib/postgresql';
  const versions = existsSync(folder) ? readdirSync(folder).toSorted((a, b) => Number(b) - Number(a)) : [];
  return versions.map((version) => `${folder}/${version}/bin/pgbench`).find((path) => existsSync(path));
}

/** For each operation a pgbench script, made from what the service sent for one request. */
export async function floorScripts(database, load, service) {
  const client = new Client(service.url);
  const [{ id, etag }] = await database.query(
    `SELECT id, etag_of(updated_at) AS etag FROM shipments WHERE id = bench_shipment_id(1)`,
  );
  const requests = {
    get: () => client.get(`/v1/shipments/${id}`),
    list: () => client.get('/v1/shipments?limit=50'),
    patch: () =>
      client.send('PATCH', `/v1/shipments/${id}`, {
        headers: { 'If-Match': `"${etag}"` },
        body: { estimatedWeight: 1234, customerRemarks: 'Call before arrival, round 1.' },
      }),
    post: () => client.send('POST', '/v1/shipments', { body: NEW_SHIPMENT }),
  };
  const scripts = {};
  for (const [operation, request] of Object.entries(requests)) {
    const statements = await statementsDuring(database, request);
    scripts[operation] = {
      file: load.write(`${operation}.sql`, scriptFrom(statements, { id, etag }, load.shipments)),
      changes: statements.some(({ text }) => /\b(INSERT|UPDATE)\b/.test(text)),
    };
  }
  client.close();
  return scripts;
}

/** In as many round trips as the service: BEGIN with what belongs to it, each lock, then the changes together with COMMIT. */
function scriptFrom(statements, shipment, shipments) {
  const variables = [`\\set n random(1, ${shipments})`, '\\set fresh random(1, 281474976710655)'];
  const expressionOf = expressions(shipment);
  const parts = statements
    .flatMap(({ text, values }) =>
      values.length > 0 ? [filledIn(text, values.map(expressionOf))] : text.split(';').map((part) => part.trim()),
    )
    .filter(Boolean)
    .map((part) => `${part.replace(/\s+/g, ' ')};`);
  const begun = parts.findIndex((part) => part.includes('pg_current_xact_id')) + 1;
  if (begun === 0) return [...variables, ...parts].join('\n');
  const rest = parts.slice(begun);
  const locks = rest.filter(isLock);
  const changes = rest.filter((part) => !isLock(part));
  if (locks.length > 0) variables.push(VERSION);
  return [...variables, ...inOneGo(parts.slice(0, begun)), ...locks, ...inOneGo(changes)].join('\n');
}

/** What a client has read before it changes a record. */
const VERSION =
  'SELECT etag_of(updated_at) AS etag, updated_at AS version FROM shipments WHERE id = bench_shipment_id(:n) \\gset';

function isLock(statement) {
  return / FOR (NO KEY UPDATE|KEY SHARE);$/.test(statement);
}

function inOneGo(statements) {
  return ['\\startpipeline', ...statements, '\\endpipeline'];
}

/** The shipment of the request becomes any shipment at its current version, new ids and codes become fresh ones, other values stay. */
function expressions(shipment) {
  const fresh = new Map();
  return (value) => {
    if (value === null) return 'NULL';
    if (value === shipment.id) return 'bench_shipment_id(:n)';
    if (value.includes(shipment.etag)) return 'ARRAY[:etag]';
    if (TIMESTAMP.test(value)) return ':version';
    if (/^[A-HJ-NP-Z2-9]{6}$/.test(value)) return 'bench_move_code(:fresh)';
    if (!UUID.test(value) || value.length !== 36) return quoted(value);
    // One request makes several ids; the same value must stay the same id wherever it comes again.
    if (!fresh.has(value)) fresh.set(value, `bench_uuid('${fresh.size}', :fresh)`);
    return fresh.get(value);
  };
}

function filledIn(text, expressionsInOrder) {
  return colonsHidden(text).replace(/\$(\d+)/g, (_, number) => expressionsInOrder[number - 1]);
}

/** pgbench takes `:word` for a variable, also inside of a text. */
function colonsHidden(text) {
  return text.replace(/'[^']*:[^']*'/g, (literal) => `E${literal.replaceAll(':', '\\x3a')}`);
}

function quoted(value) {
  return colonsHidden(`'${value.replaceAll("'", "''")}'`);
}

/** A move whose code another one has is not made. The service draws again; pgbench cannot, and ends that connection. */
const TAKEN_CODE = /aborted in .*moves_move_code_key/g;

function withoutTakenCodes(error) {
  const others = error.stderr?.replace(TAKEN_CODE, '').includes(' aborted in ');
  if (others !== false || !error.stdout.includes('tps = ')) throw error;
  return error;
}

/** Through the unix socket, with as many connections as the pool of each contender has. */
export async function measureFloor(database, pgbench, { file, changes }, seconds) {
  const entries = await entriesOfHistory(database);
  const { pathname, searchParams, username } = new URL(database.url);
  const before = database.cpu();
  const { stdout, stderr } = await promisify(execFile)(pgbench, [
    ...['-h', searchParams.get('host'), '-p', searchParams.get('port'), '-U', username],
    ...['-n', '-M', 'prepared', '-c', String(POOL_SIZE), '-j', '1', '-T', String(seconds), '-f', file],
    pathname.slice(1),
  ]).catch(withoutTakenCodes);
  const cpu = database.cpu() - before;
  const written = (await entriesOfHistory(database)) - entries;
  const requests = Number(/transactions actually processed: (\d+)/.exec(stdout)?.[1]);
  // Two requests in a thousand may meet another one that changed the same shipment, and then change nothing.
  if (changes && written < 0.95 * requests) throw new Error(`pgbench wrote ${written} changes in ${requests} requests`);
  return {
    requests,
    requestsPerSecond: Number(/tps = ([\d.]+)/.exec(stdout)?.[1]),
    p50: Number(/latency average = ([\d.]+)/.exec(stdout)?.[1]),
    databaseCpu: (cpu * 1000) / requests,
    errorStatuses: stderr.match(TAKEN_CODE)?.length ?? 0,
    connectionErrors: 0,
  };
}

async function entriesOfHistory(database) {
  const [{ count }] = await database.query('SELECT count(*) FROM history');
  return Number(count);
}
