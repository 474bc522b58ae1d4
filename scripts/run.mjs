// Prepares the checkout, then runs a command of commands.mjs:  node scripts/run.mjs NAME [WORDS]
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { COMMANDS, GROUPS, LIGHT } from './commands.mjs';
import { isPrepared } from './prepared.mjs';

const [name, ...words] = process.argv.slice(2);
const { programs, env = {}, rest } = choose(name, words);
for (const [index, program] of programs.entries()) {
  await run(index === programs.length - 1 ? [...program, ...rest] : program, env);
}

function choose(command, given) {
  const group = GROUPS[command];
  if (group === undefined)
    return { programs: withPreparation((COMMANDS[command] ?? usage(COMMANDS, command)).programs), rest: given };
  const [first = '', ...others] = given;
  const isNamed = first !== '' && !first.startsWith('-');
  const fallback = Object.keys(group).find((one) => group[one].isDefault);
  if (!isNamed && fallback === undefined) return usage(group, first);
  const { program, env, needs } = group[isNamed ? first : fallback] ?? usage(group, first);
  const rest = isNamed ? others : given;
  if (needs !== undefined) requireTool(needs, rest);
  return { programs: withPreparation([program]), env, rest };
}

/** Ends this process if a program of the system is missing, before minutes of preparation. */
function requireTool({ tool, from, option }, rest) {
  if (['--help', '-h', option].some((word) => rest.includes(word))) return;
  if (spawnSync('sh', ['-c', 'command -v "$0"', tool]).status === 0) return;
  process.stderr.write(`${tool} is not installed: ${from}\n`);
  process.exit(1);
}

function withPreparation(programs) {
  const withTools = !LIGHT.includes(name);
  if (isPrepared(withTools)) return programs;
  return [['scripts/prepare.mjs', ...(withTools ? ['all'] : [])], ...programs];
}

/** Variables that the caller has set win over those of the command. Ends this process unless the program succeeds. */
async function run(program, env) {
  const child = spawn(process.execPath, program, { stdio: 'inherit', env: { ...env, ...process.env } });
  const forward = (signal) => child.kill(signal);
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, forward);
  const [code, signal] = await once(child, 'exit');
  for (const each of signals) process.off(each, forward);
  if (signal !== null) process.kill(process.pid, signal);
  if (code !== 0) process.exit(code ?? 1);
}

/** Lists what there is to choose from, as an answer to a question or as an error. */
function usage(table, unknown) {
  const isQuestion = ['', '--help', '-h', undefined].includes(unknown);
  const out = isQuestion ? process.stdout : process.stderr;
  if (!isQuestion) out.write(`There is no ${table === COMMANDS ? 'command' : name} "${unknown}".\n\n`);
  const width = Math.max(...Object.keys(table).map((each) => each.length));
  const lines = Object.entries(table).map(([each, { does = '' }]) => `  ${each.padEnd(width)}  ${does}`.trimEnd());
  const call = table === COMMANDS ? 'node scripts/run.mjs NAME' : `npm run ${name} -- NAME [OPTIONS]`;
  out.write(`${call}\n\n${lines.join('\n')}\n`);
  if (table !== COMMANDS) out.write(`\nnpm run ${name} -- NAME --help lists the options of one.\n`);
  process.exit(isQuestion ? 0 : 1);
}
