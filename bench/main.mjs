// npm run bench -- servers: starts everybody on one database, loads them in turn, and says who did how much at which cost.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { measured, median } from '../tools/evidence/measured.mjs';
import { chooseContenders, Contender, CONTENDERS } from './contenders.mjs';
import { BenchDatabase } from './database.mjs';
import { Load, OWN_OPERATIONS } from './load.mjs';
import { readOptions } from './options.mjs';
import { installPackages } from './packages.mjs';
import { runBenchmark } from './program.mjs';
import { mapValues } from './map-values.mjs';
import { markdownResults, operationTable, targetTable, titleOf } from './tables.mjs';
import { HOT_ROWS, judge, judgeHotRows } from './targets.mjs';

const WARM_REQUESTS = 5000;
const MAX_WARM_UPS = 4;
const TITLES = Object.fromEntries(CONTENDERS.map(({ name, title }) => [name, title]));

const say = (line) => process.stdout.write(`${line}\n`);
const progress = (line) => process.stderr.write(`${line}\n`);

async function main() {
  const options = readOptions();
  const contenders = installPackages(chooseContenders(options.contenders, options.node, progress), progress);
  progress(`Seeding ${options.shipments} shipments.`);
  const checkout = join(import.meta.dirname, '..');
  const database = await BenchDatabase.start({ checkout, shipments: options.shipments });
  const load = new Load(database, options.shipments, options.connections);
  const running = [];
  try {
    for (const definition of contenders) running.push(await Contender.start(definition, database, options.node));
    const results = await compare(options, database, load, running);
    const { shipments, connections, rounds, seconds, node } = options;
    const packages = Object.assign({}, ...contenders.map((contender) => contender.packages));
    const versions = { ...versionsOf(node), postgres: await database.version(), ...packages };
    measured({ versions, settings: { shipments, connections, rounds, seconds, postgres: database.settings } });
    report(options, versions, results);
  } finally {
    await Promise.all(running.map((contender) => contender.stop()));
    load.remove();
    await database.stop();
  }
}

/** Contenders take turns within each operation, so that whatever the machine does meanwhile falls on all of them. */
async function compare(options, database, load, running) {
  const { rounds, operations, seconds, warmup } = options;
  const rates = {};
  for (let round = 1; round <= rounds; round++) {
    await database.tidy();
    for (const operation of operations) {
      for (const contender of running) {
        await warmUp(load, contender, operation, warmup, round === 1 ? WARM_REQUESTS : 1);
        note(rates, contender.name, operation, await load.measure(contender, operation, seconds), round);
      }
    }
  }
  const service = running.find(({ name }) => name === 'waybill');
  if (service === undefined) return { medians: mediansOf(rates) };
  for (let round = 1; round <= rounds; round++) await measureOwn(rates, load, service, seconds, warmup, round);
  const hotRows = await load.measure(service, 'hot', seconds, HOT_ROWS);
  return { medians: mediansOf(rates), hotRows };
}

/** Features that only the service has: 304, refused writes that are explained, and pages of events. */
async function measureOwn(rates, load, service, seconds, warmup, round) {
  for (const operation of Object.keys(OWN_OPERATIONS)) {
    if (operation !== 'stale-first') await load.measure(service, operation, warmup);
    note(rates, service.name, operation, await load.measure(service, operation, seconds), round);
  }
}

/** On a slow or busy machine seconds alone do not tell whether the code has been compiled. */
async function warmUp(load, contender, operation, seconds, wanted) {
  let requests = 0;
  for (let turn = 0; turn < MAX_WARM_UPS && requests < wanted; turn++) {
    requests += (await load.measure(contender, operation, seconds)).requests;
  }
}

function note(rates, name, operation, result, round) {
  ((rates[name] ??= {})[operation] ??= []).push(result);
  const errors = result.errorStatuses + result.connectionErrors;
  progress(
    `round ${round}  ${titleOf(operation).padEnd(19)}  ${TITLES[name].padEnd(31)}  ${result.requestsPerSecond.toFixed(0).padStart(6)} requests/s` +
      (errors > 0 ? `  ${errors} ERRORS` : ''),
  );
}

/** The median of each figure over the rounds; errors are added up. */
function mediansOf(rates) {
  return mapValues(rates, (byOperation) =>
    mapValues(byOperation, (results) =>
      mapValues(results[0], (_, figure) => {
        const values = results.map((result) => result[figure]);
        if (figure.toLowerCase().includes('errors') || figure === 'errorStatuses')
          return values.reduce((a, b) => a + b, 0);
        return median(values);
      }),
    ),
  );
}

function report({ operations, rounds }, { node, postgres }, { medians, hotRows }) {
  say(`\nNode.js ${node}, PostgreSQL ${postgres}`);
  for (const operation of [...operations, ...Object.keys(OWN_OPERATIONS)]) {
    if (Object.values(medians).some((byOperation) => byOperation[operation] !== undefined)) {
      say(`\n${operationTable(operation, medians, TITLES)}`);
    }
  }
  const verdicts = judge(medians);
  if (hotRows) {
    verdicts.push(judgeHotRows(hotRows));
    const successes = (hotRows.statuses?.['200'] ?? 0) / hotRows.seconds;
    measured({ figures: { 'hotRows.successesPerSecond': successes } });
    say(
      `\nHot rows: ${hotRows.requestsPerSecond.toFixed(0)} requests/s, ${successes.toFixed(0)} of them successful; ` +
        `p50 ${hotRows.p50.toFixed(1)} ms, p99 ${hotRows.p99.toFixed(1)} ms, statuses ${JSON.stringify(hotRows.statuses)}`,
    );
  }
  if (verdicts.length > 0) say(`\n${targetTable(verdicts)}`);
  const ratios = Object.fromEntries(verdicts.map(({ name, ratio }) => [name, ratio]));
  const errors = errorsIn(medians);
  measured({ figures: { rounds, ratios, hotRows, ...medians }, failed: errors });
  for (const error of errors) say(error);
  if (errors.length > 0) process.exitCode = 1;
  say(`\n${markdownResults(medians, TITLES, operations)}`);
}

function errorsIn(medians) {
  return Object.entries(medians).flatMap(([name, byOperation]) =>
    Object.entries(byOperation).flatMap(([operation, { errorStatuses, connectionErrors }]) => {
      const count = errorStatuses + connectionErrors;
      return count > 0 ? [`${TITLES[name]}: ${count} requests of ${titleOf(operation)} failed`] : [];
    }),
  );
}

function versionsOf(node) {
  const installed = ['@nestjs/core', 'express', 'pg', 'typeorm'].map((name) => {
    const manifest = readFileSync(`node_modules/${name}/package.json`, 'utf8');
    return [name, JSON.parse(manifest).version];
  });
  return {
    node: execFileSync(node, ['--version'], { encoding: 'utf8' }).trim().slice(1),
    wrk: /wrk (\S+)/.exec(spawnSync('wrk', ['-v'], { encoding: 'utf8' }).stdout)?.[1],
    ...Object.fromEntries(installed),
  };
}

runBenchmark(main);
