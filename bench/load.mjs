// The load on one contender: wrk with one thread and a script for each operation, and what it cost.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cpuOf, rssOf } from './processes.mjs';
import { NEW_SHIPMENT, REST } from './requests.mjs';

export const OPERATIONS = ['get', 'list', 'patch', 'post'];

/** Loads for the service alone, and the status that it must answer. */
export const OWN_OPERATIONS = { unchanged: '304', stale: '412', 'stale-first': '412', events: '200' };

const IDS = 20_000;
const VERSIONS = 5_000;
/** Few, so that the service has refused each before; and more than can be refused in one measurement. */
const STALE_VERSIONS = 500;
const FRESHLY_STALE_VERSIONS = 20_000;

export class Load {
  /** @param {import('./database.mjs').BenchDatabase} database */
  constructor(database, shipments, connections) {
    this.database = database;
    this.shipments = shipments;
    this.connections = connections;
    this.folder = mkdtempSync(join(tmpdir(), 'waybill-bench-'));
  }

  remove() {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Requests per second, latencies in milliseconds, and CPU seconds per 1,000 requests of server and database. */
  async measure(contender, operation, seconds, { connections = this.connections, rows } = {}) {
    await this.database.untilIdle();
    const isRest = contender.requests === REST;
    const words = isRest ? await this.wordsFor(operation, rows) : [await this.bodies(operation, contender.requests)];
    const before = { server: cpuOf(contender.pid), database: this.database.cpu() };
    const script = isRest ? operation.replace('-first', '') : 'graphql';
    const result = await wrk(`load/${script}.lua`, contender.url, connections, seconds, words);
    const expected = OWN_OPERATIONS[operation];
    if (expected !== undefined) result.errorStatuses = result.requests - (result.statuses?.[expected] ?? 0);
    if (!isRest) result.errorStatuses = result.statuses?.failed ?? 0;
    const per1000 = 1000 / result.requests;
    return {
      requestsPerSecond: result.requests / result.seconds,
      ...result,
      serverCpu: (cpuOf(contender.pid) - before.server) * per1000,
      databaseCpu: (this.database.cpu() - before.database) * per1000,
      rss: rssOf(contender.pid),
    };
  }

  /** The arguments of a script: files of ids, of versions that are current now, or of bodies. */
  async wordsFor(operation, rows = VERSIONS) {
    switch (operation) {
      case 'get':
        return [await this.file('ids', `SELECT ${this.anyShipment()} AS line FROM generate_series(1, ${IDS})`)];
      case 'patch':
      case 'hot':
        return [await this.versions(rows)];
      case 'unchanged':
        return [await this.versions(VERSIONS)];
      case 'stale':
        return [await this.staleVersions(STALE_VERSIONS)];
      case 'stale-first':
        return [await this.staleVersions(FRESHLY_STALE_VERSIONS)];
      case 'post':
        return [this.write('body', JSON.stringify(NEW_SHIPMENT))];
      default:
        return [];
    }
  }

  /** A contender without the service's paths gets its requests complete, a body per line. */
  async bodies(operation, requests) {
    if (operation === 'list' || operation === 'post') return this.write('bodies', requests[operation]().body);
    const ids = await this.query(`SELECT ${this.anyShipment()} AS line FROM generate_series(1, ${VERSIONS})`);
    const make = operation === 'get' ? requests.get : (id, turn) => requests.patch({ id }, turn);
    const lines = Array.from({ length: IDS }, (_, turn) => make(ids[turn % ids.length], turn).body);
    return this.write('bodies', lines.join('\n'));
  }

  versions(rows) {
    return this.file(
      'versions',
      `SELECT id || ' ' || etag_of(updated_at) AS line FROM shipments
       WHERE id = ANY (ARRAY(SELECT ${this.anyShipment()} FROM generate_series(1, ${rows})))`,
    );
  }

  /** Versions that a change by somebody else has just replaced. */
  async staleVersions(rows) {
    const path = await this.versions(rows);
    await this.database.query(
      `UPDATE shipments SET estimated_weight = 999 WHERE id = ANY (SELECT split_part(line, ' ', 1)::uuid FROM unnest($1::text[]) line)`,
      [readFileSync(path, 'utf8').trim().split('\n')],
    );
    return path;
  }

  anyShipment() {
    return `bench_shipment_id(1 + floor(random() * ${this.shipments})::bigint)`;
  }

  async file(name, text) {
    return this.write(name, (await this.query(text)).join('\n'));
  }

  async query(text) {
    return (await this.database.query(text)).map(({ line }) => line);
  }

  write(name, text) {
    const path = join(this.folder, name);
    writeFileSync(path, `${text}\n`);
    return path;
  }
}

async function wrk(script, url, connections, seconds, words) {
  const options = ['-t', '1', '-c', String(connections), '-d', `${seconds}s`, '--timeout', '10s'];
  const path = join(import.meta.dirname, script);
  const { stdout, stderr } = await promisify(execFile)('wrk', [...options, '-s', path, url, '--', ...words]);
  const result = /^RESULT (.*)$/m.exec(stdout)?.[1];
  if (result === undefined) throw new Error(`wrk gave no result:\n${stdout}${stderr}`);
  const { statuses, ...numbers } = JSON.parse(result);
  return { ...numbers, ...(Object.keys(statuses).length > 0 && { statuses }) };
}
