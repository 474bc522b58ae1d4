// Writes the list of packages that the image contains (an SBOM, CycloneDX) to the standard output.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const USAGE = `Lists the packages that the image contains, as CycloneDX.

  node tools/release/sbom.mjs > sbom.cdx.json`;

if (process.argv.length > 2) {
  const isHelp = ['-h', '--help'].includes(process.argv[2]);
  (isHelp ? process.stdout : process.stderr).write(`${USAGE}\n`);
  process.exit(isHelp ? 0 : 1);
}

/** Dependencies that only build: their output is in the image, they are not. */
const BUILDERS = ['@swc/core', 'esbuild', 'vite'];

/** `npm sbom --omit=dev` leaves out packages that development needs as well, such as express. So list all, and keep what is used. */
const { stdout, stderr, status } = spawnSync('npm', ['sbom', '--package-lock-only', '--sbom-format=cyclonedx'], {
  encoding: 'utf8',
  maxBuffer: 1 << 28,
});
if (status !== 0) {
  process.stderr.write(stderr);
  process.exit(1);
}
const bom = JSON.parse(stdout);

const inImage = ['package.json', 'console/package.json']
  .flatMap((file) => Object.keys(JSON.parse(readFileSync(file, 'utf8')).dependencies))
  .filter((name) => !BUILDERS.includes(name));

const components = new Map(bom.components.map((component) => [component['bom-ref'], component]));
const graph = new Map(bom.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
const nameOf = (ref) => ref.replace(/(?<=.)@[^@]*$/, '');
const ofWorkspaces = [...graph.entries()].filter(([ref]) => /^(waybill|@waybill\/console)@/.test(ref));
const waiting = ofWorkspaces.flatMap(([, refs]) => refs).filter((ref) => inImage.includes(nameOf(ref)));

const used = new Set();
for (let ref = waiting.pop(); ref !== undefined; ref = waiting.pop()) {
  const component = components.get(ref);
  if (used.has(ref) || component === undefined || component.scope === 'optional') continue;
  used.add(ref);
  waiting.push(...(graph.get(ref) ?? []));
}
bom.components = bom.components.filter((component) => used.has(component['bom-ref']));
bom.dependencies = bom.dependencies
  .filter(({ ref }) => used.has(ref) || ref === bom.metadata.component['bom-ref'])
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => used.has(one)) }));
// The same packages give the same list, in any folder.
bom.metadata.component.name = 'waybill';
delete bom.serialNumber;
delete bom.metadata.timestamp;
process.stdout.write(`${JSON.stringify(bom, null, 1)}\n`);
