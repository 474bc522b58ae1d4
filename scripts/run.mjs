// Prepares the checkout, then runs a command of commands.mjs:  node scripts/run.mjs NAME [WORDS]
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { COMMANDS, GROUPS } from './commands.mjs';
import { isPrepared } from './prepared.mjs';

/** Has a campaign or a benchmark write its evidence, under its own name or another one. */
const RECORD = /^--record(?:=(.+))?$/;

/** The exit code of a program that somebody ended with Ctrl-C. */
const INTERRUPTED = 130;

const [name, ...words] = process.argv.slice(2);
const command = name in GROUPS ? choiceOf(GROUPS[name]) : (COMMANDS[name] ?? usage(COMMANDS, name));
const { programs, isLight = false, env = {}, rest = words, recordAs } = command;
if (!isPrepared(!isLight)) await run(['scripts/prepare.mjs', ...(isLight ? [] : ['all'])]);
for (const program of programs.slice(0, -1)) await run(program);
if (recordAs === undefined) await run([...programs.at(-1), ...rest]);
else await record(programs.at(-1));

/** The command that a word chooses, or the default of the group. */
function choiceOf(group) {
  const [first = ''] = words;
  const isNamed = /^[^-]/.test(first);
  const choice = isNamed ? first : Object.keys(group).find((one) => group[one].isDefault);
  const { program, needs, ...others } = group[choice] ?? usage(group, first);
  const given = isNamed ? words.slice(1) : words;
  // A demonstration has nothing to record.
  const asked = name === 'demo' ? undefined : given.find((word) => RECORD.test(word));
  const own = given.filter((word) => word !== asked);
  if (needs !== undefined) requireTool(needs, own);
  return { ...others, programs: [program], rest: own, recordAs: asked && (RECORD.exec(asked)[1] ?? choice) };
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

/** Ends this process unless the program succeeds. */
async function run(program) {
  const code = await outcome(program, env);
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
