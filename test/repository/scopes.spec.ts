import { readdirSync, readFileSync } from 'node:fs';
import { SCOPES } from '../../src/auth/scopes.js';

/** The list, and what is generated from it. */
const LISTS = ['src/auth/scopes.ts', 'openapi.json', 'client/src/api.ts'];

/** Documents and specs may give examples. */
const FOLDERS = ['src', 'client/src', 'console/src', 'examples', 'scripts', 'tools', 'deploy', 'bench'];
const PROGRAM = /\.(ts|tsx|mjs|ya?ml|json|tpl|conf)$/;

/** As many scopes in a row look like a list of all of them. Programs name those that they need. */
const LIST = new RegExp(`((${SCOPES.join('|')})['" ,\\n]+){${SCOPES.length - 3}}`);

test('docs/operations.md lists all scopes', () => {
  const [, list = ''] = /The scopes are ([^.]*)\./.exec(readFileSync('docs/operations.md', 'utf8')) ?? [];
  expect([...list.matchAll(/`([^`]+)`/g)].map(([, scope]) => scope)).toEqual([...SCOPES]);
});

test('no program has a list of scopes of its own', () => {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  );
  const programs = [...files, 'docker-compose.yml'].filter((path) => PROGRAM.test(path) && !LISTS.includes(path));
  expect(programs.length).toBeGreaterThan(200);
  expect(programs.filter((path) => LIST.test(readFileSync(path, 'utf8')))).toEqual([]);
});
