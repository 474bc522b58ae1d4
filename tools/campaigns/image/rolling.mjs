// The stack changes to another image while clients write.
import { setTimeout as sleep } from 'node:timers/promises';
import { UP } from './engine.mjs';
import { load, request, until } from './requests.mjs';

/** Replaces both replicas by a command, under load. */
async function upgradeBy(words, { engine, report, base, names }) {
  // The same image with another label, as a rebuild would make it.
  const container = engine.ask('docker', 'create', names.waybill);
  engine.ask('docker', 'commit', '--change', `LABEL campaign=${Date.now()}`, container, names.waybill);
  engine.ask('docker', 'rm', container);
  const replicas = () => ['service-1', 'service-2'].map((name) => engine.ask('docker', 'compose', 'ps', '-aq', name));
  const before = replicas();
  const running = load(base);
  await sleep(3000);
  const status = await engine.begin(words);
  await sleep(3000);
  const found = await running.stop();
  const replaced = replicas().filter((id, index) => id !== before[index]).length;
  report.check(`${words.join(' ')}: exit status, replicas replaced`, [status, replaced], [0, 2]);
  report.note(`${found.failed} of ${found.requests} requests failed, the slowest took ${found.slowestMs} ms`);
  return found;
}

export async function checkRolling(world) {
  const { engine, report, base } = world;
  const { failed, requests, examples } = await upgradeBy(['sh', 'deploy/upgrade.sh', '--no-build'], world);
  Object.assign(report.figures, { upgradeRequests: requests, upgradeFailed: failed });
  report.check('requests that failed during deploy/upgrade.sh', [failed, ...examples], [0]);
  const left = engine.run(['docker', 'compose', '--dry-run', 'up', '--detach', '--no-build']).said;
  report.check('replicas that docker compose up would replace now', left.match(/service-\d-1 +Recreate$/gm) ?? [], []);

  // Compose stops both replicas before it starts the first: docs/operations.md says so.
  const plain = await upgradeBy(UP, world);
  Object.assign(report.figures, { plainUpRequests: plain.requests, plainUpFailed: plain.failed });

  engine.work('restart', ['docker', 'compose', 'restart', 'database']);
  report.check(
    'requests after a restart of the database',
    await until(async () => (await request(`${base}/v1/shipments?limit=1`)).status === 200, 30),
    true,
  );
  const entries = engine.sql('SELECT count(*) FROM history');
  engine.work('down', ['docker', 'compose', 'down']);
  engine.up();
  report.check('entries of history after down and up', engine.sql('SELECT count(*) FROM history'), entries);
}
