import { randomInt } from 'node:crypto';
import { readCommandLine } from '../../../src/config/command-line.js';
import { startThrowawayPostgres } from '@waybill/embedded-postgres/throwaway';
import { measured } from '../../evidence/measured.mjs';
import { campaign } from './campaign.js';
import { coverageTable } from './coverage.js';
import { Tally } from './tally.js';
import { startTarget } from './target.js';

const USAGE = `Sends generated requests to a service and holds every answer against the document and a model.

  npm run campaign -- fuzz [--runs N] [--seed N] [--path PATH]

  --runs N     how many requests (10000)
  --seed N     repeats the requests of an earlier run, which printed it (random)
  --path PATH  repeats a single failure, which printed it`;

const TELL_EVERY_MS = 5000;

/** Sends generated requests to the service as it is deployed, and holds every answer against the document and a model. */
async function main(): Promise<void> {
  const { values } = readCommandLine(USAGE, {
    options: {
      runs: { type: 'string', default: '10000' },
      seed: { type: 'string', default: String(randomInt(2 ** 31)) },
      path: { type: 'string' },
    },
  });
  const [requests, seed] = [wholeNumber('--runs', values.runs), wholeNumber('--seed', values.seed)];
  say(`seed ${seed}`);
  measured({ seed });
  const tally = new Tally();
  const server = await startThrowawayPostgres();
  try {
    const target = await startTarget({ url: server.url, serviceUrl: server.url }, {}, tally);
    const began = Date.now();
    let told = began;
    const tell = (line: string) => {
      if (Date.now() - told < TELL_EVERY_MS) return;
      told = Date.now();
      say(`${line}, ${((told - began) / 1000).toFixed(0)} s`);
    };
    try {
      await campaign(target, { seed, requests, path: values.path, tell });
      say('Every check was passed.');
    } finally {
      say(coverageTable(target.description, tally));
      const loadSeconds = (Date.now() - began) / 1000;
      say(tally.summary(loadSeconds));
      const [statuses, checks] = [Object.fromEntries(tally.statuses), Object.fromEntries(tally.checks)];
      measured({
        figures: { requests: tally.requests, loadSeconds, differentStatuses: tally.statuses.size, statuses, checks },
      });
      await target.stop();
    }
  } finally {
    await server.stop();
  }
}

function wholeNumber(option: string, written: string): number {
  const value = Number(written);
  if (!Number.isSafeInteger(value)) throw new Error(`${option} takes a whole number`);
  return value;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

// Exiting ends the processes that it started.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

main().then(
  () => process.exit(0),
  (error: unknown) => {
    const message = error instanceof Error ? error.message : String(error);
    measured({ failed: [message] });
    process.stderr.write(`${message}\n`);
    process.exit(1);
  },
);
