// The image without the stack around it.
import { setTimeout as sleep } from 'node:timers/promises';
import { load, request, until } from './requests.mjs';
import { Container } from './replica.mjs';

export async function checkAlone(world) {
  const { engine, names, isEmulated, report } = world;
  // A service that overlooks the fault would run.
  const limited = ['timeout', isEmulated ? '600' : '60'];
  const start = (...options) => engine.run([...limited, 'docker', 'run', '--rm', ...options, names.waybill]).said;

  report.check('started without settings, it names both faults', start(), /AUTH_MODE[^]*DATABASE_URL/);
  const settings = ['--env=AUTH_MODE=off', '--env=DATABASE_URL=postgresql://a:b@127.0.0.1:1/c'];
  report.check(
    'read-only without /tmp, it says so',
    start('--read-only', ...settings),
    /temporary folder \/tmp must be writable/,
  );
  const examples = ['--env=AUTH_MODE=jwt', '--env=JWT_AUDIENCE=waybill', '--env=JWT_ISSUER=https://issuer.example.com'];
  examples.push(
    '--env=JWT_JWKS_URL=https://issuer.example.com/jwks.json',
    '--env=DATABASE_URL=postgresql://a:b@127.0.0.1:1/c',
  );
  report.check('with placeholders, it names each', start(...examples), /JWT_ISSUER still[^]*JWT_JWKS_URL still/);

  const unready = new Container(world, 'waybill-keyless', {
    AUTH_MODE: 'jwt',
    JWT_ISSUER: 'https://issuer.internal',
    JWT_AUDIENCE: 'waybill',
    JWT_JWKS_URL: 'https://127.0.0.1:1/jwks.json',
  });
  await waitFor(`${unready.url(9000)}/health/live`);
  const { status, json } = await request(`${unready.url(9000)}/health/ready`);
  report.check(
    'ready without the keys of the issuer',
    [status, json?.detail],
    ([code, detail]) => code === 503 && /key set/.test(detail),
  );
  unready.remove();

  const began = performance.now();
  const replica = new Container(world, 'waybill-alone');
  await replica.untilHealthy();
  const healthySeconds = (performance.now() - began) / 1000;
  report.note(`healthy ${healthySeconds.toFixed(1)} s after docker run`, { healthySeconds });
  report.check('health check', replica.inspect('{{.State.Health.Status}}'), 'healthy');
  report.check('capabilities', replica.exec('sed -n "s/^CapBnd:\\s*//p" /proc/1/status'), '0000000000000000');
  report.check('may write into /app', replica.exec('touch /app/x 2> /dev/null && echo yes || echo no'), 'no');
  const [service, management] = [3000, 9000].map((port) => replica.url(port));
  report.check('metrics on PORT', (await request(`${service}/metrics`)).status, 404);
  report.check('metrics on MANAGEMENT_PORT', (await request(`${management}/metrics`)).status, 200);
  const rows = { method: 'POST', headers: { 'Content-Type': 'text/csv' }, body: 'shipmentType\nHHG\n' };
  report.check('import, which needs /tmp', (await request(`${service}/v1/imports`, rows)).status, 201);
  const used = () => cpuSeconds(replica);
  const [idleFrom, before] = [performance.now(), used()];
  await sleep(20_000);
  const share = (100 * (used() - before)) / ((performance.now() - idleFrom) / 1000);
  report.note(`idle for 20 s with its health check, the container takes ${share.toFixed(1)} % of a core`, {
    idlePercentOfCore: share,
  });
  const [, ...healthCheck] = JSON.parse(replica.inspect('{{json .Config.Healthcheck.Test}}'));
  report.check(
    'CPU time of a health check, compared with a start of Node.js',
    (costOf(replica, healthCheck) / costOf(replica, ['node', '--eval', ''])).toFixed(2),
    (ratio) => ratio < 0.5,
  );

  report.check('readiness before SIGTERM', (await request(`${management}/health/ready`)).status, 200);
  const stopping = engine.begin(['docker', 'stop', '--time=40', replica.name]);
  await waitFor(`${management}/health/ready`, 503);
  report.check('readiness after SIGTERM', (await request(`${management}/health/ready`)).status, 503);
  report.check('requests after SIGTERM', (await request(`${service}/v1/shipments?limit=1`)).status, 200);
  await stopping;
  report.check(
    'exit status, and killed for memory',
    replica.inspect('{{.State.ExitCode}} {{.State.OOMKilled}}'),
    '0 false',
  );
  const lines = replica.log.split('\n');
  report.check('probes in the log', lines.filter((line) => /"route":"\/(health|metrics)/.test(line)).length, 0);
  report.check(
    'errors in the log',
    lines.filter((line) => /"level":50/.test(line)),
    [],
  );
  replica.remove();

  const loaded = new Container(world, 'waybill-loaded');
  await loaded.untilHealthy();
  const running = load(loaded.url(3000));
  await sleep(15_000);
  const found = await running.stop();
  const [peak] = ['memory.peak', 'memory/memory.max_usage_in_bytes']
    .map((name) => Number(loaded.exec(`cat /sys/fs/cgroup/${name}`)) / 1e6)
    .filter((mb) => mb > 0);
  report.note(
    `${found.requests} requests in 15 s, slowest ${found.slowestMs} ms, memory at most ${peak?.toFixed(0) ?? 'unknown'} of 403 MB`,
    { requestsConfined: found.requests, ...(peak && { peakMegabytes: peak }) },
  );
  report.check('failed requests within 384 MB', [found.failed, ...found.examples], [0]);
  loaded.remove();
}

/** The CPU time of all processes of a container, including finished health checks. For control groups of version 2 and 1. */
function cpuSeconds(replica) {
  const [, microseconds] = /usage_usec (\d+)/.exec(replica.exec('cat /sys/fs/cgroup/cpu.stat')) ?? [];
  return microseconds
    ? Number(microseconds) / 1e6
    : Number(replica.exec('cat /sys/fs/cgroup/cpuacct/cpuacct.usage')) / 1e9;
}

/** The CPU time of a command in a container, without that of entering the container. */
function costOf({ name, world: { engine } }, words) {
  const tenTimes = 'for ((run = 0; run < 10; run += 1)); do "$@" || exit 1; done; times';
  return childSeconds(engine.ask('docker', 'exec', name, 'bash', '-c', tenTimes, 'bash', ...words));
}

/** Of the children, in seconds: the last line that `times` of bash writes. */
function childSeconds(written) {
  const parts = [
    ...written
      .split('\n')
      .at(-1)
      .matchAll(/(\d+)m([\d.]+)s/g),
  ];
  return parts.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0);
}

function waitFor(url, status = 200) {
  return until(async () => (await request(url)).status === status);
}
