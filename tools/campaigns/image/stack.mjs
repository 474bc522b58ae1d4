// The compose file, as somebody runs it who has just cloned the repository.
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Container } from './replica.mjs';
import { JSON_TYPE, load, request, until } from './requests.mjs';

const up = ['docker', 'compose', 'up', '--detach', '--wait', '--no-build'];

function sql({ engine }, statement) {
  return engine.ask(
    'docker',
    'compose',
    'exec',
    '-T',
    'database',
    'psql',
    '--username=waybill',
    '--no-align',
    '--tuples-only',
    `--command=${statement}`,
  );
}

export async function checkStack({ engine, report, base }) {
  engine.work('up', up);
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
  const published = engine.ask('docker', 'ps', '--format', '{{.Ports}}').match(/[\d.:[\]]+->/g) ?? [];
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

export async function checkFaults(world) {
  const { engine, report, base } = world;
  const answers = async () => (await request(`${base}/v1/shipments?limit=1`)).status;

  engine.ask('docker', 'compose', 'rm', '--stop', '--force', 'service-2');
  engine.ask('docker', 'compose', 'restart', 'load-balancer');
  report.check(
    'one replica removed, nginx restarted',
    (await until('answers', async () => (await answers()) === 200, 15)) && (await answers()),
    200,
  );
  engine.work('up-again', up);

  const readiness = () =>
    engine.run([
      'docker',
      'compose',
      'exec',
      '-T',
      'service-1',
      'node',
      '-e',
      "fetch('http://127.0.0.1:3000/health/ready').then(async (r) => console.log(r.status, (await r.json()).detail ?? ''))",
    ]).stdout;
  report.check('readiness with all rights', readiness(), '200');
  sql(world, 'REVOKE ALL ON import_rows, idempotency_keys FROM waybill_service');
  report.check('readiness without the rights of imports and keyed writes', readiness(), /^503 .*import_rows/);
  engine.work('migrate', ['docker', 'compose', 'run', '--rm', 'migrate']);
  report.check('readiness after migrate', readiness(), '200');

  engine.ask('docker', 'compose', 'stop', 'service-2');
  const log = engine.run(['docker', 'compose', 'logs', '--no-log-prefix', 'service-2']).said.split('\n');
  report.check(
    'a replica that stopped logged errors',
    log.filter((line) => line.includes('"level":50')),
    [],
  );
  report.check('a replica that stopped logged probes', log.filter((line) => /"route":"\/health/.test(line)).length, 0);
  engine.work('up-again', up);
}

export function checkCommands({ engine, report }) {
  const run = (...words) => engine.run(['docker', 'compose', 'run', '--rm', 'tools', ...words]);
  const commands = [
    ['seed', ['seed', '--moves', '20', '--seed', String(Date.now() % 1e6)], /Made 20 moves/],
    ['check-database', ['check-database'], /The service can use this database/],
    ['archive', ['archive', '--before', '2025-06', '--to', '/archive', '--dry-run'], /2025|2024|month/i],
    ['erase', ['erase', '--subject', 'nobody', '--dry-run'], /./],
    ['migrate', ['migrate'], /up to date[^]*has the rights/],
  ];
  for (const [name, words, expected] of commands) {
    const { status, said } = run(...words);
    report.check(`waybill ${name}`, said, (text) => status === 0 && expected.test(text));
  }
  const archived = run('archive', '--before', '2025-06', '--to', `/archive/${Date.now()}`);
  report.check('waybill archive writes files', [archived.status, /months moved/.test(archived.said)], [0, true]);
}

export async function checkTracing(world) {
  const { report } = world;
  const traces = [];
  const collector = createServer((received, response) => {
    const parts = [];
    received
      .on('data', (part) => parts.push(part))
      .on('end', () => {
        traces.push({
          path: received.url,
          type: received.headers['content-type'],
          body: Buffer.concat(parts).toString(),
        });
        response.setHeader('Content-Type', 'application/json').end('{}');
      });
  });
  await new Promise((resolve) => collector.listen(0, '10.91.7.1', resolve));
  const { port } = collector.address();
  const replica = new Container(world, 'waybill-traced', { OTEL_EXPORTER_OTLP_ENDPOINT: `http://10.91.7.1:${port}` });
  try {
    await replica.untilHealthy();
    const trace = 'c0ffee00c0ffee00c0ffee00c0ffee00';
    const headers = { ...JSON_TYPE, Host: 'localhost', traceparent: `00-${trace}-00f067aa0ba902b7-01` };
    await request(`http://${replica.address}:3000/v1/shipments`, {
      method: 'POST',
      headers,
      body: { shipmentType: 'HHG' },
    });
    await until('spans', () => traces.some(({ body }) => body.includes(trace)), 30);
    const spans = traces
      .filter(({ path }) => path === '/v1/traces')
      .flatMap(({ body }) => spansOf(body))
      .filter(({ traceId }) => traceId === trace);
    const root = spans.find(({ parentSpanId }) => parentSpanId === '00f067aa0ba902b7');
    report.check('a span of the request, joined to its traceparent', root?.name, /^POST \/v1\/shipments$/);
    const statements = spans.filter(({ parentSpanId }) => parentSpanId === root?.spanId);
    report.check(
      'spans of statements below it',
      statements.map(({ name }) => name).slice(0, 3),
      (names) => names.length > 0,
    );
    report.check('the trace in the log', replica.log.includes(`"traceID":"${trace}"`), true);
  } finally {
    replica.remove();
    collector.closeAllConnections();
    collector.close();
  }
}

function spansOf(body) {
  return JSON.parse(body).resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
}

export async function checkRolling(world) {
  const { engine, report, base, names } = world;
  const idOf = (service) => engine.ask('docker', 'compose', 'ps', '--quiet', service);
  const before = ['service-1', 'service-2'].map(idOf);
  // The same image with another label, as a rebuild would make it.
  const revision = `campaign-${Date.now()}`;
  const change = `c=$(buildah from --pull=never docker.io/library/${names.waybill}); buildah config --label revision=${revision} "$c"; buildah commit --quiet --format docker --rm "$c" docker.io/library/${names.waybill}; buildah push docker.io/library/${names.waybill} docker-daemon:${names.waybill}`;
  engine.work('new-image', ['sh', '-ec', change]);
  const running = load(base);
  await sleep(3000);
  const status = await engine.begin(['sh', 'deploy/upgrade.sh', '--no-build']);
  await sleep(3000);
  const found = await running.stop();
  report.check('deploy/upgrade.sh', status, 0);
  const after = ['service-1', 'service-2'].map(idOf);
  report.check('replicas replaced', after.filter((id, index) => id !== before[index]).length, 2);
  report.note(`${found.requests} requests, slowest ${found.slowestMs} ms`);
  report.check('failed requests meanwhile', [found.failed, ...found.examples], [0]);

  const left = engine.run(['docker', 'compose', '--dry-run', 'up', '--detach', '--no-build']).said;
  report.check('replicas that docker compose up would replace now', left.match(/service-\d-1 +Recreate$/gm) ?? [], []);

  engine.work('restart', ['docker', 'compose', 'restart', 'database']);
  report.check(
    'requests after a restart of the database',
    await until('answers', async () => (await request(`${base}/v1/shipments?limit=1`)).status === 200, 30),
    true,
  );
  const entries = sql(world, 'SELECT count(*) FROM history');
  engine.work('down', ['docker', 'compose', 'down']);
  engine.work('up-again', up);
  report.check('entries of history after down and up', sql(world, 'SELECT count(*) FROM history'), entries);
}
