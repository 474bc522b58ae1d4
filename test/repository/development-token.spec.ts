import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeJwt } from 'jose';
import { SCOPES } from '../../src/auth/scopes.js';

const folder = mkdtempSync(join(tmpdir(), 'waybill-token-'));
afterAll(() => rmSync(folder, { recursive: true }));

function token(...words: string[]) {
  const run = spawnSync(process.execPath, ['dist/tools/token/main.js', '--folder', folder, ...words], {
    encoding: 'utf8',
  });
  return { code: run.status, printed: run.stdout, said: run.stderr };
}

test('npm run token has all scopes unless it is told some', () => {
  expect(decodeJwt(token().printed)).toMatchObject({ sub: 'developer', scope: SCOPES.join(' ') });
  expect(decodeJwt(token('--scopes', 'moves:read,moves:write').printed)).toMatchObject({
    scope: 'moves:read moves:write',
  });
});

test.each([
  ['an unknown scope', ['--scopes', 'moves:read,foo:bar'], /"foo:bar" is not a scope/],
  ['no scope', ['--scopes', ''], /"" is not a scope/],
  ['a lifetime that is no number', ['--hours', 'long'], /--hours/],
  ['a lifetime of nothing', ['--hours', '0'], /--hours/],
])('npm run token refuses %s in a sentence', (_, words, sentence) => {
  const { code, printed, said } = token(...words);
  expect([code, printed, said]).toEqual([1, '', expect.stringMatching(sentence)]);
  expect(said).not.toMatch(/^\s+at /m);
});
