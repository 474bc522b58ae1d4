// The stack changes to another image while clients write.
import { setTimeout as sleep } from 'node:timers/promises';
import { UP, sql } from './compose.mjs';
import { DEBIAN_NAMES } from './host.mjs';
import { load, request, until } from './requests.mjs';

/** The same image with another label, as a rebuild would make it. */
const CHANGE = `c=$(buildah from --pull=never --arch="$1" "docker.io/library/$2")
  buildah config --label campaign="$3" "$c"
  buildah commit --quiet --format docker --rm "$c" "docker.io/library/$2"
  buildah push "docker.io/library/$2" "docker-daemon:$2"`;

/** Replaces both replicas by a command, under load. */
async function upgradeBy(words, { engine, report, base, names, machine }) {
  const image = [DEBIAN_NAMES[machine], names.waybill, String(Date.now())];
  engine.work('new-image', ['sh', '-ec', CHANGE, 'sh', ...image]);
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
  const { failed, examples } = await upgradeBy(['sh', 'deploy/upgrade.sh', '--no-build'], world);
  report.check('requests that failed during deploy/upgrade.sh', [failed, ...examples], [0]);
  const left = engine.run(['docker', 'compose', '--dry-run', 'up', '--detach', '--no-build']).said;
  report.check('replicas that docker compose up would replace now', left.match(/service-\d-1 +Recreate$/gm) ?? [], []);

  // Compose stops both replicas before it starts the first: docs/operations.md says so.
  await upgradeBy(UP, world);

  engine.work('restart', ['docker', 'compose', 'restart', 'database']);
  report.check(
    'requests after a restart of the database',
    await until(async () => (await request(`${base}/v1/shipments?limit=1`)).status === 200, 30),
    true,
  );
  const entries = sql(world, 'SELECT count(*) FROM history');
  engine.work('down', ['docker', 'compose', 'down']);
  engine.work('up-again', UP);
  report.check('entries of history after down and up', sql(world, 'SELECT count(*) FROM history'), entries);
}
