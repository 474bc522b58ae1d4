// The image: built from the Dockerfile as it is, then looked at.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeBase } from './bases.mjs';
import { TIMED, childSeconds } from './cpu-time.mjs';
import { DEBIAN_NAMES, output } from './host.mjs';

const MB = 1e6;
const MAX_MB_ABOVE_BASE = 35;

/** The settings of npm on this machine, which the build needs and the image must not keep. */
function npmSettings() {
  const setting = (name) => spawnSync('npm', ['config', 'get', name], { encoding: 'utf8' }).stdout.trim();
  const authorities = [setting('cafile'), process.env.NODE_EXTRA_CA_CERTS ?? ''].find((file) => existsSync(file));
  const personal = setting('userconfig');
  const kept = existsSync(personal)
    ? readFileSync(personal, 'utf8')
        .split('\n')
        .filter((line) => !/^\s*(registry|cafile|nodedir|prefix)\s*=/.test(line))
    : [];
  kept.push(`registry=${setting('registry')}`, ...(authorities ? ['cafile=/run/authorities.pem'] : []), '');
  return { settings: kept.join('\n'), authorities: authorities ? readFileSync(authorities) : Buffer.from('') };
}

/** For the label, as the Dockerfile says. */
function revision({ checkout }) {
  return output('git', '-C', checkout, 'rev-parse', 'HEAD');
}

/** Buildah can mount files during a build, so that npm's settings are in no layer. Docker gets the finished image. */
function build({ engine, machine }, { name, image, context, options = [] }) {
  const { settings, authorities } = npmSettings();
  engine.run(['sh', '-c', 'umask 077; cat > /run/npmrc'], { input: settings });
  engine.run(['sh', '-c', 'cat > /run/authorities.pem'], { input: authorities });
  const mounts = ['/run/npmrc:/root/.npmrc:ro', '/run/authorities.pem:/run/authorities.pem:ro'];
  const limits = { nofile: '-Hn', nproc: '-Hu' };
  // To raise a limit takes a capability that root may lack.
  const ulimits = Object.entries(limits).map(([limit, option]) => {
    const { stdout } = spawnSync('bash', ['-c', `ulimit ${option}`], { encoding: 'utf8' });
    const value = stdout.trim().replace('unlimited', '-1');
    return `--ulimit=${limit}=${value}:${value}`;
  });
  const log = engine.work(name, [
    ...TIMED,
    ...['buildah', 'build', '--isolation=chroot', '--format=docker', '--pull=never', '--layers', ...ulimits],
    ...[`--platform=linux/${DEBIAN_NAMES[machine]}`, `--build-arg=REVISION=${revision(engine)}`],
    ...mounts.map((mount) => `--volume=${mount}`),
    ...[...options, `--tag=docker.io/library/${image}`, context],
  ]);
  engine.ask('rm', '/run/npmrc', '/run/authorities.pem');
  engine.work('hand-over', ['buildah', 'push', `docker.io/library/${image}`, `docker-daemon:${image}`]);
  return log;
}

/** Buildah's cache ignores a build argument in a label: the image would have the revision of an earlier build. */
export function buildImage(world) {
  build(world, { name: 'build', image: world.names.waybill, context: '.', options: ['--no-cache'] });
}

export function checkImage(world) {
  const { engine, names, machine, report, host } = world;
  const [{ Size: size, Config: config, Architecture }] = JSON.parse(
    engine.ask('docker', 'image', 'inspect', names.waybill),
  );
  const base = JSON.parse(engine.ask('buildah', 'inspect', '--type', 'image', nodeBase(names, machine)));
  const baseLayers = base.OCIv1.rootfs.diff_ids.length;
  const history = engine
    .ask('docker', 'history', '--human=false', '--format', '{{.Size}}', names.waybill)
    .split('\n')
    .map(Number);
  const layers = history.filter((bytes) => bytes > 0);
  const ours = layers.slice(0, layers.length - baseLayers);
  const above = ours.reduce((sum, bytes) => sum + bytes, 0);
  report.note(`${(size / MB).toFixed(1)} MB, ${(above / MB).toFixed(1)} of them above the base`);
  report.check('megabytes above the base image', (above / MB).toFixed(1), (mb) => Number(mb) <= MAX_MB_ABOVE_BASE);
  report.check('user', config.User, 'node');
  const { version } = JSON.parse(readFileSync(join(engine.checkout, 'package.json'), 'utf8'));
  const label = (name) => config.Labels?.[`org.opencontainers.image.${name}`];
  report.check('OCI labels of version, base and revision', ['version', 'base.name', 'revision'].map(label), [
    version,
    `docker.io/library/${names.node}`,
    revision(engine),
  ]);
  report.check('OCI labels in words', ['title', 'description', 'licenses'].map(label), (texts) => texts.every(Boolean));
  const inside = (script) =>
    engine.run(['docker', 'run', '--rm', '--user=0', '--entrypoint=sh', names.waybill, '-c', script]).stdout;
  report.check(
    'machine, as the image and Node.js in it say',
    [Architecture, inside('node --print process.arch')],
    [DEBIAN_NAMES[machine], machine],
  );
  report.check('source maps in the image', inside('find /app -name "*.map" | wc -l'), /^0$/m);
  report.check(
    'settings of npm, and addresses of packages, in the image',
    inside(
      'cat /root/.npmrc /home/*/.npmrc /app/.npmrc 2> /dev/null | wc -c; grep -rlE "resolved\\":|registry\\." /app --include=*.json | wc -l',
    )
      .split('\n')
      .slice(0, 2),
    ['0', '0'],
  );
  const sbom = inside('cat /app/sbom.cdx.json');
  report.check('SBOM in the image', describeSbom(sbom), /^CycloneDX .* pg express/);

  // A change of the source must not install packages again.
  const copy = host.path('build', 'changed');
  spawnSync('sh', [
    '-c',
    'rm -rf "$2"; mkdir -p "$2"; git -C "$1" ls-files -z | (cd "$1" && xargs -0 cp --parents -t "$2")',
    'sh',
    engine.checkout,
    copy,
  ]);
  spawnSync('sh', [
    '-c',
    'echo "Object.assign(globalThis, { changed: $2 });" >> "$1/src/main.ts"',
    'sh',
    copy,
    String(Date.now()),
  ]);
  const log = build(world, { name: 'rebuild', image: 'waybill:changed', context: '/build/changed' });
  report.note(`the rebuild took ${childSeconds(log).toFixed(0)} s of CPU time`);
  const installs = log
    .split('\n')
    .map((line, index, all) => (/npm ci/.test(line) ? `${line} ${all[index + 1]}` : ''))
    .filter(Boolean);
  report.check(
    'packages installed again after a change of the source',
    installs.filter((step) => !step.includes('Using cache')),
    [],
  );
  const idOf = (image) => engine.ask('docker', 'image', 'inspect', '--format', '{{.Id}}', image);
  report.check('the changed image is another one', idOf('waybill:changed') !== idOf(names.waybill), true);
  if (existsSync(join(copy, 'package.json'))) spawnSync('rm', ['-rf', copy]);
}

function describeSbom(text) {
  try {
    const { bomFormat, specVersion, components } = JSON.parse(text);
    const found = ['pg', 'express'].filter((name) => components.some((component) => component.name === name));
    return `${bomFormat} ${specVersion} ${components.length} components, such as ${found.join(' ')}`;
  } catch {
    return text.slice(0, 100);
  }
}
