// The image: built from the Dockerfile as it is, then looked at.
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MB = 1e6;
const MAX_MB_ABOVE_BASE = 35;

/** Builds it, and again after a change of the source, which must not install packages again. */
export function buildImage({ engine, names, platform, report }) {
  const build = (name, image, context) => {
    const options = [`--platform=${platform}`, `--build-arg=REVISION=${revision(engine)}`, `--tag=${image}`];
    return engine.work(name, ['docker', 'build', '--progress=plain', ...options, context]);
  };
  build('build', names.waybill, '.');
  const copy = mkdtempSync(join(tmpdir(), 'waybill-changed-'));
  try {
    engine.ask('sh', '-c', 'git ls-files -z | xargs -0 cp --parents -t "$1"', 'sh', copy);
    appendFileSync(join(copy, 'src/main.ts'), `Object.assign(globalThis, { changed: ${Date.now()} });\n`);
    const log = build('rebuild', 'waybill:changed', copy);
    const [, step = 'none'] = /^(#\d+) .*npm ci/m.exec(log) ?? [];
    const isCached = new RegExp(`^${step} CACHED$`, 'm').test(log);
    report.check('packages installed again after a change of the source', isCached ? 'no' : 'yes', 'no');
    const idOf = (image) => engine.ask('docker', 'image', 'inspect', '--format', '{{.Id}}', image);
    report.check('the changed image is another one', idOf('waybill:changed') !== idOf(names.waybill), true);
  } finally {
    rmSync(copy, { recursive: true });
    engine.run(['docker', 'image', 'rm', 'waybill:changed']);
  }
}

/** For the label, as the Dockerfile says. */
function revision(engine) {
  return engine.ask('git', 'rev-parse', 'HEAD');
}

export function checkImage({ engine, names, machine, platform, report }) {
  const inspected = engine.ask('docker', 'image', 'inspect', names.waybill);
  const [{ Size: size, Config: config, Architecture }] = JSON.parse(inspected);
  const format = ['--human=false', '--no-trunc', '--format', '{{.Size}} {{.CreatedBy}}'];
  const history = engine.ask('docker', 'history', ...format, names.waybill).split('\n');
  // The newest come first, and the first one of the Dockerfile is this variable.
  const ours = history.slice(0, history.findLastIndex((step) => step.includes('NODE_ENV=production')) + 1);
  const above = ours.reduce((sum, step) => sum + Number.parseInt(step), 0);
  const figures = { megabytes: size / MB, megabytesAboveBase: above / MB };
  report.note(`${(size / MB).toFixed(1)} MB, ${(above / MB).toFixed(1)} of them above the base`, figures);
  report.check(
    'megabytes above the base image',
    (above / MB).toFixed(1),
    (mb) => Number(mb) > 0 && Number(mb) <= MAX_MB_ABOVE_BASE,
  );
  report.check('user', config.User, 'node');
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
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
    [`linux/${Architecture}`, inside('node --print process.arch')],
    [platform, machine],
  );
  report.check('source maps in the image', inside('find /app -name "*.map" | wc -l'), /^0$/m);
  report.check(
    'settings of npm, and addresses of packages, in the image',
    inside(
      'cat /root/.npmrc /home/*/.npmrc /app/.npmrc 2> /dev/null | wc -c; grep -rlE "resolved\\":|registry\\." /app --include=*.json | wc -l',
    ).split('\n'),
    ['0', '0'],
  );
  report.check('SBOM in the image', describeSbom(inside('cat /app/sbom.cdx.json')), /^CycloneDX .* pg express/);
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
