// Prepares the checkout, then runs a command of commands.mjs:  node scripts/run.mjs NAME [WORDS]
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { COMMANDS, GROUPS, LIGHT } from './commands.mjs';
import { isPrepared } from './prepared.mjs';

/** Has a campaign or a benchmark write its evidence, under its own name or another one. */
const RECORD = /^--record(?:=(.+))?$/;

/** The exit code of a program that somebody ended with Ctrl-C. */
const INTERRUPTED = 130;

const [name, ...words] = process.argv.slice(2);
const { programs, env = {}, rest, recordAs } = choose(name, words);
for (const [index, program] of programs.entries()) {
  if (index < programs.length - 1) await run(program, env);
  else if (recordAs === undefined) await run([...program, ...rest], env);
  else await record(program);
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
  const [rest, asked] = takeRecord(isNamed ? others : given, command);
  if (needs !== undefined) requireTool(needs, rest);
  return { programs: withPreparation([program]), env, rest, recordAs: asked && (asked[1] ?? first) };
}

/** A demonstration has nothing to record. */
function takeRecord(given, command) {
  const asked = command === 'demo' ? undefined : given.find((word) => RECORD.test(word));
  return [given.filter((word) => word !== asked), asked?.match(RECORD)];
}

/** Runs the program and writes its evidence, also when it fails. A run that is interrupted has none. */
async function record(program) {
  const { startRecording, typed } = await import('../tools/evidence/record.mjs');
  const variables = Object.keys(env).filter((variable) => process.env[variable] !== undefined);
  const set = variables.map((variable) => `${variable}=${process.env[variable]} `).join('');
  const recording = startRecording(recordAs, {
    command: `${set}npm run ${name} -- ${typed(words.filter((word) => !RECORD.test(word)))}`,
    program,
  });
  const code = await outcome([...program, ...rest, ...recording.words], { ...env, ...recording.env });
  if (code === INTERRUPTED) process.exit(code);
  const { passed, message } = recording.finish(code);
  process.stderr.write(`${message}\n`);
  process.exit(passed ? 0 : code || 1);
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

/** Ends this process unless the program succeeds. */
async function run(program, variables) {
  const code = await outcome(program, variables);
  if (code !== 0) process.exit(code);
}

/** The exit code of the program. Variables that the caller has set win over those of the command. */
async function outcome(program, variables) {
  const child = spawn(process.execPath, program, { stdio: 'inherit', env: { ...variables, ...process.env } });
  const forward = (signal) => child.kill(signal);
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, forward);
  const [code, signal] = await once(child, 'exit');
  for (const each of signals) process.off(each, forward);
  if (signal !== null) process.kill(process.pid, signal);
  return code ?? 1;
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
