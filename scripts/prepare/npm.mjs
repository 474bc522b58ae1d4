import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Runs npm without a word, and throws with all it said when it fails. */
export async function runNpm(folder, args) {
  const { npm_execpath: npm, npm_config_local_prefix: _outer, ...env } = process.env;
  const [program, first] = npm ? [process.execPath, [npm]] : ['npm', []];
  const child = spawn(program, [...first, ...args], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const stopForwarding = forwardSignals(child);
  const output = [];
  child.stdout.on('data', (chunk) => output.push(chunk));
  child.stderr.on('data', (chunk) => output.push(chunk));
  const [code] = await once(child, 'close');
  stopForwarding();
  if (code !== 0) throw new Error(`${Buffer.concat(output)}\nnpm ${args.join(' ')} failed.`);
}

/** A signal that reaches only this process must not leave npm at work behind a lock that is free again. */
function forwardSignals(child) {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  const forward = (signal) => child.kill(signal);
  signals.forEach((signal) => process.on(signal, forward));
  return () => signals.forEach((signal) => process.off(signal, forward));
}
