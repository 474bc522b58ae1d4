import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { readConfig } from '../../src/config/read-config.js';
import { Environment } from '../../src/config/environment.js';
import { COMPOSE, COMPOSE_TEXT, environmentOf } from '../support/repository/compose.js';

const { services, volumes, networks } = COMPOSE;
const { database, certificate, migrate, tools } = services;
const loadBalancer = services['load-balancer'];
const replicas = [services['service-1'], services['service-2']];
/** Of the three roles: the two of deploy/roles.sql, and the superuser that creates them. */
const PASSWORDS = ['OWNER_PASSWORD', 'POSTGRES_PASSWORD', 'SERVICE_PASSWORD'];
const dockerfile = readFileSync('Dockerfile', 'utf8');
const nginx = readFileSync('deploy/nginx.conf', 'utf8');

describe('docker-compose.yml', () => {
  it('has a PostgreSQL, what prepares it, two replicas of one image and a load balancer with a certificate', () => {
    const names = ['service-1', 'service-2', 'load-balancer', 'certificate', 'migrate', 'tools', 'database'];
    expect(Object.keys(services)).toEqual(names);
    for (const { build, image } of [...replicas, migrate, tools])
      expect([build, image]).toEqual(['.', services['service-1'].image]);
  });

  it('names every image by its exact version', () => {
    const named = Object.values<{ image: string }>(services).map(({ image }) => image);
    for (const image of named) expect(image).toMatch(/^[a-z/]+:\d+\.\d+(\.\d+)?$/);
  });

  it('prepares the database in order, starts the replicas then, and the load balancer when the replicas are ready', () => {
    const healthy = { condition: 'service_healthy' };
    const done = { condition: 'service_completed_successfully' };
    expect(database.healthcheck.test).toContain('pg_isready');
    expect(migrate.depends_on).toEqual({ database: healthy });
    for (const replica of replicas) expect(replica.depends_on).toEqual({ database: healthy, migrate: done });
    expect(loadBalancer.depends_on).toEqual({ certificate: done, 'service-1': healthy, 'service-2': healthy });
    // Containers that run once must not be restarted.
    for (const { restart } of [certificate, migrate]) expect(restart).toBeUndefined();
  });

  it('gives the load balancer the configuration that is tested, the replicas it names, and a certificate where it looks', () => {
    expect(loadBalancer.volumes).toContain('./deploy/nginx.conf:/etc/nginx/nginx.conf:ro');
    const named = [...nginx.matchAll(/^ *server ([^ ]+:\d+)/gm)].map(([, address]) => address);
    const deployed = replicas.map(
      ({ networks: { default: network }, environment }) => `${network.ipv4_address}:${environment.PORT}`,
    );
    // Both in one group, then each in a group of its own.
    expect(named).toEqual([...deployed, ...deployed]);
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

  it('has the replicas believe the headers alone in which the load balancer says who calls, whatever .env names', () => {
    const said = [...nginx.matchAll(/proxy_set_header (\S+) \$caller_(\w+);/g)].map(([, name = '', part = '']) => [
      `AUTH_PROXY_${part.toUpperCase()}_HEADER`,
      name,
    ]);
    expect(said).toHaveLength(3);
    const forgeable = Object.fromEntries(said.map(([variable]) => [variable, 'X-Auth-Request-User']));
    for (const replica of replicas) {
      expect(environmentOf(replica, forgeable)).toMatchObject(Object.fromEntries(said));
      // Without scopes, everybody whom the proxy lets in has all of them.
      expect(environmentOf(replica)['AUTH_PROXY_SCOPES_HEADER']).toBe('');
    }
  });

  it('publishes the port of the load balancer and no other, on this machine alone unless told otherwise', () => {
    const published = Object.entries<{ ports?: string[] }>(services).filter(([, { ports }]) => ports !== undefined);
    expect(published.map(([name, { ports }]) => [name, ports])).toEqual([
      ['load-balancer', ['${HTTPS_HOST:-127.0.0.1}:${HTTPS_PORT:-8443}:443']],
    ]);
    expect(nginx).toContain('listen 443 ssl');
  });

  it('waits longer for a replica to stop than the replica takes, which serves longer than idle connections last', () => {
    const { DRAIN_DELAY_MS, STOP_GRACE_PERIOD_MS } = readConfig(environmentOf(replicas[0]));
    for (const { stop_grace_period } of replicas) expect(stop_grace_period).toBe(`${STOP_GRACE_PERIOD_MS / 1000}s`);
    const idle = /upstream service \{[^}]*keepalive_timeout (\d+)s;/.exec(nginx)?.[1];
    expect(Number(idle) * 1000).toBeLessThan(DRAIN_DELAY_MS);
  });

  it('tells the replicas how long nginx waits for them', () => {
    const { LOAD_BALANCER_TIMEOUT_MS } = readConfig(environmentOf(replicas[0]));
    const [first] = [...nginx.matchAll(/proxy_read_timeout (\d+)s;/g)].map(([, seconds]) => Number(seconds) * 1000);
    expect(first).toBe(LOAD_BALANCER_TIMEOUT_MS);
    expect(LOAD_BALANCER_TIMEOUT_MS).toBe(new Environment().LOAD_BALANCER_TIMEOUT_MS);
  });

  it('keeps the data in a volume that exists', () => {
    // From its image 18 on, PostgreSQL keeps them in a folder by version below this one.
    expect(database.volumes).toContain('database:/var/lib/postgresql');
    expect(Object.keys(volumes)).toEqual(['archive', 'certificate', 'database']);
  });

  it('runs the replicas as a role that owns nothing, and migrates as the owner', () => {
    const { POSTGRES_DB, OWNER_PASSWORD = '', SERVICE_PASSWORD = '' } = environmentOf(database);
    const urlOf = (user: string, password: string) => `postgresql://${user}:${password}@database:5432/${POSTGRES_DB}`;
    const service = urlOf('waybill_service', SERVICE_PASSWORD);
    expect(environmentOf(migrate)).toEqual({
      DATABASE_URL: urlOf('waybill_owner', OWNER_PASSWORD),
      SERVICE_ROLE: 'waybill_service',
    });
    for (const replica of replicas) {
      expect(environmentOf(replica)).toMatchObject({ DATABASE_URL: service, MIGRATE_ON_START: 'off' });
    }
  });

  it('mounts the script that creates the roles where PostgreSQL runs it, and migrates with the command of the image', () => {
    expect(database.volumes).toContain('./deploy/roles.sql:/docker-entrypoint-initdb.d/roles.sql:ro');
    expect(existsSync('deploy/roles.sql')).toBe(true);
    expect(migrate.command).toEqual(['waybill', 'migrate']);
  });

  it('has a service for operators that does not start by itself, works as the owner, and has no fixed address', () => {
    expect(tools).toMatchObject({ profiles: ['tools'], entrypoint: ['waybill'], environment: migrate.environment });
    expect(tools.networks).toBeUndefined();
  });

  it('starts without a .env, with the defaults of the service', () => {
    for (const replica of replicas) {
      expect(replica.env_file).toEqual([{ path: '.env', required: false }]);
      const { PORT, API_PREFIX, SHIPMENT_TYPES } = new Environment();
      const config = readConfig(environmentOf(replica));
      expect(config).toMatchObject({ PORT, API_PREFIX, AUTH_MODE: ['off'] });
      expect(config.SHIPMENT_TYPES).toBe(SHIPMENT_TYPES);
    }
  });

  it('gives the replicas what .env.example lists, but for what belongs to the machine or to other containers', () => {
    const listed = Object.keys(parseEnv(readFileSync('.env.example', 'utf8')));
    const decided = ['NODE_ENV', 'HOST', 'PORT', 'TRUSTED_PROXIES', 'LOAD_BALANCER_TIMEOUT_MS', 'STOP_GRACE_PERIOD_MS'];
    decided.push('DATABASE_URL', 'DATABASE_URL_FILE', 'DATABASE_CA_FILE', 'DATABASE_POOLER', 'PREPARED_STATEMENTS');
    decided.push('DATA_DIR', 'MIGRATE_ON_START', 'SERVICE_ROLE');
    decided.push('AUTH_PROXY_SUBJECT_HEADER', 'AUTH_PROXY_NAME_HEADER', 'AUTH_PROXY_SCOPES_HEADER');
    const dotenv = Object.fromEntries([...listed, ...PASSWORDS].map((name) => [name, `own ${name}`]));
    for (const replica of replicas) {
      const given = environmentOf(replica, dotenv);
      const passed = Object.keys(dotenv).filter((name) => given[name] === dotenv[name]);
      expect(passed.sort()).toEqual(listed.filter((name) => !decided.includes(name)).sort());
      // Only the container of the database and the commands of the owner have the owner's password.
      expect(Object.values(given).filter((value) => /own (OWNER|POSTGRES)_PASSWORD/.test(value))).toEqual([]);
    }
  });

  it('takes passwords from .env, the same in every place, and has names of its own for what it publishes', () => {
    const used = new Set([...COMPOSE_TEXT.matchAll(/\$\{(\w+)/g)].map(([, name]) => name ?? ''));
    const settings = ['AUTH_MODE', 'AUTH_PROXY_SCOPES_HEADER', 'HTTPS_HOST', 'HTTPS_PORT'];
    expect([...used].sort()).toEqual([...settings, ...PASSWORDS].sort());
    for (const name of PASSWORDS) {
      const [first, ...others] = [...COMPOSE_TEXT.matchAll(new RegExp(`\\$\\{${name}.*?\\}`, 'g'))].map(
        ([written]) => written,
      );
      expect(first).toMatch(/^\$\{\w+:-\w+\}$/);
      for (const other of others) expect(other).toBe(first);
    }
    expect(COMPOSE_TEXT).not.toMatch(/(PASSWORD: |:\/\/\w+:)\w/);
  });
});

describe('the Dockerfile', () => {
  it('ends in an image with the build alone, which does not run as root', () => {
    const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));
    expect(last).toMatch(/^\nFROM --platform=\$TARGETPLATFORM node:24\.\d+\.\d+-slim\n/);
    expect(last).toContain('\nUSER node\n');
    expect(last).not.toMatch(/^RUN npm |node_modules\//m);
  });

  it('labels the image with what package.json says', () => {
    const { description, license } = JSON.parse(readFileSync('package.json', 'utf8'));
    for (const [name, value] of Object.entries({ description, licenses: license })) {
      expect(dockerfile).toContain(`org.opencontainers.image.${name}="${value}"`);
    }
    const [, base] = /^FROM \S+ (\S+)$/m.exec(dockerfile) ?? [];
    expect(dockerfile).toContain(`org.opencontainers.image.base.name="docker.io/library/${base}"`);
  });

  it('has a command for every tool that operators use', () => {
    const script = readFileSync('deploy/waybill.sh', 'utf8');
    const notForOperators = [
      'advisories',
      'api-compatibility',
      'campaigns',
      'evidence',
      'openapi',
      'release',
      'seed',
      'sql',
      'token',
    ];
    for (const name of notForOperators) expect(script).not.toMatch(new RegExp(`[|=( ]${name}\\b`));
    const named = readdirSync('tools', { withFileTypes: true }).filter((entry) => entry.isDirectory());
    for (const { name } of named.filter((entry) => !notForOperators.includes(entry.name))) {
      expect(script).toMatch(new RegExp(`[|=( ]${name}\\b`));
    }
  });

  it('starts what npm start starts, on the port that it exposes', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { start: string } };
    const words = scripts.start
      .replace(/^exec /, '')
      .replace('scripts/start.mjs', 'dist/src/main.js')
      .split(' ');
    expect(dockerfile).toContain(`CMD ${JSON.stringify(words).replaceAll(',', ', ')}`);
    expect(dockerfile).toContain(`EXPOSE ${new Environment().PORT}`);
  });

  it('finds all it copies: .dockerignore lets it through', () => {
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names]) => names?.split(' '));
    const allowed = readFileSync('.dockerignore', 'utf8').split('\n');
    expect(allowed).toEqual(expect.arrayContaining(copied.map((name) => `!${String(name)}`)));
  });
});
