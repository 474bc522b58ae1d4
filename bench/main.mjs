// npm run bench -- servers: starts everybody on one database, loads them in turn, and says who did how much at which cost.
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { chooseContenders, Contender, CONTENDERS } from './contenders.mjs';
import { BenchDatabase } from './database.mjs';
import { Load, OWN_OPERATIONS } from './load.mjs';
import { describeMachine } from './machine.mjs';
import { readOptions } from './options.mjs';
import { installPackages, packagesOf } from './packages.mjs';
import { runBenchmark } from './program.mjs';
import { keep, mapValues, median } from './results.mjs';
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
    const about = describeMachine('servers', options.node, database, await database.version());
    for (const definition of contenders) running.push(await Contender.start(definition, database, options.node));
    const results = await compare(options, database, load, running);
    about.machine.loadAverageAfter = loadavg().map((average) => Number(average.toFixed(2)));
    report(options, about, results);
    say(`\nEverything is in ${keep('servers', { ...about, options, packages: packagesOf(contenders), ...results })}`);
  } finally {
    await Promise.all(running.map((contender) => contender.stop()));
    load.remove();
    await database.stop();
  }
}

/** Contenders take turns within each operation, so that whatever the machine does meanwhile falls on all of them. */
async function compare(options, database, load, running) {
  const { rounds, operations, seconds, warmup } = options;
  const measured = {};
  for (let round = 1; round <= rounds; round++) {
    await database.tidy();
    for (const operation of operations) {
      for (const contender of running) {
        await warmUp(load, contender, operation, warmup, round === 1 ? WARM_REQUESTS : 1);
        note(measured, contender.name, operation, await load.measure(contender, operation, seconds), round);
      }
    }
  }
  const service = running.find(({ name }) => name === 'waybill');
  if (service === undefined) return { measured, medians: mediansOf(measured) };
  for (let round = 1; round <= rounds; round++) await measureOwn(measured, load, service, seconds, warmup, round);
  const hotRows = await load.measure(service, 'hot', seconds, HOT_ROWS);
  return { measured, medians: mediansOf(measured), hotRows };
}

/** Features that only the service has: 304, refused writes that are explained, and pages of events. */
async function measureOwn(measured, load, service, seconds, warmup, round) {
  for (const operation of Object.keys(OWN_OPERATIONS)) {
    if (operation !== 'stale-first') await load.measure(service, operation, warmup);
    note(measured, service.name, operation, await load.measure(service, operation, seconds), round);
  }
}

/** On a slow or busy machine seconds alone do not tell whether the code has been compiled. */
async function warmUp(load, contender, operation, seconds, wanted) {
  let requests = 0;
  for (let turn = 0; turn < MAX_WARM_UPS && requests < wanted; turn++) {
    requests += (await load.measure(contender, operation, seconds)).requests;
  }
}

function note(measured, name, operation, result, round) {
  ((measured[name] ??= {})[operation] ??= []).push(result);
  const errors = result.errorStatuses + result.connectionErrors;
  progress(
    `round ${round}  ${titleOf(operation).padEnd(19)}  ${TITLES[name].padEnd(31)}  ${result.requestsPerSecond.toFixed(0).padStart(6)} requests/s` +
      (errors > 0 ? `  ${errors} ERRORS` : ''),
  );
}

/** The median of each figure over the rounds; errors are added up. */
function mediansOf(measured) {
  return mapValues(measured, (byOperation) =>
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

function report({ operations }, { machine, versions }, { medians, hotRows }) {
  say('');
  say(`${machine.model}, ${machine.cores} cores; Node.js ${versions.node}, PostgreSQL ${versions.postgres}`);
  say(`Load average before ${machine.loadAverageBefore.join(' ')}, after ${machine.loadAverageAfter.join(' ')}`);
  for (const operation of [...operations, ...Object.keys(OWN_OPERATIONS)]) {
    if (Object.values(medians).some((byOperation) => byOperation[operation] !== undefined)) {
      say(`\n${operationTable(operation, medians, TITLES)}`);
    }
  }
  const verdicts = judge(medians);
  if (hotRows) {
    verdicts.push(judgeHotRows(hotRows));
    const successes = (hotRows.statuses?.['200'] ?? 0) / hotRows.seconds;
    say(
      `\nHot rows: ${hotRows.requestsPerSecond.toFixed(0)} requests/s, ${successes.toFixed(0)} of them successful; ` +
        `p50 ${hotRows.p50.toFixed(1)} ms, p99 ${hotRows.p99.toFixed(1)} ms, statuses ${JSON.stringify(hotRows.statuses)}`,
    );
  }
  if (verdicts.length > 0) say(`\n${targetTable(verdicts)}`);
  say(`\n${markdownResults(medians, TITLES, operations)}`);
}

runBenchmark(main);
