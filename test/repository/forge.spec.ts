import { readFileSync, statSync } from 'node:fs';
import { parse } from 'yaml';
import type { Json } from '../support/http/api.js';

const read = (file: string) => readFileSync(file, 'utf8');

describe('what forges and editors read', () => {
  const { engines, devDependencies }: Json = JSON.parse(read('package.json'));
  const { jobs, on }: Json = parse(read('.github/workflows/ci.yml'));

  test('.nvmrc is the Node.js of the image', () => {
    const [, version] = /^FROM .*node:([\d.]+)-slim/m.exec(read('Dockerfile')) ?? [];
    expect(read('.nvmrc')).toBe(`${version}\n`);
  });

  test('the workflow runs .ci/run on Debian with the oldest supported Node.js', () => {
    expect(jobs.everything.steps.at(-1)).toEqual({ run: '.ci/run' });
    expect(statSync('.ci/run').mode & 0o111).not.toBe(0);
    const [, oldest] = /^>=(\d+)\./.exec(engines.node as string) ?? [];
    expect(jobs.everything.container).toBe(`node:${oldest}-bookworm`);
  });

  test('the workflow requires advisories every week, also without a change', () => {
    expect(on.schedule).toHaveLength(1);
    expect(jobs.advisories.if).toBeUndefined();
    expect(jobs.advisories.steps.at(-1).run).toBe('npm run check:advisories -- --required');
    expect(read('.ci/run')).toContain('step advisories npm run check:advisories\n');
  });

  test('Renovate proposes no version that the oldest supported Node.js cannot run, and no types of a newer one', () => {
    const { constraints, constraintsFiltering, packageRules }: Json = JSON.parse(read('renovate.json'));
    expect([constraints.node, constraintsFiltering]).toEqual([engines.node, 'strict']);
    const [types] = packageRules.filter(({ matchPackageNames = [] }: Json) =>
      matchPackageNames.includes('@types/node'),
    );
    expect(types.allowedVersions).toBe(`<${Number.parseInt(devDependencies['@types/node'] as string) + 1}`);
  });

  test('.editorconfig agrees with the formatter', () => {
    const settings = Object.fromEntries(
      [...read('.editorconfig').matchAll(/^(\w+) = (.+)$/gm)].map(([, ...pair]) => pair),
    );
    const { max_line_length: width } = settings;
    expect(settings).toMatchObject({ end_of_line: 'lf', indent_style: 'space', indent_size: '2' });
    expect(Number(width)).toBe(JSON.parse(read('.oxfmtrc.json')).printWidth);
  });
});
