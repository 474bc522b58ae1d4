// The compose file, as somebody runs it who has just cloned the repository.
import { JSON_TYPE, request } from './requests.mjs';

export async function checkStack({ engine, report, base }) {
  const began = performance.now();
  engine.up('up');
  report.figures.composeUpSeconds = (performance.now() - began) / 1000;
  const services = engine
    .ask('docker', 'compose', 'ps', '--all', '--format', '{{.Service}} {{.State}}')
    .split('\n')
    .sort();
  report.check('services', services, [
    'certificate exited',
    'database running',
    'load-balancer running',
    'migrate exited',
    'service-1 running',
    'service-2 running',
  ]);
  const shipment = (
    await request(`${base}/v1/shipments`, { method: 'POST', headers: JSON_TYPE, body: { shipmentType: 'HHG' } })
  ).json;
  const change = (headers) =>
    request(`${base}/v1/shipments/${shipment?.id}`, {
      method: 'PATCH',
      headers: { ...JSON_TYPE, ...headers },
      body: { customerRemarks: 'changed' },
    });
  const stale = { 'If-Match': shipment?.eTag };
  report.check(
    'change with the eTag, with the old one, without',
    [(await change(stale)).status, (await change(stale)).status, (await change({})).status],
    [200, 412, 428],
  );
  report.check(
    'events of the two changes',
    (await request(`${base}/v1/events?resourceID=${shipment?.id}`)).json?.map(({ type }) => type),
    ['shipment.created', 'shipment.updated'],
  );
  const page = await request(`${base}/console/`);
  const assets = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(
    ([, path]) => new URL(path, `${base}/console/`).href,
  );
  const answers = await Promise.all(assets.map(async (url) => (await request(url)).status));
  report.check('console and its files', [page.status, ...new Set(answers)], [200, 200]);
  const docs = await Promise.all(
    ['/docs', '/docs/assets/swagger-ui.css', '/docs/assets/swagger-ui-bundle.js'].map(
      async (path) => (await request(base + path)).status,
    ),
  );
  report.check('documentation', docs, [200, 200, 200]);
  const rows = { method: 'POST', headers: { 'Content-Type': 'text/csv' }, body: 'shipmentType\nHHG\n' };
  report.check('import of a file', (await request(`${base}/v1/imports`, rows)).status, 201);
  const hidden = ['/metrics', '//metrics', '/METRICS', '/%6detrics', '/v1/../metrics', '/health/ready', '/health/live'];
  report.check(
    'health and metrics from outside',
    await Promise.all(hidden.map(async (path) => (await rawGet(base, path)).status)),
    hidden.map(() => 404),
  );
  const own = await rawGet(base, '/metrics');
  report.check(
    'errors of nginx',
    [own.headers['content-type'], own.json?.code, typeof own.json?.requestID],
    ['application/problem+json', 'NOT_FOUND', 'string'],
  );
  const large = await request(`${base}/v1/shipments`, {
    method: 'POST',
    headers: JSON_TYPE,
    body: Buffer.alloc(2_000_000, 'x'),
  });
  report.check('a body too large for nginx', [large.status, large.json?.code], [413, 'TOO_LARGE']);
  report.check('HSTS on localhost', page.headers['strict-transport-security'] ?? 'none', 'none');
  const published = engine.ask('docker', 'compose', 'ps', '--format', '{{.Ports}}').match(/[\d.:[\]]+->/g) ?? [];
  report.check('published ports', [...new Set(published)], [`127.0.0.1:${new URL(base).port}->`]);
  report.check(
    'warnings of nginx about its configuration',
    // Those that name a connection (*1) are about requests.
    engine.run(['docker', 'compose', 'logs', 'load-balancer']).said.match(/.*\[(?:warn|emerg)\](?! \d+#\d+: \*).*/g) ??
      [],
    [],
  );
}

/** The path as it is written, which a URL would normalize. */
function rawGet(base, path) {
  return request(base, { path });
}

/** The exit code of an erasure of somebody who is not in the database. */
const FOUND_NOTHING = 3;

export function checkCommands({ engine, report }) {
  const run = (...words) => engine.run(['docker', 'compose', 'run', '--rm', 'tools', ...words]);
  const commands = [
    ['check-database', ['check-database'], /The service can use this database/],
    ['archive', ['archive', '--before', '2025-06', '--to', '/archive', '--dry-run'], /2025|2024|month/i],
    ['erase', ['erase', '--subject', 'nobody', '--dry-run'], /Nothing was found/, FOUND_NOTHING],
    ['migrate', ['migrate'], /up to date[^]*has the rights/],
  ];
  // The image has no command for it, because a production database must not be seeded.
  const program = ['--env', 'NODE_ENV=test', '--entrypoint', 'node', 'tools', 'dist/tools/seed/main.js'];
  const options = ['--moves', '20', '--seed', String(Date.now() % 1e6), '--into-existing'];
  const seeded = engine.run(['docker', 'compose', 'run', '--rm', ...program, ...options]);
  report.check('seed', seeded.said, (text) => seeded.status === 0 && /Made 20 moves/.test(text));
  for (const [name, words, expected, code = 0] of commands) {
    const { status, said } = run(...words);
    report.check(`waybill ${name}`, said, (text) => status === code && expected.test(text));
  }
  const archived = run('archive', '--before', '2025-06', '--to', `/archive/${Date.now()}`).said;
  report.check('waybill archive writes files', archived, /months moved/);
  const [, file = 'none'] = [...archived.matchAll(/writing (\S+)/g)].at(-1) ?? [];
  report.check('waybill restore', run('restore', file).said, /[1-9]\d* entries restored/);
}
