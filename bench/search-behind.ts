import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { startThrowawayPostgres } from '@waybill/embedded-postgres/throwaway';
import { WaybillClient } from '@waybill/client';
import { readCommandLine } from '../src/config/command-line.js';
import { addShipments } from '../test/support/records/indexing.js';
import { Replica } from '../test/support/service/replica.js';
import { TYPICAL_SHIPMENT } from './typical-shipment.js';

const USAGE = `Changes a move with many shipments, and measures searches and the numbering of other changes while that is indexed, and afterwards.

  npm run bench -- search-behind [--long N] [--short N]

  --long N   shipments with remarks of 2,000 Greek characters (2000)
  --short N  shipments of another move, with short remarks (40000)`;

const { values } = readCommandLine(USAGE, {
  options: { long: { type: 'string', default: '2000' }, short: { type: 'string', default: '40000' } },
});

const LONG = 'Ὀδός '.repeat(398);
const AFTERWARDS = 50;
const ANY_VERSION = { ifMatch: '*' };
const IS_INDEXED = `
  SELECT FROM search_progress
  WHERE number = (SELECT max(number) FROM events) AND (SELECT max(position) FROM events) = (SELECT max(position + 0) FROM history)`;

const server = await startThrowawayPostgres({ shared_buffers: '256MB' });
const sql = new Client({ connectionString: server.url });
const replica = await Replica.start({ DATABASE_URL: server.url, LOG_LEVEL: 'error' });
const client = new WaybillClient({ baseUrl: replica.url });
try {
  await sql.connect();
  await measure(Number(values.long), LONG, 'long');
  await measure(Number(values.short), 'fragile', 'short');
} finally {
  await replica.kill();
  await sql.end();
  await server.stop();
}

async function measure(count: number, remarks: string, length: string): Promise<void> {
  const move = await client.moves.create({ remarks: 'before' });
  await addShipments(sql, move, count, remarks);
  while (!(await isIndexed())) await sleep(200);
  await sql.query('VACUUM ANALYZE');
  const word = `changed${length}`;
  const began = performance.now();
  await client.moves.patch(move.id, { remarks: word }, ANY_VERSION);
  const patchedMs = performance.now() - began;
  const during = await searches(word, async () => !(await isIndexed()));
  const indexedMs = performance.now() - began;
  let left = AFTERWARDS;
  const after = await searches(word, () => Promise.resolve((left -= 1) >= 0));
  say(
    `${count} shipments with ${length} remarks: changed in ${patchedMs.toFixed(0)} ms, indexed after ${(indexedMs / 1000).toFixed(1)} s`,
  );
  say(`  meanwhile: ${during}`);
  say(`  afterwards: ${after}`);
}

/** Searches for a word, and changes another shipment, again and again while the condition holds. */
async function searches(word: string, condition: () => Promise<boolean>): Promise<string> {
  const { id } = await client.shipments.create(TYPICAL_SHIPMENT);
  const [found, numbered]: [number[], number[]] = [[], []];
  let incomplete = 0;
  while (await condition()) {
    found.push(
      await timed(async () => {
        const page = await client.shipments.list({ q: word }).page();
        if (page.searchBehind !== undefined) incomplete += 1;
      }),
    );
    await client.shipments.patch(id, { actualWeight: found.length }, ANY_VERSION);
    numbered.push(
      await timed(async () => {
        while (!(await isNumbered())) await sleep(5);
      }),
    );
  }
  return `${found.length} searches, ${incomplete} of them incomplete, ${described(found)}; other changes numbered after ${described(numbered)}`;
}

async function timed(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

async function isIndexed(): Promise<boolean> {
  return (await sql.query(IS_INDEXED)).rowCount === 1;
}

async function isNumbered(): Promise<boolean> {
  const { rows } = await sql.query<{ done: boolean }>(
    'SELECT (SELECT max(position) FROM events) = (SELECT max(position + 0) FROM history) AS done',
  );
  return rows[0]?.done === true;
}

function described(times: readonly number[]): string {
  const sorted = [...times].sort((one, other) => one - other);
  const at = (share: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN).toFixed(0);
  return `p50 ${at(0.5)} ms, max ${at(1)} ms`;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
