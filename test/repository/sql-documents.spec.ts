import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'waybill-sql-'));
afterAll(() => rmSync(folder, { recursive: true }));

function filesIn(path: string): Record<string, string> {
  return Object.fromEntries(readdirSync(path).map((file) => [file, readFileSync(join(path, file), 'utf8')]));
}

test('docs/sql is what the service sends; `npm run sql` renews it', () => {
  execFileSync(process.execPath, ['dist/tools/sql/main.js', folder]);
  expect(filesIn('docs/sql')).toEqual(filesIn(folder));
});

test('every statement that has a name in src is there', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const names = files.flatMap((file) => {
    const named = readFileSync(join('src', file), 'utf8').matchAll(
      /namedStatement\('(\w+)'|name: '(\w+)',\s*text: [`']/g,
    );
    return [...named].map(([, tag, built]) => tag ?? built);
  });
  const all = Object.values(filesIn('docs/sql')).join('');
  expect(names.length).toBeGreaterThan(60);
  expect(names.filter((name) => !all.includes(`-- ${name}\n`))).toEqual([]);
});
