// npm run bench:growth: does a request cost the same when there is a hundred times as much?
import { mkdirSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join, relative } from 'node:path';
import { performance } from 'node:perf_hooks';
import { readCommandLine } from '../dist/src/config/command-line.js';
import { Contender, CONTENDERS } from './contenders.mjs';
import { BenchDatabase } from './database.mjs';
import { casesOn } from './growth/cases.mjs';
import { complaint, explain } from './growth/explain.mjs';
import { describeMachine } from './machine.mjs';
import { cpuOf } from './processes.mjs';
import { Client } from './request.mjs';
import { statementsDuring } from './statements.mjs';
import { plainTable } from './tables.mjs';

const USAGE = `Measures what requests cost as the database grows.

  npm run bench:growth -- [--rows 10000,100000,1000000] [--requests 200] [--rounds 3] [--only TEXT] [--node PATH]

  --requests N   of each kind in each round, one after the other (200; fewer when they are slow)
  --rounds N     of all kinds; the median of the rounds counts (3)
  --only TEXT    only the kinds whose name contains it`;

const MAX_RATIO = 1.3;
const WARM_UP = 20;
const MAX_MS_A_CASE = 5000;

const say = (line) => process.stdout.write(`${line}\n`);
const progress = (line) => process.stderr.write(`${line}\n`);

async function main() {
  const { values } = readCommandLine(USAGE, {
    options: {
      rows: { type: 'string', default: '10000,100000,1000000' },
      requests: { type: 'string', default: '200' },
      rounds: { type: 'string', default: '3' },
      only: { type: 'string', default: '' },
      node: { type: 'string', default: process.execPath },
    },
  });
  const sizes = values.rows.split(',').map(Number);
  const plan = {
    requests: Number(values.requests),
    rounds: Number(values.rounds),
    only: values.only,
    node: values.node,
  };
  const bySize = {};
  let about;
  for (const size of sizes) {
    const measured = await measureSize(size, plan);
    about ??= measured.about;
    bySize[size] = measured.cases;
  }
  report(sizes, bySize);
  keep({ ...about, loadAverageAfter: loadavg(), bySize });
}

async function measureSize(size, { requests, rounds, only, node }) {
  progress(`Seeding ${size} shipments.`);
  const database = await BenchDatabase.start(size);
  let service;
  try {
    const about = describeMachine(node, database, await database.version());
    const definition = { ...CONTENDERS.find(({ name }) => name === 'waybill'), silent: true };
    service = await Contender.start(definition, database.url, node);
    const client = new Client(service.url);
    const cases = Object.entries(await casesOn(database, size))
      .filter(([name]) => name.includes(only))
      .map(([name, make]) => new Case(name, make, { database, service, client }));
    for (const each of cases) await each.warmUp();
    for (let round = 1; round <= rounds; round++) {
      progress(`${size} shipments, round ${round} of ${rounds}.`);
      for (const each of cases) await each.measure(requests);
    }
    const results = {};
    for (const each of cases) {
      results[each.name] = await each.result();
      progress(`${String(size).padStart(8)}  ${each.name.padEnd(48)}  ${figures(results[each.name])}`);
    }
    client.close();
    return { about, cases: results };
  } finally {
    await service?.stop();
    await database.stop();
  }
}

function figures({ medianMs, databaseCpu }) {
  return `${medianMs.toFixed(2)} ms, ${databaseCpu.toFixed(2)} s of database CPU per 1,000`;
}

/** A kind of request, one after the other: what a single answer costs, with nobody else in the way. */
class Case {
  rounds = [];

  constructor(name, make, { database, service, client }) {
    this.name = name;
    this.make = make;
    this.database = database;
    this.service = service;
    this.client = client;
  }

  async warmUp() {
    await this.sendUpTo(WARM_UP);
  }

  async measure(requests) {
    const { service, database } = this;
    const before = { server: cpuOf(service.pid), database: database.cpu() };
    const times = await this.sendUpTo(requests);
    const per1000 = 1000 / times.length;
    this.rounds.push({
      medianMs: median(times),
      requests: times.length,
      serverCpu: (cpuOf(service.pid) - before.server) * per1000,
      databaseCpu: (database.cpu() - before.database) * per1000,
    });
  }

  /** What the rounds found, and how PostgreSQL carries the statements out. */
  async result() {
    const middle = (figure) => median(this.rounds.map((round) => round[figure]));
    const { method, path } = await this.make(0);
    return {
      medianMs: middle('medianMs'),
      requests: middle('requests'),
      serverCpu: middle('serverCpu'),
      databaseCpu: middle('databaseCpu'),
      records: method === 'GET' ? countOf(JSON.parse((await this.client.get(path)).text)) : undefined,
      explained: await this.explain(),
    };
  }

  async explain() {
    const statements = await statementsDuring(this.database, () => this.send(0));
    const explained = [];
    for (const statement of statements.filter(({ text }) => /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)/.test(text))) {
      explained.push({ ...statement, plans: await explain(this.database, statement) });
    }
    return explained;
  }

  async sendUpTo(count) {
    const deadline = performance.now() + MAX_MS_A_CASE;
    const times = [];
    while (times.length < count && (times.length < 3 || performance.now() < deadline))
      times.push(await this.send(times.length));
    return times;
  }

  async send(n) {
    const { method, path, options } = await this.make(n);
    const began = performance.now();
    await this.client.send(method, path, options);
    return performance.now() - began;
  }
}

/** How many records an answer has, when it is a list. */
function countOf(answer) {
  return Array.isArray(answer) ? answer.length : undefined;
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

/** Pages that a request's statements touch: no clock and no neighbour can disturb that figure. */
function pagesOf({ explained }) {
  return explained.reduce((sum, { plans }) => sum + plans.force_custom_plan.pages, 0);
}

function report(sizes, bySize) {
  const [smallest] = sizes;
  const largest = sizes.at(-1);
  const rows = Object.keys(bySize[largest]).map((name) => {
    const cases = sizes.map((size) => bySize[size][name]);
    const ratioOf = (figure) => figure(cases.at(-1)) / figure(cases[0]);
    const cpuRatio = ratioOf(({ serverCpu, databaseCpu }) => serverCpu + databaseCpu);
    return [
      name,
      ...cases.map((one) => `${one.medianMs.toFixed(2)} / ${one.databaseCpu.toFixed(2)} / ${pagesOf(one)}`),
      ratioOf(({ medianMs }) => medianMs).toFixed(2),
      cpuRatio.toFixed(2),
      verdictOn(cases, cpuRatio),
    ];
  });
  say('\nMedian ms / CPU s of the database per 1,000 / pages touched');
  say(`and what ${largest} shipments cost in multiples of ${smallest}: time, and CPU of server and database together`);
  say(plainTable([['', ...sizes.map((size) => `${size} shipments`), 'ms', 'CPU', ''], ...rows]));
  say(`\nPlans at ${largest} shipments that are more than an index scan of what is answered:`);
  for (const line of complaints(bySize[largest])) say(`  ${line}`);
}

/** Answers of different length cost differently by themselves; that is said beside the ratio, and does not hide it. */
function verdictOn(cases, cpuRatio) {
  const lengths = [...new Set(cases.map(({ records }) => records))];
  const words = [cpuRatio > MAX_RATIO && 'GROWS', lengths.length > 1 && `${lengths.join(' and ')} records`];
  return words.filter(Boolean).join(', ');
}

function complaints(cases) {
  const lines = Object.entries(cases).flatMap(([name, { explained }]) =>
    explained.flatMap(({ plans }) =>
      Object.entries(plans).flatMap(([mode, plan]) => {
        const reason = complaint(plan);
        const kind = mode === 'force_generic_plan' ? 'generic plan' : 'plan for its values';
        return reason
          ? [`${name} (${kind}): ${reason}; ${plan.executionMs.toFixed(1)} ms; ${plan.scans.slice(0, 3).join(', ')}`]
          : [];
      }),
    ),
  );
  return lines.length > 0 ? lines : ['none'];
}

function keep(result) {
  const folder = join(import.meta.dirname, 'results');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `growth-${result.date.slice(0, 16).replace(':', '')}.json`);
  writeFileSync(path, `${JSON.stringify(result, undefined, 2)}\n`);
  say(`\nEverything is in ${relative(process.cwd(), path)}`);
}

main().catch((error) => {
  progress(error.stack ?? String(error));
  process.exitCode = 1;
});
