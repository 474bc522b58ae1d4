import { execFileSync } from 'node:child_process';
import { parseAllDocuments } from 'yaml';
import { VARIABLES } from '../../src/config/environment.js';
import type { Json } from '../support/http/api.js';
import { describeWith } from '../support/repository/tools.js';

/** What `kubectl apply --kustomize` would send to a cluster. */
function render(overlay: string): Json[] {
  const text = execFileSync('kubectl', ['kustomize', `deploy/kustomize/${overlay}`], { encoding: 'utf8' });
  return parseAllDocuments(text).map((document) => document.toJS());
}

const LIBPQ = ['DATABASE_URL', 'PGSSLMODE', 'PGSSLROOTCERT'];

describeWith(['kubectl'], 'deploy/kustomize', () => {
  describe.each(['cloudnative-pg', 'aws'])('%s', (overlay) => {
    const manifests = render(overlay);
    const find = (kind: string, name = 'waybill'): Json =>
      manifests.find((one) => one.kind === kind && one.metadata.name === name);
    const pods: Json[] = [find('Deployment').spec.template.spec, find('Job', 'waybill-migration').spec.template.spec];
    const containers = pods.flatMap(({ containers: main, initContainers = [] }) => [...main, ...initContainers]);
    const variable = (name: string) => pods[0].containers[0].env.find((one: Json) => one.name === name).value;
    const annotation = (name: string) =>
      find('Ingress').metadata.annotations[`alb.ingress.kubernetes.io/${name}`] as string;

    it('sets only what the service or psql reads', () => {
      const names = containers.flatMap(({ env }) => env.map(({ name }: Json) => name as string));
      expect(names.filter((name) => !VARIABLES.includes(name) && !LIBPQ.includes(name))).toEqual([]);
    });

    it('holds no secret: each is named, and everything that is mounted is there', () => {
      for (const { env } of containers) {
        for (const { name, value } of env) expect([name, /:\/\/[^/]*:[^/]*@/.test(value ?? '')]).toEqual([name, false]);
      }
      for (const { volumes, containers: main, initContainers = [] } of pods) {
        const mounted = [...main, ...initContainers].flatMap(({ volumeMounts = [] }) =>
          volumeMounts.map(({ name }: Json) => name as string),
        );
        expect(volumes.map(({ name }: Json) => name).sort()).toEqual([...new Set(mounted)].sort());
      }
    });

    it('verifies the database by an authority of its own, from one source', () => {
      for (const { volumes } of pods) {
        const { secret, configMap } = volumes.find(({ name }: Json) => name === 'database-ca');
        expect([secret?.secretName ?? configMap.name]).toEqual(['waybill-database-ca']);
        expect((secret === undefined) !== (configMap === undefined)).toBe(true);
      }
      expect(variable('DATABASE_CA_FILE')).toBe('/run/secrets/waybill-database-ca/ca.crt');
    });

    it('leads from the ingress to a port that the service has', () => {
      const { service } = find('Ingress').spec.rules[0].http.paths[0].backend;
      const ports = find('Service', service.name).spec.ports.map(({ name }: Json) => name);
      expect(ports).toContain(service.port.name);
    });

    if (overlay === 'aws') {
      it('configures the readiness path and port of the load balancer, and timeouts that fit the service', () => {
        expect(annotation('healthcheck-path')).toBe('/health/ready');
        expect(annotation('healthcheck-port')).toBe(variable('MANAGEMENT_PORT'));
        const idle = Number(/idle_timeout\.timeout_seconds=(\d+)/.exec(annotation('load-balancer-attributes'))?.[1]);
        expect(idle * 1000).toBeLessThan(Number(variable('KEEP_ALIVE_TIMEOUT_MS')));
        const [, delay] =
          /deregistration_delay\.timeout_seconds=(\d+)/.exec(annotation('target-group-attributes')) ?? [];
        expect(Number(delay) * 1000).toBeGreaterThanOrEqual(
          Number(variable('DRAIN_DELAY_MS')) + Number(variable('SHUTDOWN_TIMEOUT_MS')),
        );
      });
    }
  });
});
