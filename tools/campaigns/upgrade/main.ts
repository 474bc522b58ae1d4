import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startThrowawayPostgres } from '@waybill/embedded-postgres/throwaway';
import { Client as Sql } from 'pg';
import { readCommandLine, rejectCommandLine } from '../../../src/config/command-line.js';
import { measured } from '../../evidence/measured.mjs';
import { Ledger } from '../checker/ledger.js';
import { examine, type Findings } from '../crash/aftermath.js';
import { Client, type Authorizations } from '../crash/client.js';
import { Load } from '../crash/load.js';
import { oneOf } from '../crash/random.js';
import { exitWith, report, say, wholeNumber } from '../crash/report.js';
import { eventually } from '../../../test/support/races/eventually.js';
import { jwtEnvironment, KeySetServer, newKey, signToken } from '../../../test/support/http/tokens.js';
import { Replica } from '../../../test/support/service/replica.js';
import { checkOut } from '../earlier-version.mjs';

const USAGE = `Updates the service under load, and checks that no request fails and that every write has its effect once.
Replicas of an earlier version serve, the schema is migrated, replicas of this version serve beside them, and then alone, all with the
same configuration and for the same tokens.

  npm run campaign -- upgrade REF [--writes N]

  REF         the earlier version: a tag, a branch or a commit of this repository
  --writes N  how many writes are accepted in each phase, at least (1000)`;

const PATIENCE_MS = 600_000;
const HOT_SHIPMENTS = 4;
const REPLICAS = 2;
const CLIENTS = 8;
const SCOPES = 'moves:read moves:write shipments:read shipments:write shipments:status';

async function main(): Promise<boolean> {
  const { values, positionals } = readCommandLine(USAGE, {
    options: { writes: { type: 'string', default: '1000' } },
    allowPositionals: true,
  });
  const [ref] = positionals;
  if (ref === undefined) rejectCommandLine(USAGE, 'Name the version to update from.');
  const writes = wholeNumber('writes', values.writes);
  const folder = mkdtempSync(join(tmpdir(), 'waybill-upgrade-'));
  const server = await startThrowawayPostgres();
  const sql = new Sql({ connectionString: server.url });
  const key = await newKey('upgrade');
  const keySet = await KeySetServer.start(key);
  const environment = { DATABASE_URL: server.url, LOG_LEVEL: 'error', RATE_LIMIT: '0', ...jwtEnvironment(keySet.url) };
  const authorizations = new Map<string, string>();
  for (let client = 0; client < CLIENTS; client += 1) {
    const subject = `client-${client}`;
    authorizations.set(subject, `Bearer ${await signToken(key, { subject, scope: SCOPES, expires: 86_400 })}`);
  }
  try {
    checkOut(ref, folder);
    await sql.connect();
    return await update(ref, { folder, writes, environment, authorizations, sql });
  } finally {
    await keySet.stop();
    await sql.end();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Update {
  /** Where the earlier version is. */
  readonly folder: string;
  readonly writes: number;
  readonly environment: Record<string, string>;
  readonly authorizations: Authorizations;
  readonly sql: Sql;
}

async function update(ref: string, { folder, writes, environment, authorizations, sql }: Update): Promise<boolean> {
  const serving: Replica[] = [];
  const current: Replica[] = [];
  const ledger = new Ledger();
  const client = new Client({ anyPort: () => oneOf(serving, Math.random).port }, ledger, authorizations);
  const restorer = new Client({ anyPort: () => oneOf(current, Math.random).port }, ledger, authorizations);
  const load = new Load(client, ledger, {
    clients: CLIENTS,
    authors: [...authorizations.keys()],
    random: Math.random,
    reads: 0.4,
    repeats: 0.02,
    thinksMs: 5,
    alwaysBusy: 1,
    // Earlier versions cannot restore; what they remove is restored by this one, and served by both.
    restorer: () => (current.length > 0 ? restorer : undefined),
  });
  const serveFor = async (about: string) => {
    const enough = ledger.accepted.length + writes;
    await eventually(() => ledger.accepted.length >= enough, PATIENCE_MS, `${writes} writes are accepted`);
    say(`${about}: ${ledger.accepted.length} writes accepted so far`);
  };
  const startTwo = async (from?: string) => {
    for (let count = 0; count < REPLICAS; count += 1) serving.push(await Replica.start(environment, from));
  };
  try {
    await startTwo(folder);
    await load.prepare(HOT_SHIPMENTS);
    const running = load.run(() => true);
    await serveFor(`${ref} alone`);
    const env = { PATH: process.env['PATH'], ...environment };
    await promisify(execFile)(process.execPath, ['dist/tools/migrate/main.js'], { env });
    await serveFor(`${ref} on the new schema`);
    await startTwo();
    current.push(...serving.slice(REPLICAS));
    await serveFor('both');
    for (const former of serving.splice(0, REPLICAS)) await former.stop();
    await serveFor('the new version alone');
    load.stop();
    await running;
    const findings: Findings = [
      ...(await examine(ledger, client, sql)),
      ['no request failed', failures(ledger)],
      ['shipments were restored', restored(ledger) > 0 ? [] : ['none was']],
    ];
    measured({ figures: { restored: restored(ledger) }, settings: { from: ref } });
    return report(findings, ledger, `the update from ${ref}`);
  } finally {
    for (const replica of serving) await replica.kill();
  }
}

function restored({ accepted }: Ledger): number {
  return accepted.filter(({ deed }) => deed === 'restore').length;
}

function failures({ outcomes }: Ledger): string[] {
  return [...outcomes].filter(([outcome]) => / (5..|lost|refused)$/.test(outcome)).map(([name, n]) => `${name}: ${n}`);
}

exitWith(main);
