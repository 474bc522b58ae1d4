import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startThrowawayPostgres } from '@waybill/embedded-postgres/throwaway';
import { Client as Sql } from 'pg';
import { readCommandLine, rejectCommandLine } from '../../../src/config/command-line.js';
import { Replica } from '../../../test/support/service/replica.js';
import { measured } from '../../evidence/measured.mjs';
import { exitWith, say } from '../crash/report.js';
import { checkOut } from '../earlier-version.mjs';
import { createRecords } from './records.js';
import { requestsFor, type Asked } from './requests.js';

const USAGE = `Sends the same requests to an earlier version and to this one, and compares the responses byte by byte.
Both use the same database, to which nobody writes meanwhile.

  npm run campaign -- responses REF

  REF  the earlier version: a tag, a branch or a commit of this repository`;

/** Differences of one kind are shown once. */
const SHOWN = 30;
const AT_ONCE = 8;
const PAUSE_MS = 200;

/** Headers that differ between two responses to the same request, or follow from the body. */
const VARYING = new Set(['date', 'connection', 'keep-alive', 'content-length']);

/** What varies between two responses, or was changed on purpose since 7e26ef94. */
const EXPECTED: readonly (readonly [RegExp, string])[] = [
  [/"countedAt":"[^"]+"/g, ''],
  // Events have the version that they follow.
  [/"previousETag":(null|"\w+"),/g, ''],
  // Files guard other texts with an apostrophe.
  [/'/g, ''],
];

async function main(): Promise<boolean> {
  const { positionals } = readCommandLine(USAGE, { options: {}, allowPositionals: true });
  const [ref] = positionals;
  if (ref === undefined) rejectCommandLine(USAGE, 'Name the earlier version.');
  const folder = mkdtempSync(join(tmpdir(), 'waybill-responses-'));
  const server = await startThrowawayPostgres();
  const sql = new Sql({ connectionString: server.url });
  try {
    checkOut(ref, folder);
    const environment = { DATABASE_URL: server.url, LOG_LEVEL: 'error', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' };
    execFileSync(process.execPath, ['dist/tools/migrate/main.js'], { env: { ...process.env, ...environment } });
    await sql.connect();
    const now = await Replica.start(environment);
    await createRecords(now.url, sql);
    const before = await Replica.start(environment, folder);
    const requests = await requestsFor(sql);
    say(`${requests.length} requests`);
    return compare(requests, await responsesOf(before.url, requests), await responsesOf(now.url, requests));
  } finally {
    await sql.end();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Whether all responses are the same. */
function compare(requests: readonly Asked[], before: readonly string[], now: readonly string[]): boolean {
  const different = requests.flatMap((request, index) => {
    return before[index] === now[index] ? [] : [{ request, before: before[index] ?? '', now: now[index] ?? '' }];
  });
  const shown = new Set<string>();
  for (const { request, before: was, now: is } of different) {
    const from = Math.max(0, firstDifference(was, is) - 60);
    const [wasHere, isHere] = [was.slice(from, from + 240), is.slice(from, from + 240)];
    const kind = `${request.method} ${wasHere}`.replaceAll(/[0-9a-f-]{16,}|\d+/g, '');
    if (shown.has(kind) || shown.size >= SHOWN) continue;
    shown.add(kind);
    say(`FAIL  ${request.method} ${request.path} ${JSON.stringify(request.headers ?? {})}`);
    say(`        before: ${JSON.stringify(wasHere)}`);
    say(`        now:    ${JSON.stringify(isHere)}`);
  }
  const statuses = now.map((response) => response.slice(0, 3));
  const counts = [...new Set(statuses)].map(
    (each) => [each, statuses.filter((status) => status === each).length] as const,
  );
  const figures = { requests: requests.length, different: different.length, statuses: Object.fromEntries(counts) };
  measured({ figures, failed: different.map(({ request: { method, path } }) => `${method} ${path}`).slice(0, SHOWN) });
  const digest = createHash('sha256').update(now.join('\n')).digest('hex').slice(0, 16);
  say(
    `${counts.map(([status, count]) => `${count} ${status}`).join(', ')}; ${now.join('').length} characters, ${digest}`,
  );
  say(different.length === 0 ? 'All responses are the same.' : `${different.length} responses differ.`);
  return different.length === 0;
}

function firstDifference(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}

async function responsesOf(url: string, requests: readonly Asked[]): Promise<string[]> {
  const answers: string[] = [];
  const left = requests.entries();
  const run = async () => {
    for (const [at, request] of left) answers[at] = await answerTo(url, request, at);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, run));
  return answers;
}

/** Status, headers and body. Its characters are the bytes of the body. */
async function answerTo(url: string, { method, path, headers, body }: Asked, at: number): Promise<string> {
  const json = body !== undefined && { 'Content-Type': 'application/json' };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const options = { method, headers: { 'X-Request-ID': `request-${at}`, ...json, ...headers }, ...sent };
  let response = await fetch(url + path, options);
  // Files have few slots.
  for (; response.status === 429; response = await fetch(url + path, options)) await sleep(PAUSE_MS);
  const shown = [...response.headers].filter(([name]) => !VARYING.has(name) && !name.startsWith('ratelimit'));
  let bytes = Buffer.from(await response.arrayBuffer()).toString('latin1');
  for (const [difference, instead] of EXPECTED) bytes = bytes.replaceAll(difference, instead);
  return `${response.status} ${shown.map(([name, value]) => `${name}: ${value}`).join('\n')}\n\n${bytes}`;
}

exitWith(main);
