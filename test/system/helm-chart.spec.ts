import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import { VARIABLES } from '../../src/config/environment.js';
import type { Json } from '../support/http/api.js';
import { describeWith, findTool } from '../support/repository/tools.js';

/** Where scripts/install-test-tools.sh puts the models of Kubernetes. */
const MODELS = process.env['KUBERNETES_MODELS'] ?? '/usr/local/lib/waybill-test-tools';

const ISSUER = {
  'config.JWT_ISSUER': 'https://id.depot.internal',
  'config.JWT_JWKS_URL': 'https://id.depot.internal/keys',
};

function helm(values: string | undefined, settings: Record<string, string>): { status: number | null; said: string } {
  const files = values === undefined ? [] : ['--values', `deploy/helm/values-${values}.yaml`];
  const set = Object.entries(settings).flatMap(([name, value]) => ['--set', `${name}=${value.replaceAll(',', '\\,')}`]);
  const words = ['template', 'waybill', 'deploy/helm/waybill', '--namespace', 'shipping', ...files, ...set];
  const { status, stdout, stderr } = spawnSync('helm', words, { encoding: 'utf8' });
  return { status, said: status === 0 ? stdout : stderr };
}

function render(values: string | undefined, settings: Record<string, string>): Json[] {
  const { status, said } = helm(values, settings);
  expect([status, status === 0 ? '' : said]).toEqual([0, '']);
  return documents(said);
}

function documents(text: string): Json[] {
  return parseAllDocuments(text)
    .map((document) => {
      expect(document.errors).toEqual([]);
      return document.toJS();
    })
    .filter((document) => document !== null);
}

function faultsOf(manifests: Json[]): string[] {
  const words = ['test/support/repository/validate-manifests.mjs', MODELS];
  const { stdout, stderr } = spawnSync(process.execPath, words, { input: JSON.stringify(manifests), encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout.split('\n').filter((line) => line !== '');
}

const RELEASES: [string, string | undefined, Record<string, string>][] = [
  ['values-cloudnative-pg.yaml', 'cloudnative-pg', { ...ISSUER, 'httpRoute.hostnames[0]': 'api.depot.internal' }],
  ['values-aws.yaml', 'aws', { ...ISSUER, 'ingress.host': 'api.depot.internal' }],
  ['API keys alone', 'cloudnative-pg', { 'config.AUTH_MODE': 'keys', 'httpRoute.hostnames[0]': 'api.depot.internal' }],
  [
    'everything optional the other way',
    undefined,
    {
      'config.AUTH_MODE': 'off',
      'image.tag': '1.2.3',
      'image.pullSecrets[0]': 'registry',
      'autoscaling.enabled': 'false',
      'migration.enabled': 'false',
      'networkPolicy.enabled': 'false',
      'serviceAccount.create': 'false',
      priorityClassName: 'high',
    },
  ],
];

// There is no package of Helm for other machines: scripts/install-test-tools.sh.
const describeChart = process.arch === 'x64' || findTool('helm') !== undefined ? describeWith : skipWith;

function skipWith(_: readonly string[], title: string, tests: () => void): void {
  describe.skip(title, tests);
}

describeChart(['helm'], 'the Helm chart', () => {
  describe.each(RELEASES)('with %s', (_, values, settings) => {
    let manifests: Json[];
    beforeAll(() => {
      manifests = render(values, settings);
    });
    const find = (kind: string, name = 'waybill'): Json =>
      manifests.find((one) => one.kind === kind && one.metadata.name === name);
    const pods = (): Json[] =>
      manifests.filter(({ kind }) => ['Deployment', 'Job'].includes(kind)).map(({ spec }) => spec.template.spec);
    const container = (): Json => find('Deployment').spec.template.spec.containers[0];
    const variable = (name: string): string => container().env.find((one: Json) => one.name === name)?.value;

    it('is accepted by the models of Kubernetes', () => {
      expect(existsSync(MODELS)).toBe(true);
      expect(manifests.length).toBeGreaterThan(2);
      expect(faultsOf(manifests)).toEqual([]);
    });

    it('sets only variables that the service reads', () => {
      for (const { containers } of pods()) {
        const names = containers[0].env.map(({ name }: Json) => name as string);
        expect(names.filter((name: string) => !VARIABLES.includes(name))).toEqual([]);
        expect(new Set(names).size).toBe(names.length);
      }
    });

    it('confines every container, and limits its memory', () => {
      for (const { securityContext, containers, automountServiceAccountToken } of pods()) {
        expect(automountServiceAccountToken).toBe(false);
        expect(securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
        for (const { securityContext: own, resources } of containers) {
          const confined = {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          };
          expect(own).toEqual(confined);
          expect(resources.limits.memory).toMatch(/Mi$/);
        }
      }
    });

    it('holds no secret, and mounts everything that it declares', () => {
      for (const { volumes, containers } of pods()) {
        const mounted = containers[0].volumeMounts.map(({ name }: Json) => name as string);
        expect(volumes.map(({ name }: Json) => name).sort()).toEqual(mounted.sort());
        for (const { value } of containers[0].env) expect(value).not.toMatch(/:\/\/[^/]*:[^/]*@/);
      }
    });

    it('gives a pod time to drain, and takes it out of the endpoints before the drain ends', () => {
      const { terminationGracePeriodSeconds: grace } = find('Deployment').spec.template.spec;
      const [drain, shutdown] = [Number(variable('DRAIN_DELAY_MS')), Number(variable('SHUTDOWN_TIMEOUT_MS'))];
      expect(grace * 1000).toBeGreaterThan(drain + 300 + shutdown + 500);
      // The service checks it again, with what operators set by other ways.
      expect(Number(variable('STOP_GRACE_PERIOD_MS'))).toBe(grace * 1000);
      const { periodSeconds, timeoutSeconds, failureThreshold } = container().readinessProbe;
      expect((periodSeconds + timeoutSeconds) * failureThreshold * 1000).toBeLessThan(drain);
    });

    it('asks for health and metrics on the management port', () => {
      const port = (name: string) => String(container().ports.find((one: Json) => one.name === name)?.containerPort);
      expect([port('http'), port('management')]).toEqual([variable('PORT'), variable('MANAGEMENT_PORT')]);
      for (const probe of ['livenessProbe', 'readinessProbe', 'startupProbe']) {
        expect(container()[probe].httpGet).toMatchObject({
          path: expect.stringMatching(/^\/health\//) as string,
          port: 'management',
        });
      }
    });

    it('selects its own pods wherever it selects', () => {
      const { labels } = find('Deployment').spec.template.metadata;
      const selectors = manifests
        .filter(({ metadata }) => !String(metadata.name).endsWith('-migration'))
        .map(({ kind, spec }) =>
          kind === 'Service' ? spec.selector : (spec?.selector ?? spec?.podSelector)?.matchLabels,
        )
        .filter((selector) => selector !== undefined);
      expect(selectors.length).toBeGreaterThan(2);
      for (const selector of selectors) expect(labels).toMatchObject(selector as object);
    });
  });

  let rendered: Json[] | undefined;
  const first = () => structuredClone((rendered ??= render('cloudnative-pg', RELEASES[0]?.[2] ?? {})));

  it('migrates in a hook before each install and upgrade, so that the next release does not meet an immutable Job', () => {
    const hooks = first().filter(({ metadata }) => String(metadata.name).endsWith('-migration'));
    const order = hooks.map(({ kind, metadata: { annotations } }) => [
      kind,
      annotations['helm.sh/hook'],
      annotations['helm.sh/hook-delete-policy'],
      Number(annotations['helm.sh/hook-weight']),
    ]);
    const each = ['pre-install,pre-upgrade', 'before-hook-creation'];
    expect(order.sort()).toEqual([
      ['Job', ...each, 1],
      ['NetworkPolicy', ...each, 0],
    ]);
    const job = hooks.find(({ kind }) => kind === 'Job')?.spec.template.spec;
    expect(job.containers[0].command).toEqual(['waybill', 'migrate']);
  });

  it('lets pods reach name servers anywhere, the database and https without the addresses of credentials, and nothing else', () => {
    const policy = first().find(({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name === 'waybill');
    const egress: Json[] = policy?.spec.egress;
    const ports = egress.map(({ ports: open }: Json) => open.map(({ port }: Json) => port).join());
    expect(ports).toEqual(['53,53', '5432', '443']);
    const [names, database, https] = egress as [Json, Json, Json];
    expect(names.to).toBeUndefined();
    expect(database.to).toEqual([{ podSelector: { matchLabels: { 'cnpg.io/cluster': 'waybill-database' } } }]);
    expect(https.to.map(({ ipBlock }: Json) => ipBlock.cidr)).toEqual(['0.0.0.0/0', '::/0']);
    expect(https.to.flatMap(({ ipBlock }: Json) => ipBlock.except)).toContain('169.254.0.0/16');
  });

  it('opens other ports of receivers of webhooks', () => {
    const settings = {
      ...RELEASES[0]?.[2],
      'networkPolicy.httpsPorts[0]': '443',
      'networkPolicy.httpsPorts[1]': '8443',
    };
    const policies = render('cloudnative-pg', settings).filter(({ kind }) => kind === 'NetworkPolicy');
    const policy = policies.find(({ metadata }) => metadata.name === 'waybill');
    const ports = policy?.spec.egress.map(({ ports: open }: Json) => open.map(({ port }: Json) => port).join());
    expect(ports).toEqual(['53,53', '5432', '443,8443']);
  });

  it('carries the alerts as they are', () => {
    const rule = first().find(({ kind }) => kind === 'PrometheusRule');
    const [alerts] = documents(readFileSync('deploy/helm/waybill/alerts.yaml', 'utf8'));
    expect(rule?.spec).toEqual(alerts);
  });

  it('fits deploy/cloudnative-pg.yaml: secrets, roles, connections, and a backup by the plugin', () => {
    const database = documents(readFileSync('deploy/cloudnative-pg.yaml', 'utf8'));
    expect(faultsOf(database.filter(({ apiVersion }) => apiVersion !== 'barmancloud.cnpg.io/v1'))).toEqual([]);
    const of = (kind: string) => database.find((one) => one.kind === kind);
    const { metadata, spec } = of('Cluster');
    const manifests = first();
    const secrets = manifests
      .filter(({ kind }) => ['Deployment', 'Job'].includes(kind))
      .flatMap((one) => one.spec.template.spec.volumes.flatMap(({ secret }: Json) => secret?.secretName ?? []));
    const made = [`${metadata.name}-app`, `${metadata.name}-ca`, 'waybill-database-url'];
    expect([...new Set(secrets)].sort()).toEqual(made.sort());
    const job = manifests.find(({ kind }) => kind === 'Job').spec.template.spec.containers[0];
    expect(job.env).toContainEqual({ name: 'SERVICE_ROLE', value: spec.managed.roles[0].name });
    expect(spec.bootstrap.initdb.owner).not.toBe(spec.managed.roles[0].name);
    const { maxReplicas } = manifests.find(({ kind }) => kind === 'HorizontalPodAutoscaler').spec;
    const pool = manifests.find(({ kind }) => kind === 'Deployment').spec.template.spec.containers[0].env;
    const each = Number(pool.find(({ name }: Json) => name === 'POOL_SIZE').value) + 1;
    expect(maxReplicas * each * 2).toBeLessThan(Number(spec.postgresql.parameters.max_connections) - 10);
    expect(spec.backup).toBeUndefined();
    const plugin = 'barman-cloud.cloudnative-pg.io';
    expect(spec.plugins).toMatchObject([
      { name: plugin, isWALArchiver: true, parameters: { barmanObjectName: of('ObjectStore').metadata.name } },
    ]);
    expect(of('ScheduledBackup').spec).toMatchObject({ method: 'plugin', pluginConfiguration: { name: plugin } });
  });

  it('tells an AWS load balancer the path and port of readiness, and times that fit those of the service', () => {
    const manifests = render('aws', RELEASES[1]?.[2] ?? {});
    const { env } = manifests.find(({ kind }) => kind === 'Deployment').spec.template.spec.containers[0];
    const number = (name: string) => Number(env.find((one: Json) => one.name === name).value);
    const { annotations } = manifests.find(({ kind }) => kind === 'Ingress').metadata;
    const annotation = (name: string) => String(annotations[`alb.ingress.kubernetes.io/${name}`]);
    expect(annotation('healthcheck-path')).toBe('/health/ready');
    expect(Number(annotation('healthcheck-port'))).toBe(number('MANAGEMENT_PORT'));
    const [, idle] = /idle_timeout\.timeout_seconds=(\d+)/.exec(annotation('load-balancer-attributes')) ?? [];
    expect(Number(idle) * 1000).toBeLessThan(number('KEEP_ALIVE_TIMEOUT_MS'));
    // While the load balancer waits for a response, the connection is idle.
    expect(number('LOAD_BALANCER_TIMEOUT_MS')).toBe(Number(idle) * 1000);
    const [, delay] = /deregistration_delay\.timeout_seconds=(\d+)/.exec(annotation('target-group-attributes')) ?? [];
    expect(Number(delay) * 1000).toBeGreaterThanOrEqual(number('DRAIN_DELAY_MS') + number('SHUTDOWN_TIMEOUT_MS'));
  });

  const CNPG = RELEASES[0]?.[2] ?? {};
  const BROKEN: [string, Record<string, string>, RegExp][] = [
    ['an unknown value', { 'imgae.tag': '1' }, /additional properties 'imgae' not allowed/],
    ['a variable that the service does not have', { 'config.POOLSIZE': '5' }, /invalid propertyName 'POOLSIZE'/],
    [
      'a variable that the chart decides',
      { 'config.DATABASE_URL': 'postgresql://a/b' },
      /invalid propertyName 'DATABASE_URL'/,
    ],
    ['a placeholder', { 'config.JWT_ISSUER': 'https://issuer.example.com' }, /JWT_ISSUER/],
    ['keys over http', { 'config.JWT_JWKS_URL': 'http://id.depot.internal/keys' }, /JWT_JWKS_URL/],
    ['authentication without an issuer', { 'config.JWT_ISSUER': 'null' }, /JWT_ISSUER/],
    ['a proxy that names nobody', { 'config.AUTH_MODE': 'proxy' }, /AUTH_PROXY_SUBJECT_HEADER/],
    ['everybody beside those with keys', { 'config.AUTH_MODE': 'keys off' }, /AUTH_MODE/],
    ['a drain without a duration', { 'config.DRAIN_DELAY_MS': 'null' }, /DRAIN_DELAY_MS/],
    ['the tag latest', { 'image.tag': 'latest' }, /tag/],
    ['no limit of memory', { 'resources.limits.memory': 'null' }, /memory/],
    ['a single replica', { 'autoscaling.minReplicas': '1' }, /minReplicas/],
    ['a route without a gateway', { 'httpRoute.parentRefs': 'null' }, /parentRefs|httpRoute/],
    ['a route without a host', { 'httpRoute.hostnames': '{}' }, /hostnames/],
    ['an ingress without a class', { 'ingress.enabled': 'true', 'ingress.host': 'a.internal' }, /className/],
    ['a policy that nobody passes', { 'networkPolicy.clients': 'null' }, /clients|networkPolicy/],
  ];

  it.each(BROKEN)('refuses %s', (_, settings, words) => {
    const { status, said } = helm('cloudnative-pg', { ...CNPG, ...settings });
    expect([status, said]).toEqual([1, expect.stringMatching(words)]);
  });

  /** One fault in each of these manifests. */
  const SPOILED: [string, (manifest: Json) => unknown, RegExp][] = [
    ['Deployment', ({ spec }) => (spec.replicas = 'two'), /replicas must be integer/],
    ['HTTPRoute', ({ spec }) => (spec.rules[0].timeouts.request = 'never'), /timeouts/],
    ['Job', ({ spec }) => delete spec.template.spec.containers, /containers/],
    ['PodMonitor', ({ spec }) => (spec.podMetricsEndpoints = 'all'), /podMetricsEndpoints/],
    ['Service', ({ spec }) => (spec.ports[0].port = 'http'), /port/],
  ];

  it('is refused by the models with a wrong type or a missing field', () => {
    const manifests = first();
    for (const [kind, spoil] of SPOILED) spoil(manifests.find((one) => one.kind === kind));
    const expected = SPOILED.map(([kind, , words]) => new RegExp(`^${kind} .*${words.source}`));
    expect(faultsOf(manifests).sort()).toEqual(expected.map((words) => expect.stringMatching(words) as string));
  });

  it('knows every variable that operators may set', () => {
    const schema = JSON.parse(readFileSync('deploy/helm/waybill/values.schema.json', 'utf8'));
    const decided = [
      'NODE_ENV',
      'HOST',
      'PORT',
      'MANAGEMENT_PORT',
      'DATABASE_URL',
      'DATABASE_URL_FILE',
      'DATABASE_CA_FILE',
    ];
    decided.push('DATA_DIR', 'MIGRATE_ON_START', 'SERVICE_ROLE', 'STOP_GRACE_PERIOD_MS');
    const free = VARIABLES.filter((name) => !decided.includes(name));
    expect(schema.properties.config.propertyNames.enum).toEqual(free);
  });
});
