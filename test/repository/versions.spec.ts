import { readFileSync } from 'node:fs';

const read = (path: string) => readFileSync(path, 'utf8');
const { version } = JSON.parse(read('package.json')) as { version: string };

/** Every place that states the version of the release, beside package.json. */
const PLACES: [path: string, expression: RegExp][] = [
  ['client/package.json', /^ {2}"version": "(.+)"/gm],
  ['console/package.json', /^ {2}"version": "(.+)"/gm],
  ['packages/embedded-postgres/package.json', /^ {2}"version": "(.+)"/gm],
  ['console/package.json', /"@waybill\/.+": "(.+)"/g],
  ['package.json', /"@waybill\/.+": "(.+)"/g],
  ['package-lock.json', /^ {2}"version": "(.+)"/gm],
  ['package-lock.json', /"name": "@?waybill.*",\n\s+"version": "(.+)"/g],
  ['package-lock.json', /"@waybill\/.+": "(.+)"/g],
  ['openapi.json', /^ {4}"version": "(.+)"/gm],
  ['deploy/helm/waybill/Chart.yaml', /^(?:version|appVersion): (.+)$/gm],
  ['Dockerfile', /org\.opencontainers\.image\.version="(.+)"/g],
  ['docker-compose.yml', /image: waybill:(.+)/g],
  ['client/README.md', /waybill-client-(.+)\.tgz/g],
  // The newest release comes first.
  ['CHANGELOG.md', /^## (.+)$/m],
];

test.each(PLACES)('%s states the version of package.json: %s', (path, expression) => {
  const text = read(path);
  const found = expression.global ? [...text.matchAll(expression)] : [expression.exec(text)];
  expect(new Set(found.map((match) => match?.[1]))).toEqual(new Set([version]));
});

test('docs/versioning.md names the experimental operations', () => {
  const { paths } = JSON.parse(read('openapi.json')) as { paths: Record<string, Record<string, object>> };
  const experimental = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, operation]) => 'x-stability' in operation && operation['x-stability'] === 'experimental')
      .map(([method]) => `\`${method.toUpperCase()} ${path}\``),
  );
  const [, listed] = /^\| `experimental` +\| (.+?) +\|/m.exec(read('docs/versioning.md')) ?? [];
  expect(listed).toBe(experimental.join(', '));
});
