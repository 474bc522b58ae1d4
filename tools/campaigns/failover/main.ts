import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readCommandLine } from '../../../src/config/command-line.js';
import { measured, median } from '../../evidence/measured.mjs';
import { seeded, type Random } from '../crash/random.js';
import { exitWith, report, say, wholeNumber } from '../crash/report.js';
import { debianPostgres } from '../../../test/support/database/debian-postgres.mjs';
import { Campaign, type Round } from './campaign.js';
import { clusterFaults, type ClusterFault } from './faults.js';

const USAGE = `Breaks a PostgreSQL cluster in many ways while clients write, and checks after each fault that no accepted write is lost.
The cluster is Patroni with etcd and HAProxy; the clients write to two replicas of the service behind nginx.

  npm run campaign -- failover [--rounds N] [--writes N] [--only WORDS] [--seed N] [--ttl S] [--asynchronous]

  --rounds N      how often each fault happens (1)
  --writes N      how many writes are accepted around each fault, at least (500)
  --only WORDS    only faults whose name has these words
  --seed N        repeats the choices of an earlier run
  --ttl S         Patroni's lease in seconds (10)
  --asynchronous  the control: without synchronous replication writes are lost, and the run succeeds when the checks notice

Needs Debian's patroni, etcd-server, haproxy, nginx and postgresql, and runs on loopback only.`;

async function main(): Promise<boolean> {
  const { values } = readCommandLine(USAGE, {
    options: {
      rounds: { type: 'string', default: '1' },
      writes: { type: 'string', default: '500' },
      only: { type: 'string', default: '' },
      seed: { type: 'string', default: String(randomInt(2 ** 31)) },
      ttl: { type: 'string', default: '10' },
      asynchronous: { type: 'boolean', default: false },
    },
  });
  const { only, asynchronous } = values;
  const [times, ttl] = [wholeNumber('rounds', values.rounds), wholeNumber('ttl', values.ttl)];
  const random = seeded(wholeNumber('seed', values.seed, 0));
  const faults = clusterFaults(ttl).filter(({ name }) => name.includes(only));
  const plan = shuffled(Array.from({ length: times }, () => faults).flat(), random);
  say(`seed ${values.seed}, ttl ${ttl} s, ${asynchronous ? 'asynchronous' : 'synchronous'} replication`);
  const writes = wholeNumber('writes', values.writes);
  measured({ seed: Number(values.seed), settings: { ttl, asynchronous }, versions: versions() });
  const campaign = await Campaign.start({ synchronous: !asynchronous, ttl, binDir: debianPostgres(), random, writes });
  let passed = false;
  try {
    passed = (await everyRound(campaign, plan, ttl)) !== asynchronous;
    if (!passed && asynchronous) say('The checks noticed nothing, although replication was asynchronous.');
    return passed;
  } finally {
    if (!passed) for (const line of campaign.logs) say(line);
    await campaign.stop(!passed);
  }
}

/** False as soon as the checks find something. */
async function everyRound(campaign: Campaign, plan: readonly ClusterFault[], ttl: number): Promise<boolean> {
  const rounds: Round[] = [];
  for (const [index, fault] of plan.entries()) {
    say(`${index + 1}/${plan.length} ${fault.name}`);
    const round = await campaign.endure(fault);
    rounds.push(round);
    say(`  none accepted for ${seconds(round.outageMs)}; another primary after ${seconds(round.takeOverMs)}`);
    say(`  ${round.accepted} accepted, ${campaign.ledger.accepted.length} in all`);
    measured({ figures: { faults: rounds.length } });
    if (!report(round.findings, campaign.ledger, fault.name)) return false;
  }
  say(`Longest time without an accepted write, and until another primary (ttl ${ttl} s): median, worst`);
  for (const name of new Set(plan.map((fault) => fault.name))) summarize(name, rounds);
  return true;
}

function summarize(name: string, rounds: readonly Round[]): void {
  const those = rounds.filter((round) => round.name === name);
  const outage = medianAndWorst(those.map(({ outageMs }) => outageMs));
  const takeOver = medianAndWorst(those.flatMap(({ takeOverMs }) => (takeOverMs === undefined ? [] : [takeOverMs])));
  const shown = [outage, takeOver].map((times) => `${seconds(times?.median)} ${seconds(times?.worst)}`).join('  ');
  say(`  ${name.padEnd(56)}${String(those.length).padStart(4)} ${shown}`);
  const toSeconds = (times: typeof outage) => times && { median: times.median / 1000, worst: times.worst / 1000 };
  measured({ figures: { [name]: { runs: those.length, outage: toSeconds(outage), takeOver: toSeconds(takeOver) } } });
}

function medianAndWorst(values: readonly number[]): { median: number; worst: number } | undefined {
  if (values.length === 0) return undefined;
  return { median: median(values), worst: Math.max(...values) };
}

function seconds(ms: number | undefined): string {
  return (ms === undefined ? '-' : `${(ms / 1000).toFixed(1)} s`).padStart(7);
}

/** Of the parts of the cluster. */
function versions(): Record<string, string | undefined> {
  const asked = {
    postgres: [`${debianPostgres()}/postgres`, '--version'],
    patroni: ['patroni', '--version'],
    etcd: ['etcd', '--version'],
    haproxy: ['haproxy', '-v'],
    nginx: ['nginx', '-v'],
  } as const;
  const env = { PATH: `${process.env['PATH'] ?? ''}:/usr/sbin` };
  const versionOf = ([program, option]: readonly [string, string]) => {
    const { stdout, stderr } = spawnSync(program, [option], { env, encoding: 'utf8' });
    return /\d+\.[\d.]*\d/.exec(`${stdout}${stderr}`)?.[0];
  };
  return Object.fromEntries(Object.entries(asked).map(([name, words]) => [name, versionOf(words)]));
}

function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  return items
    .map((item) => ({ item, at: random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ item }) => item);
}

exitWith(main);
