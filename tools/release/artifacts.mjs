// Each artifact is reproducible: made twice from a commit, it has the same bytes (except for the image).
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SUMS = 'SHA256SUMS';

/** Returns the path of each artifact; that of the image is undefined without a Docker Engine. */
export function makeArtifacts({ folder, version, commit, image }, ask) {
  const [client] = JSON.parse(ask('npm', 'pack', '--json', '--workspace', 'client', '--pack-destination', folder));
  const artifacts = {
    client: join(folder, client.filename),
    chart: join(folder, `waybill-chart-${version}.tgz`),
    document: join(folder, 'openapi.json'),
    packages: join(folder, 'sbom.cdx.json'),
    sources: join(folder, `waybill-${version}-source.tar.gz`),
  };
  // Both archives name the commit in their headers, and have its date.
  ask('git', '-C', 'deploy/helm', 'archive', `--output=../../${artifacts.chart}`, 'HEAD', 'waybill');
  ask('git', 'archive', `--output=${artifacts.sources}`, `--prefix=waybill-${version}/`, 'HEAD');
  copyFileSync('openapi.json', artifacts.document);
  writeFileSync(artifacts.packages, `${ask(process.execPath, 'tools/release/sbom.mjs')}\n`);
  if (spawnSync('docker', ['version']).status !== 0) return artifacts;
  ask('docker', 'build', `--build-arg=REVISION=${commit}`, `--tag=${image}`, '.');
  artifacts.image = join(folder, `waybill-${version}-image-${process.arch}.tar`);
  ask('docker', 'save', `--output=${artifacts.image}`, image);
  return artifacts;
}

/** For `sha256sum --check`. */
export function writeSums(folder) {
  const sums = readdirSync(folder)
    .sort()
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex')}  ${name}\n`,
    )
    .join('');
  writeFileSync(join(folder, SUMS), sums);
  return sums.trimEnd();
}
