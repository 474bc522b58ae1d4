// Runs programs in this process, one after the other, and sends their outcomes to its parent. What they share is loaded once:
//   fork('test/support/repository/try-command-lines.mjs', ['scripts/dev.mjs --help', ...])
import { syncBuiltinESMExports } from 'node:module';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { compiledFile, compileSources } from '../../../scripts/sources.mjs';

/** A program that still runs by then has begun to work. */
const ENDS_WITHIN_MS = 30_000;

/** Stands for the end of the process. A program that catches it can do no more than print it. */
class Exit extends Error {}

let outcome;

process.exit = (code) => {
  outcome.code ??= Number(code ?? process.exitCode ?? 0);
  throw new Exit();
};
// For those that import it from node:process.
syncBuiltinESMExports();
for (const name of ['stdout', 'stderr']) {
  process[name].write = (text) => {
    if (outcome.code === undefined) outcome[name] += text;
    return true;
  };
}
// Each program listens for signals.
process.setMaxListeners(0);
process.on('unhandledRejection', (error) => {
  if (!(error instanceof Exit)) outcome.stderr += error.stack;
});

async function run(line, index) {
  const [program, ...words] = line.split(' ');
  outcome = { stdout: '', stderr: '' };
  const file = resolve(program.endsWith('.ts') ? compiledFile(program) : program);
  process.argv = [process.execPath, file, ...words];
  process.exitCode = undefined;
  // With the index, Node.js evaluates the program again.
  const ended = import(`${pathToFileURL(file).href}?${index}`).catch((error) => {
    if (error instanceof Exit) return;
    outcome.stderr += error.stack;
    process.exitCode = 1;
  });
  await Promise.race([ended, sleep(ENDS_WITHIN_MS)]);
  outcome.code ??= Number(process.exitCode ?? 0);
  return outcome;
}

const lines = process.argv.slice(2);
await compileSources();
const outcomes = {};
for (const [index, line] of lines.entries()) outcomes[line] = await run(line, index);
process.send(outcomes);
