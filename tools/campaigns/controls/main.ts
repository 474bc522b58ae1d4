import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readCommandLine } from '../../../src/config/command-line.js';
import { placesOf, type Fault } from './fault.js';
import { FAULTS } from './faults.js';

const USAGE = `Puts one fault after the other into the sources, in memory only, and sees whether the suite notices it.

  npm run campaign -- controls [--only TEXT]

  --only TEXT  the faults whose description has this text`;

/** Jest's exit code when a test failed, as opposed to when it could not run. */
const TESTS_FAILED = 1;

async function main(): Promise<void> {
  const { values } = readCommandLine(USAGE, { options: { only: { type: 'string', default: '' } } });
  const faults = FAULTS.filter(({ about }) => about.includes(values.only));
  if (faults.length === 0) throw new Error(`No fault has "${values.only}" in its description.`);
  let missed = 0;
  for (const fault of faults) {
    const verdict = await verdictOn(fault);
    if (verdict.missed) missed += 1;
    process.stdout.write(`${verdict.missed ? 'MISSED ' : 'noticed'}  ${fault.about}: ${verdict.told}\n`);
  }
  process.stdout.write(`${faults.length - missed} of ${faults.length} faults were noticed\n`);
  process.exitCode = missed === 0 ? 0 : 1;
}

async function verdictOn(fault: Fault): Promise<{ missed: boolean; told: string }> {
  const { file, find, replace, specs, only = '' } = fault;
  const places = placesOf(fault);
  if (places !== 1) return { missed: true, told: `${file} has the text to replace ${places} times, not once` };
  const args = [
    'node_modules/jest/bin/jest.js',
    '--testTimeout=20000',
    // A fault may leave a connection open, for which nobody can wait.
    '--forceExit',
    `--testNamePattern=${only}`,
    ...specs,
  ];
  const env = { ...process.env, TEST_FAULT: JSON.stringify({ file, find, replace }) };
  const jest = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const output: Buffer[] = [];
  jest.stderr.on('data', (chunk: Buffer) => output.push(chunk));
  const [code] = (await once(jest, 'close')) as [number | null];
  const summary = /^Tests: +(.+)$/m.exec(Buffer.concat(output).toString())?.[1] ?? 'no test ran';
  return { missed: code !== TESTS_FAILED || !summary.includes('failed'), told: summary };
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
