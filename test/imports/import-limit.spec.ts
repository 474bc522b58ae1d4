// Not through PgBouncer: it checks functions and answers that no connection affects.
import { gzipSync } from 'node:zlib';
import { csvOf, imported, upload } from '../support/records/imports.js';
import { expectProblem } from '../support/http/problem.js';
import { useService } from '../support/service/service.js';

/** One more row becomes possible again every 30 seconds, so that a slow test run still meets its limit. */
const LIMIT = 2;
const ROWS_A_DAY = LIMIT * 1440;

/** Each test sends from a network of its own, at most two requests. */
const service = useService({ RATE_LIMIT: String(LIMIT), TRUSTED_PROXIES: 'loopback' });

/** Callers without a token are told apart by their /64. */
function sender(network: number) {
  return { 'X-Forwarded-For': `2001:db8:0:${network}::1` };
}

function fileOf(rows: number): string {
  return csvOf(
    ['shipmentType'],
    Array.from({ length: rows }, () => ['HHG']),
  );
}

async function importsStored(): Promise<number> {
  const { rows } = await service.sql.query<{ count: string }>('SELECT count(*) FROM imports');
  return Number(rows[0]?.count);
}

test('429 with Retry-After, and nothing stored, once a caller has imported as many rows as it may in a day', async () => {
  await imported(service.api, fileOf(ROWS_A_DAY), sender(1));
  const before = await importsStored();
  const refused = await upload(service.api, fileOf(1), sender(1));
  expectProblem(refused, 429, 'RATE_LIMITED');
  const wait = Number(refused.headers.get('Retry-After'));
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(30);
  expect(await importsStored()).toBe(before);
  // Another caller is not affected.
  expect((await upload(service.api, fileOf(1), sender(2))).status).toBe(201);
});

test('a file larger than the rest is taken, and the next waits until that is made up for, and is not read', async () => {
  await imported(service.api, fileOf(ROWS_A_DAY + 600), sender(3));
  const refused = await upload(service.api, 'no,header\r\n', sender(3));
  expectProblem(refused, 429, 'RATE_LIMITED');
  // 600 rows at two a minute, less what the test took.
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(16_000);
});

const LONG = `{"shipmentType":"HHG","customerRemarks":"${'x'.repeat(2000)}"}\n`;
const LARGE = LONG.repeat(Math.ceil((ROWS_A_DAY * 1000) / LONG.length) + 1);

test.each([
  ['large rows', LARGE, {}, 201, 4],
  ['rows that are large when they are unpacked', gzipSync(LARGE), { 'Content-Encoding': 'gzip' }, 201, 5],
  ['a file that cannot be read', `${LARGE}{`, {}, 400, 6],
])('%s count by their kilobytes', async (_, file, headers, status, network) => {
  const jsonLines = { 'Content-Type': 'application/jsonl' };
  const first = await upload(service.api, file, { ...sender(network), ...jsonLines, ...headers });
  expect(first.status).toBe(status);
  expectProblem(await upload(service.api, fileOf(1), sender(network)), 429, 'RATE_LIMITED');
});
