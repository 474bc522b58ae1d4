import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { parse } from 'yaml';
import { readConfig, VARIABLES } from '../src/config/config.js';

const text = readFileSync('docker-compose.yml', 'utf8');
const { services, volumes, networks } = parse(text, { merge: true });
const { database, certificate } = services;
const loadBalancer = services['load-balancer'];
const replicas = [services['service-1'], services['service-2']];
const dockerfile = readFileSync('Dockerfile', 'utf8');
const nginx = readFileSync('deploy/nginx.conf', 'utf8');

describe('docker-compose.yml', () => {
  it('has a PostgreSQL 18, two replicas of one image and a load balancer with a certificate', () => {
    const names = ['service-1', 'service-2', 'load-balancer', 'certificate', 'database'];
    expect(Object.keys(services)).toEqual(names);
    expect(replicas.map(({ build, image }) => [build, image])).toEqual(Array(2).fill(['.', 'waybill']));
    expect(database.image).toBe('postgres:18');
  });

  it('starts the replicas when the database is healthy, and the load balancer when the replicas are', () => {
    for (const replica of replicas) expect(replica.depends_on).toEqual({ database: { condition: 'service_healthy' } });
    expect(database.healthcheck.test).toContain('pg_isready');
    expect(loadBalancer.depends_on).toEqual({
      certificate: { condition: 'service_completed_successfully' },
      'service-1': { condition: 'service_healthy' },
      'service-2': { condition: 'service_healthy' },
    });
  });

  it('gives the load balancer the configuration that is tested, the replicas it names, and a certificate where it looks', () => {
    expect(loadBalancer.volumes).toContain('./deploy/nginx.conf:/etc/nginx/nginx.conf:ro');
    const named = [...nginx.matchAll(/^ *server ([\w-]+):(\d+)/gm)].map(([, name, port]) => [name, port]);
    expect(named).toEqual(['service-1', 'service-2'].map((name) => [name, services[name].environment.PORT]));
    const made = /-keyout (\S+) -out (\S+)/.exec(certificate.command[0])?.slice(1);
    const inNginx = made?.map((file) => file.replace(/^\/tls\//, '/etc/nginx/tls/'));
    const read = ['_key', ''].map((kind) => new RegExp(`ssl_certificate${kind} (.+);`).exec(nginx)?.[1]);
    expect(inNginx).toEqual(read);
    expect(certificate.volumes).toEqual(['certificate:/tls']);
    expect(loadBalancer.volumes).toContain('certificate:/etc/nginx/tls:ro');
  });

  it('has the replicas trust the load balancer and nobody else', () => {
    const [{ subnet }] = networks.default.ipam.config;
    const addresses = [loadBalancer, ...replicas].map((service) => service.networks.default.ipv4_address);
    const ofNetwork = subnet.replace(/\.0\/24$/, '');
    expect(addresses.map((address) => address.replace(/\.\d+$/, ''))).toEqual(Array(3).fill(ofNetwork));
    expect(new Set(addresses).size).toBe(3);
    for (const { environment } of replicas) expect(environment.TRUSTED_PROXIES).toBe(addresses[0]);
  });

  it('asks each replica itself whether it is ready', () => {
    for (const { healthcheck, environment } of replicas) {
      expect(healthcheck.test.join(' ')).toContain(`http://127.0.0.1:${environment.PORT}/health/ready`);
    }
  });

  it('publishes the port of the load balancer and no other', () => {
    const published = Object.entries<{ ports?: string[] }>(services).filter(([, { ports }]) => ports !== undefined);
    expect(published.map(([name, { ports }]) => [name, ports])).toEqual([['load-balancer', ['${PORT:-8443}:443']]]);
    expect(nginx).toContain('listen 443 ssl');
  });

  it('waits longer for a replica to stop than the replica takes, which serves longer than idle connections last', () => {
    const { DRAIN_DELAY_MS, SHUTDOWN_TIMEOUT_MS } = readConfig({ NODE_ENV: 'production', AUTH_MODE: 'off' });
    for (const { stop_grace_period } of replicas) {
      expect(parseInt(stop_grace_period) * 1000).toBeGreaterThan(DRAIN_DELAY_MS + SHUTDOWN_TIMEOUT_MS);
    }
    const idle = /upstream service \{[^}]*keepalive_timeout (\d+)s;/.exec(nginx)?.[1];
    expect(Number(idle) * 1000).toBeLessThan(DRAIN_DELAY_MS);
  });

  it('keeps the data in a volume that exists', () => {
    // From its image 18 on, PostgreSQL keeps them in a folder by version below this one.
    expect(database.volumes).toEqual(['database:/var/lib/postgresql']);
    expect(Object.keys(volumes)).toEqual(['certificate', 'database']);
  });

  it('names the database as it makes it', () => {
    const { POSTGRES_USER, POSTGRES_PASSWORD, POSTGRES_DB } = database.environment;
    const expected = `postgresql://${POSTGRES_USER}:${POSTGRES_PASSWORD}@database:5432/${POSTGRES_DB}`;
    for (const { environment } of replicas) expect(environment.DATABASE_URL).toBe(expected);
  });

  it('sets only what the service reads, to values it takes', () => {
    for (const { environment } of replicas) {
      expect(Object.keys(VARIABLES)).toEqual(expect.arrayContaining(Object.keys(environment)));
      const values = Object.entries(environment as Record<string, string>);
      const defaults = values.map(([name, value]) => [name, value.replace(/\$\{\w+:-(.*?)\}/g, '$1')]);
      const config = readConfig({ NODE_ENV: 'production', ...Object.fromEntries(defaults) });
      const { PORT, API_PREFIX, SHIPMENT_TYPES } = readConfig({ NODE_ENV: 'production', AUTH_MODE: 'off' });
      expect(config).toMatchObject({ PORT, API_PREFIX, SHIPMENT_TYPES, AUTH_MODE: 'off' });
    }
  });

  it('uses only variables that .env.example lists', () => {
    const used = [...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => name);
    const listed = Object.keys(parseEnv(readFileSync('.env.example', 'utf8')));
    expect(listed).toEqual(expect.arrayContaining(used));
  });
});

describe('the Dockerfile', () => {
  it('ends in an image without development packages that does not run as root', () => {
    const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));
    expect(last).toMatch(/^\nFROM node:24-slim\n/);
    expect(last).toContain('\nUSER node\n');
    expect(last).toContain('COPY --from=dependencies');
    expect(dockerfile).toContain('npm ci --omit=dev --omit=optional');
  });

  it('starts what npm start starts, on the port that it exposes', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { start: string } };
    expect(dockerfile).toContain(`CMD ${JSON.stringify(scripts.start.split(' ')).replaceAll(',', ', ')}`);
    expect(dockerfile).toContain(`EXPOSE ${VARIABLES.PORT.default}`);
  });

  it('finds all it copies: .dockerignore lets it through', () => {
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names]) => names?.split(' '));
    const allowed = readFileSync('.dockerignore', 'utf8').split('\n');
    expect(allowed).toEqual(expect.arrayContaining(copied.map((name) => `!${String(name)}`)));
  });
});
