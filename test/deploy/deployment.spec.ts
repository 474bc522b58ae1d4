import { readdirSync, readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import { readConfig } from '../../src/config/config.js';
import { VARIABLES } from '../../src/config/environment.js';
import { EventMetrics } from '../../src/events/event-metrics.js';
import type { EventStreams } from '../../src/events/event-streams.js';
import type { EventsConnection } from '../../src/events/events-connection.js';
import { Slots } from '../../src/http/slots.js';
import { Metrics } from '../../src/operations/metrics.js';
import type { Json } from '../support/http/api.js';

function read(file: string): string {
  return readFileSync(`deploy/${file}`, 'utf8');
}

/** The documents of a YAML file; a fault in it fails the test with its place. */
function documents(file: string): Json[] {
  return parseAllDocuments(read(file), { strict: true }).map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS({ maxAliasCount: 100 });
  });
}

const manifests = [
  ...readdirSync('deploy/kubernetes').flatMap((file) => documents(`kubernetes/${file}`)),
  ...documents('kustomize/cloudnative-pg/database.yaml'),
].filter(({ kind }) => kind !== 'Kustomization');

function manifest(kind: string): Json {
  const found = manifests.find((candidate) => candidate.kind === kind);
  expect(found).toBeDefined();
  return found;
}

const pod = manifest('Deployment').spec.template.spec;
const [container] = pod.containers;
const environment: Record<string, string> = Object.fromEntries(
  container.env.map(({ name, value }: Json) => [name, value]),
);

test('every metric that the dashboard and the alerts name is one that the service has', async () => {
  const metrics = new Metrics(() => ({ total: 0, idle: 0, waiting: 0 }), new Slots());
  const away = { query: () => Promise.reject(new Error('no database')) } as unknown as EventsConnection;
  new EventMetrics(metrics, away, { cutOff: 0 } as EventStreams);
  const known = (await metrics.registry.getMetricsAsJSON()).flatMap(({ name, type }) =>
    String(type) === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
  );
  for (const file of ['grafana-dashboard.json', 'alerts.yaml']) {
    const named = [...new Set(read(file).match(/\b(waybill|process|nodejs)_[a-z0-9_]+/g))];
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
  }
});

test('the dashboard is JSON with a query in every panel', () => {
  const { panels } = JSON.parse(read('grafana-dashboard.json'));
  for (const { title, targets } of panels) {
    expect([title, targets.every(({ expr }: Json) => /(waybill|process|nodejs)_/.test(expr))]).toEqual([title, true]);
  }
});

test('every alert says what is wrong and what to do', () => {
  for (const { alert, expr, labels, annotations } of documents('alerts.yaml')[0].groups[0].rules) {
    expect(alert).toMatch(/^Waybill/);
    expect(expr).toMatch(/./);
    expect(['page', 'ticket']).toContain(labels.severity);
    expect(annotations.summary).toMatch(/./);
  }
});

test('Kubernetes: every variable of the containers is one that the service reads', () => {
  const names = [
    ...Object.keys(environment),
    ...manifest('Job').spec.template.spec.initContainers[0].env.map(({ name }: Json) => name),
  ];
  expect(names.filter((name) => !VARIABLES.includes(name))).toEqual([]);
});

test('Kubernetes: the address of the database is read from the secret that is mounted', () => {
  const { mountPath, name } = container.volumeMounts[0];
  expect(environment['DATABASE_URL_FILE']).toBe(`${mountPath}/uri`);
  expect(pod.volumes).toContainEqual({ name, secret: { secretName: 'waybill-database-url' } });
});

test('Kubernetes: service and migration verify the database by the authority that CloudNativePG has made for it', () => {
  const { metadata } = manifest('Cluster');
  const { initContainers, containers, volumes } = manifest('Job').spec.template.spec;
  for (const [each, those] of [
    [container, pod.volumes],
    [initContainers[0], volumes],
    [containers[0], volumes],
  ]) {
    const { mountPath, name } = each.volumeMounts.find(({ name: mounted }: Json) => mounted === 'database-ca');
    const { secret } = those.find((volume: Json) => volume.name === name);
    expect(secret).toEqual({ secretName: `${metadata.name}-ca`, items: [{ key: 'ca.crt', path: 'ca.crt' }] });
    const files = each.env.filter(({ name: variable }: Json) =>
      ['DATABASE_CA_FILE', 'PGSSLROOTCERT'].includes(variable),
    );
    expect(files.map(({ value }: Json) => value)).toEqual([`${mountPath}/ca.crt`]);
  }
});

test('Kubernetes: the grace period is longer than the service may take to stop', () => {
  const drain = Number(environment['DRAIN_DELAY_MS']) + 300 + Number(environment['SHUTDOWN_TIMEOUT_MS']) + 500;
  expect(pod.terminationGracePeriodSeconds * 1000).toBeGreaterThan(drain);
});

test('Kubernetes: endpoints are gone before the drain ends', () => {
  const { periodSeconds, timeoutSeconds, failureThreshold } = container.readinessProbe;
  expect((periodSeconds + timeoutSeconds) * failureThreshold * 1000).toBeLessThan(
    Number(environment['DRAIN_DELAY_MS']),
  );
});

test('Kubernetes: the database has connections for every replica of the autoscaler, twice', () => {
  const most = manifest('HorizontalPodAutoscaler').spec.maxReplicas;
  const each = Number(environment['POOL_SIZE']) + 1;
  const { max_connections } = manifest('Cluster').spec.postgresql.parameters;
  expect(most * each * 2).toBeLessThan(Number(max_connections) - 10);
});

test('Kubernetes: no container runs as root, writes to its image, or may gain rights', () => {
  for (const { spec } of [manifest('Deployment'), manifest('Job')].map(({ spec: { template } }) => template)) {
    expect(spec.securityContext.runAsNonRoot).toBe(true);
    for (const { securityContext } of [...spec.containers, ...(spec.initContainers ?? [])]) {
      expect(securityContext).toMatchObject({ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true });
    }
  }
});

test('Kubernetes: every image has an exact version, and ours is that of the package', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const images = manifests.flatMap(({ spec }) => {
    const { containers = [], initContainers = [] } = spec.template?.spec ?? {};
    return [...containers, ...initContainers].map(({ image }: Json) => image).concat(spec.imageName ?? []);
  });
  expect(images.length).toBeGreaterThan(3);
  for (const image of images) expect(image).toMatch(/:\d+\.\d+(\.\d+)?$/);
  expect(images.filter((image) => image.startsWith('waybill:'))).toEqual(Array(2).fill(`waybill:${version}`));
});

test('Kubernetes: pods reach names, the database and, by https, the issuer, and nothing else', () => {
  const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy');
  const covered = policies.map(({ spec }) => spec.podSelector.matchLabels['app.kubernetes.io/name']).sort();
  const pods = [manifest('Deployment'), manifest('Job')].map(({ spec }) => spec.template.metadata.labels);
  expect(pods.map((labels) => labels['app.kubernetes.io/name']).sort()).toEqual(covered);
  const ports = (name: string) =>
    policies
      .find(({ metadata }) => metadata.name === name)
      .spec.egress.map(({ to, ports: open }: Json) => [to.length, open.map(({ port }: Json) => port).join()]);
  expect(ports('waybill')).toEqual([
    [1, '53,53'],
    [1, '5432'],
    [1, '443'],
  ]);
  expect(ports('waybill-migration')).toEqual([
    [1, '53,53'],
    [1, '5432'],
  ]);
  for (const { spec } of policies) {
    expect(spec.policyTypes).toEqual(['Ingress', 'Egress']);
    expect(spec.egress[1].to[0].podSelector.matchLabels).toEqual({
      'cnpg.io/cluster': manifest('Cluster').metadata.name,
    });
  }
});

test('Kubernetes: the owner migrates and grants, and the service connects as another role', () => {
  const { initContainers, containers } = manifest('Job').spec.template.spec;
  const secrets = [...initContainers, ...containers].map(
    ({ env }: Json) => env.find(({ name }: Json) => name === 'DATABASE_URL').valueFrom.secretKeyRef.name,
  );
  expect(secrets).toEqual(Array(2).fill(`${manifest('Cluster').metadata.name}-app`));
  const { bootstrap, managed } = manifest('Cluster').spec;
  const [role] = managed.roles;
  expect([role.name, role.superuser ?? false, managed.roles.length]).toEqual(['waybill_service', false, 1]);
  expect(bootstrap.initdb.owner).not.toBe(role.name);
  expect(containers[0].command.join(' ')).toContain(`--set=service=${role.name} --file=/grants/grants.sql`);
  expect(environment['MIGRATE_ON_START']).toBe('off');
});

test('nginx drops idle connections to a replica before the replica does', () => {
  const upstream = /upstream service \{[^}]*keepalive_timeout (\d+)s/.exec(read('nginx.conf'));
  expect(Number(upstream?.[1]) * 1000).toBeLessThan(
    readConfig({ NODE_ENV: 'production', AUTH_MODE: 'off' }).DRAIN_DELAY_MS,
  );
});
