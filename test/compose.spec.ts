import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { parse } from 'yaml';
import { readConfig, VARIABLES } from '../src/config/config.js';

const text = readFileSync('docker-compose.yml', 'utf8');
const { services, volumes } = parse(text);
const { service, database } = services;
const dockerfile = readFileSync('Dockerfile', 'utf8');

describe('docker-compose.yml', () => {
  it('has the service and a PostgreSQL 18, and nothing else', () => {
    expect(Object.keys(services)).toEqual(['service', 'database']);
    expect(service.build).toBe('.');
    expect(database.image).toBe('postgres:18');
  });

  it('starts the service when the database is healthy', () => {
    expect(service.depends_on).toEqual({ database: { condition: 'service_healthy' } });
    expect(database.healthcheck.test).toContain('pg_isready');
  });

  it('asks the service itself whether it is ready', () => {
    expect(service.healthcheck.test.join(' ')).toContain('http://127.0.0.1:3000/health/ready');
  });

  it('publishes the port of the service, and none of the database', () => {
    expect(service.ports).toEqual(['${PORT:-3000}:3000']);
    expect(service.environment.PORT).toBe('3000');
    expect(database.ports).toBeUndefined();
  });

  it('waits longer for the service to stop than the service takes', () => {
    const { DRAIN_DELAY_MS, SHUTDOWN_TIMEOUT_MS } = readConfig({});
    expect(parseInt(service.stop_grace_period) * 1000).toBeGreaterThan(DRAIN_DELAY_MS + SHUTDOWN_TIMEOUT_MS);
  });

  it('keeps the data in a volume that exists', () => {
    // From its image 18 on, PostgreSQL keeps them in a folder by version below this one.
    expect(database.volumes).toEqual(['database:/var/lib/postgresql']);
    expect(Object.keys(volumes)).toEqual(['database']);
  });

  it('names the database as it makes it', () => {
    const { POSTGRES_USER, POSTGRES_PASSWORD, POSTGRES_DB } = database.environment;
    const expected = `postgresql://${POSTGRES_USER}:${POSTGRES_PASSWORD}@database:5432/${POSTGRES_DB}`;
    expect(service.environment.DATABASE_URL).toBe(expected);
  });

  it('sets only what the service reads, to values it takes', () => {
    expect(Object.keys(VARIABLES)).toEqual(expect.arrayContaining(Object.keys(service.environment)));
    const values = Object.entries(service.environment as Record<string, string>);
    const defaults = values.map(([name, value]) => [name, value.replace(/\$\{\w+:-(.*?)\}/g, '$1')]);
    const config = readConfig({ NODE_ENV: 'production', ...Object.fromEntries(defaults) });
    const { PORT, API_PREFIX, SHIPMENT_TYPES } = readConfig({});
    expect(config).toMatchObject({ PORT, API_PREFIX, SHIPMENT_TYPES, AUTH_MODE: 'off' });
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
    expect(dockerfile).toContain('npm install --omit=dev --omit=optional');
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
