import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Options that an outer npm passes down, such as `npm pack --workspace client --dry-run`. */
const OUTER_OPTIONS = ['local_prefix', 'workspace', 'workspaces', 'dry_run', 'json'].map(
  (name) => `npm_config_${name}`,
);

/** Runs npm silently, and throws with its output if it fails. */
export async function runNpm(folder, args) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !OUTER_OPTIONS.includes(name)));
  const npm = env.npm_execpath;
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

/** A signal to this process alone must not leave npm running after the lock is released. */
function forwardSignals(child) {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  const forward = (signal) => child.kill(signal);
  signals.forEach((signal) => process.on(signal, forward));
  return () => signals.forEach((signal) => process.off(signal, forward));
}
