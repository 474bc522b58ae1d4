// LoopBack is installed when it is first needed: it must not weigh on the installation of the service.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runNpm } from '../scripts/prepare/npm.mjs';

const folder = join(import.meta.dirname, 'contenders', 'loopback');
const stamp = join(folder, 'node_modules', '.waybill-bench-install');

export async function installLoopback(say) {
  const wanted = readFileSync(join(folder, 'package-lock.json'), 'utf8');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  say('Installing LoopBack 4 for the benchmark, once.');
  await runNpm(folder, ['ci', '--prefix', folder, '--no-audit', '--no-fund', '--loglevel=error']);
  writeFileSync(stamp, wanted);
}
