// Parts of the stack that are missing, and what the others then answer and log.
import { JSON_TYPE, request, until } from './requests.mjs';

export async function checkFaults(world) {
  const { engine, report, base } = world;
  const answers = async () => (await request(`${base}/v1/shipments?limit=1`)).status;

  engine.ask('docker', 'compose', 'rm', '--stop', '--force', 'service-2');
  engine.ask('docker', 'compose', 'restart', 'load-balancer');
  report.check(
    'one replica removed, nginx restarted',
    (await until(async () => (await answers()) === 200, 15)) && (await answers()),
    200,
  );
  engine.up();

  const problem = ({ status, headers, json }) => [
    status,
    headers['content-type'],
    json?.code,
    headers['x-request-id'] === json?.requestID,
  ];
  const unavailable = (code) => [503, 'application/problem+json', code, true];
  const create = () =>
    request(`${base}/v1/shipments`, { method: 'POST', headers: JSON_TYPE, body: { shipmentType: 'HHG' } });
  engine.ask('docker', 'compose', 'pause', 'service-1', 'service-2');
  report.check('a write while no replica responds', problem(await create()), unavailable('OUTCOME_UNKNOWN'));
  engine.ask('docker', 'compose', 'unpause', 'service-1', 'service-2');
  engine.ask('docker', 'compose', 'stop', 'service-1', 'service-2');
  report.check('a write while no replica runs', problem(await create()), unavailable('UNAVAILABLE'));
  engine.up();

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
  engine.sql('REVOKE ALL ON import_rows, idempotency_keys FROM waybill_service');
  report.check('readiness without the rights of imports and keyed writes', readiness(), /^503 .*import_rows/);
  engine.work('migrate', ['docker', 'compose', 'run', '--rm', 'migrate']);
  report.check('readiness after migrate', readiness(), '200');
  engine.sql("INSERT INTO migrations (timestamp, name) VALUES (9999999999999, 'Later9999999999999')");
  report.check('readiness with a migration of a later version, as after a rollback', readiness(), '200');
  engine.sql("DELETE FROM migrations WHERE name = 'Later9999999999999'");

  engine.ask('docker', 'compose', 'stop', 'service-2');
  const log = engine.run(['docker', 'compose', 'logs', '--no-log-prefix', 'service-2']).said.split('\n');
  report.check(
    'a replica that stopped logged errors',
    log.filter((line) => line.includes('"level":50')),
    [],
  );
  report.check('a replica that stopped logged probes', log.filter((line) => /"route":"\/health/.test(line)).length, 0);
  engine.up();
}
