// Looks into the finished artifacts: their versions, commits and names of each other.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { gunzipSync } from 'node:zlib';
import { parse } from 'yaml';

/** A line for each statement of an artifact that differs from what the others say. */
export function disagreements({ version, commit, image }, artifacts, ask) {
  const inside = (archive, path) => ask('tar', '--extract', '--to-stdout', '--file', archive, path);
  const chart = parse(inside(artifacts.chart, 'waybill/Chart.yaml'));
  const { repository, tag } = parse(inside(artifacts.chart, 'waybill/values.yaml')).image;
  const packages = JSON.parse(readFileSync(artifacts.packages, 'utf8'));
  const statements = [
    ['the version of the client', JSON.parse(inside(artifacts.client, 'package/package.json')).version, version],
    ['the version of the chart', chart.version, version],
    ['the image of the chart', `${repository}:${tag || chart.appVersion}`, image],
    ['the version of openapi.json', JSON.parse(readFileSync(artifacts.document, 'utf8')).info.version, version],
    ['the version of the list of packages', packages.metadata.component.version, version],
    ['the commit of the chart', commitOf(artifacts.chart), commit],
    ['the commit of the sources', commitOf(artifacts.sources), commit],
    [
      'the document in the sources',
      inside(artifacts.sources, `waybill-${version}/openapi.json`),
      readFileSync(artifacts.document, 'utf8').trim(),
    ],
    ['the types of the client', inside(artifacts.client, 'package/dist/api.d.ts'), typesOf(artifacts.document, ask)],
    ...(artifacts.image === undefined ? [] : imageStatements({ version, commit, image }, packages, ask)),
  ];
  return statements
    .filter(([, found, expected]) => found !== expected)
    .map(([what, found, expected]) => `${what}: ${shorten(found)}, not ${shorten(expected)}`);
}

function shorten(text) {
  return String(text).length > 60 ? `${String(text).slice(0, 60)}…` : text;
}

function commitOf(archive) {
  const input = gunzipSync(readFileSync(archive));
  return spawnSync('git', ['get-tar-commit-id'], { input, encoding: 'utf8' }).stdout.trim();
}

/** Generated and compiled again, from the document alone. */
function typesOf(document, ask) {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-types-'));
  try {
    const types = join(folder, 'api.ts');
    ask(process.execPath, 'node_modules/openapi-typescript/bin/cli.js', document, '--output', types);
    const options = ['--ignoreConfig', '--declaration', '--emitDeclarationOnly', '--outDir', folder];
    ask(process.execPath, 'node_modules/typescript-native/bin/tsc', ...options, types);
    return readFileSync(join(folder, 'api.d.ts'), 'utf8').trim();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function imageStatements({ version, commit, image }, packages, ask) {
  const [{ Config: config }] = JSON.parse(ask('docker', 'image', 'inspect', image));
  const label = (name) => config.Labels[`org.opencontainers.image.${name}`];
  const inImage = JSON.parse(ask('docker', 'run', '--rm', '--entrypoint=cat', image, 'sbom.cdx.json'));
  const names = ({ components }) => components.map((component) => component['bom-ref']).join(' ');
  return [
    ['the version of the image', label('version'), version],
    ['the commit of the image', label('revision'), commit],
    ['the packages in the image', names(inImage), names(packages)],
  ];
}
