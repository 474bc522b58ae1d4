import { readCommandLine } from '../../../src/config/command-line.js';
import { measured } from '../../evidence/measured.mjs';
import { sourceWith, type Fault } from './fault.js';
import { FAULTS } from './faults.js';
import { ChangedSources, workThrough } from './spec-run.js';
import { wholeNumber } from '../crash/report.js';

const USAGE = `Puts one fault after the other into copies of the sources, and sees whether the suite notices it.

  npm run campaign -- controls [options]

  --only TEXT  the faults whose description has this text
  --workers N  faults that are tried at the same time (2)`;

async function main(): Promise<void> {
  const { values } = readCommandLine(USAGE, {
    options: { only: { type: 'string', default: '' }, workers: { type: 'string', default: '2' } },
  });
  const faults = FAULTS.filter(({ about }) => about.includes(values.only));
  if (faults.length === 0) throw new Error(`No fault has "${values.only}" in its description.`);
  const missed: string[] = [];
  await workThrough(faults, wholeNumber('workers', values.workers), async (fault) => {
    const verdict = await verdictOn(fault);
    if (verdict.missed) missed.push(fault.about);
    process.stdout.write(`${verdict.missed ? 'MISSED ' : 'noticed'}  ${fault.about}: ${verdict.told}\n`);
  });
  const noticed = faults.length - missed.length;
  process.stdout.write(`${noticed} of ${faults.length} faults were noticed\n`);
  measured({ figures: { faults: faults.length, noticed }, failed: missed.map((about) => `missed: ${about}`) });
  process.exitCode = missed.length === 0 ? 0 : 1;
}

async function verdictOn(fault: Fault): Promise<{ missed: boolean; told: string }> {
  const { file, specs, only = '' } = fault;
  const text = sourceWith(fault);
  if (text === undefined) return { missed: true, told: `${file} does not have the text to replace exactly once` };
  const sources = new ChangedSources();
  try {
    sources.put(file, text);
    const { failed, summary } = await sources.run([`--testNamePattern=${only}`, ...specs]);
    return { missed: !failed, told: summary };
  } finally {
    sources.remove();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
