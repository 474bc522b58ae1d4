// npm run bench -- compare: the CPU time of two checkouts, each with a database of its own, in rounds that take turns.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { prepareVersion } from '../../tools/campaigns/earlier-version.mjs';
import { measured } from '../../tools/evidence/measured.mjs';
import { chooseContenders, serviceOf } from '../contenders.mjs';
import { installPackages } from '../packages.mjs';
import { runBenchmark } from '../program.mjs';
import { OPERATIONS } from './operations.mjs';
import { readOptions } from './options.mjs';
import { reportTo, summarize } from './report.mjs';
import { Side } from './side.mjs';

const HERE = join(import.meta.dirname, '../..');

/** Until the code is compiled, a request costs a multiple. */
const WARM_UP = 2;

const say = (line) => process.stdout.write(`${line}\n`);
const progress = (line) => process.stderr.write(`${line}\n`);

async function main() {
  const options = readOptions();
  const folder = prepareVersion(options.other);
  const contenders = installPackages(chooseContenders(options.contenders, options.node, progress), progress);
  const until = new Date();
  const sides = [];
  try {
    for (const [name, checkout] of Object.entries({ this: HERE, other: folder })) {
      const title = name === 'this' ? 'this version' : options.other.commit;
      sides.push(await start({ name, title, isService: true, ...serviceOf(checkout) }, checkout, options, until));
    }
    for (const definition of contenders) sides.push(await start(definition, HERE, options, until));
    if (String(sides[0].ids) !== String(sides[1].ids)) progress('The checkouts seed different shipments.');
    const rounds = await measureAll(sides, options);
    const summary = summarize(rounds);
    reportTo(say, summary, Object.fromEntries(sides.map(({ name, title }) => [name, title])));
    const { requests, rows, shipments, node } = options;
    measured({
      figures: { rounds: options.rounds, ...summary },
      versions: {
        node: execFileSync(node, ['--version'], { encoding: 'utf8' }).trim().slice(1),
        postgres: await sides[0].database.version(),
      },
      settings: { other: options.other.commit, requests, rows, shipments, postgres: sides[0].database.settings },
    });
  } finally {
    for (const side of sides) await side.stop();
  }
}

function start(definition, checkout, { shipments, node }, until) {
  progress(`Starting ${definition.title} with ${shipments} shipments.`);
  return Side.start(definition, { checkout, shipments, until }, node);
}

/** Round 0 warms up, with more requests. Whoever is first in one round is last in the next. */
async function measureAll(sides, options) {
  const rounds = Object.fromEntries(sides.map(({ name }) => [name, {}]));
  for (let round = 0; round <= options.rounds; round++) {
    for (const side of sides) await side.database.tidy();
    for (const operation of options.operations) {
      for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
        if (!side.isService && !OPERATIONS[operation].common) continue;
        const requests = options.requests * (round === 0 ? WARM_UP : 1);
        const result = await measure(side, OPERATIONS[operation], { ...options, requests });
        const described = `${result.service.toFixed(3)} + ${result.postgres.toFixed(3)} ms`;
        progress(`round ${round}  ${OPERATIONS[operation].title.padEnd(31)} ${side.title.padEnd(31)} ${described}`);
        if (round > 0) (rounds[side.name][operation] ??= []).push(result);
      }
    }
  }
  return rounds;
}

/** CPU in milliseconds per request. */
async function measure(side, { share = 0, isWrite, prepare: begin, run }, options) {
  const count = Math.max(1, Math.round(share * options.requests));
  if (begin !== undefined) {
    await begin(side, count);
    await side.untilIdle();
  }
  const before = side.cpu();
  const requests = (await run(side, count, options)) ?? count;
  if (isWrite) await side.untilIdle();
  const after = side.cpu();
  const per = (figure) => ((after[figure] - before[figure]) * 1000) / requests;
  return { service: per('service'), postgres: per('postgres'), both: per('service') + per('postgres') };
}

runBenchmark(main);
