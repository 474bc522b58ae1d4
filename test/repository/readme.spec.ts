import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { routesOf } from '../../src/http/routes.js';
import { PROBLEM_TYPES } from '../../src/api-texts/problem-types.js';
import { STATUS_STEPS } from '../../src/model/shipment-status.js';
import { useService } from '../support/service/service.js';

const readme = readFileSync('README.md', 'utf8');
const api = readFileSync('docs/api.md', 'utf8');
const architecture = readFileSync('docs/architecture.md', 'utf8');
const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8')) as {
  paths: Record<string, Record<string, { 'x-scope'?: string | string[]; parameters?: { name?: string }[] }>>;
};

function section(title: string, document = readme): string {
  return document.split(/^## /m).find((text) => text.startsWith(`${title}\n`)) ?? '';
}

/** The rows of a section's table: the first cell, and the list in the second one. */
function table(title: string): Record<string, string[]> {
  const rows = [...section(title, api).matchAll(/^\| ([^|]+?) +\| ([^|]+?) +\|(?: [^|]+? +\|)?$/gm)].slice(1);
  const cells = rows.filter(([, first]) => !/^-+$/.test(first ?? ''));
  return Object.fromEntries(cells.map(([, first, second]) => [first?.replaceAll('`', ''), (second ?? '').split(', ')]));
}

const service = useService();

describe('the README and the reference', () => {
  it('shows the steps of a status as the service takes them', () => {
    const steps = Object.entries(STATUS_STEPS).map(([from, to]) => [from, to.length === 0 ? ['none'] : to]);
    expect(table('Status')).toEqual(Object.fromEntries(steps));
  });

  it('lists every code of an error by its status', () => {
    const codes: Partial<Record<string, string[]>> = {};
    for (const { code, status } of PROBLEM_TYPES) (codes[status] ??= []).push(code);
    const sorted = (lists: typeof codes) =>
      Object.entries(lists).map(([status, list]) => [status, [...(list ?? [])].sort()]);
    expect(sorted(table('Errors'))).toEqual(sorted(codes));
  });

  it('lists every endpoint with its methods', () => {
    const paths: Partial<Record<string, string[]>> = {};
    for (const { method, path } of routesOf(service.app)) (paths[path] ??= []).push(method);
    const sorted = (lists: Partial<Record<string, string[]>>) =>
      Object.fromEntries(Object.entries(lists).map(([path, methods]) => [path, methods?.toSorted()]));
    expect(sorted(table('Endpoints'))).toEqual(sorted(paths));
  });

  it('says which scope every endpoint requires', () => {
    const required = Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, { 'x-scope': scope }]) =>
        scope === undefined
          ? []
          : [`${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}: ${[scope].flat().join(' or ')}`],
      ),
    );
    const rows = section('Endpoints', api).matchAll(/^\| `(\/[^`]*)` +\| ([^|]+?) +\| ([^|]+?) +\|$/gm);
    const listed = [...rows].flatMap(([, path = '', methods = '', cell = '']) => {
      const [read, write = read] = cell.replaceAll('`', '').split(', writes ');
      return methods.split(', ').map((method) => `${method} ${path}: ${(method === 'GET' ? read : write) ?? ''}`);
    });
    expect(listed.filter((line) => !line.endsWith(': none')).toSorted()).toEqual(required.toSorted());
  });

  it.each(['shipments', 'moves'])('lists every filter of %s', (list) => {
    const [, text = ''] = new RegExp(`for ${list}:([^;.]*)`, 'i').exec(section('Lists', api)) ?? [];
    const listed = [...text.matchAll(/`(\w+)`/g)].map(([, name]) => name);
    const parameters = paths[`/v1/${list}`]?.['get']?.parameters ?? [];
    const others = ['limit', 'cursor', 'sort', 'expand', 'count', 'excel', undefined];
    expect(listed.toSorted()).toEqual(
      parameters
        .map(({ name }) => name)
        .filter((name) => !others.includes(name))
        .toSorted(),
    );
  });

  it('names only folders that exist', () => {
    const folders = [...section('Layers', architecture).matchAll(/`([\w.]+[/]?|[\w.]+\.ts)`/g)].map(
      ([, name]) => name ?? '',
    );
    const missing = folders.filter((name) => !existsSync(name) && !existsSync(`src/${name}`));
    expect(missing).toEqual([]);
  });

  const hasCurl = spawnSync('curl', ['--version']).status === 0;
  (hasCurl ? it : it.skip)('has a shell session that works', async () => {
    const [, session = ''] = /```sh\n([^]*?)```/.exec(section('The eTag in one screen')) ?? [];
    const script = session.replace('http://localhost:3000', service.url);
    const { stdout } = await promisify(execFile)('sh', ['-c', script]);
    expect(stdout).toMatch(/^HTTP\/1.1 200 OK\r\n/);
    const bodies = stdout.split('\n').filter((line) => line.startsWith('{'));
    const [read, changed, refused, repeated] = bodies.map((body) => JSON.parse(body));
    expect(read).toMatchObject({ deliveryDate: '2026-12-24' });
    expect(changed).toMatchObject({ deliveryDate: '2026-12-28', estimatedWeight: null });
    expect(refused).toMatchObject({ status: 412, currentETag: changed.eTag, changes: [{ field: 'deliveryDate' }] });
    expect(repeated).toMatchObject({ deliveryDate: '2026-12-28', estimatedWeight: 4200 });
  });
});
