// `npm start`: installs and builds if that is needed, then runs the service in this process.
import { spawnSync } from 'node:child_process';
import { isPrepared } from './prepared.mjs';

if (!isPrepared(false)) {
  const { status } = spawnSync(process.execPath, ['scripts/prepare.mjs'], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
await import('../dist/src/main.js');
