import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const CONSOLE = resolve('console/src');

function filesWith(ending: string): string[] {
  return readdirSync(CONSOLE, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(CONSOLE, name));
}

function classesIn(file: string): Set<string> {
  const text = readFileSync(file, 'utf8').replace(/\/\*.*?\*\//gs, '');
  return new Set([...text.matchAll(/\.([a-z]\w*)/gi)].map(([, name = '']) => name));
}

interface Uses {
  readonly names: Set<string>;
  /** A class is chosen by a value, so that any may be used. */
  isByValue: boolean;
}

function usesOfModules(): Map<string, Uses> {
  const uses = new Map<string, Uses>();
  for (const file of filesWith('.tsx')) {
    const text = readFileSync(file, 'utf8');
    const code = text.replace(/^import .*$/gm, '');
    for (const [, alias = '', path = ''] of text.matchAll(/^import (\w+) from '([^']+\.module\.css)';$/gm)) {
      const module = join(dirname(file), path);
      const known = uses.get(module) ?? { names: new Set(), isByValue: false };
      for (const [, name = ''] of code.matchAll(new RegExp(`\\b${alias}\\.(\\w+)`, 'g'))) known.names.add(name);
      known.isByValue ||= code.includes(`${alias}[`);
      uses.set(module, known);
    }
  }
  return uses;
}

test('every class that a component uses is in its style sheet, and every class there is used', () => {
  const uses = usesOfModules();
  const modules = filesWith('.module.css');
  expect([...uses.keys()].sort()).toEqual(modules.sort());
  for (const module of modules) {
    const [defined, used] = [classesIn(module), uses.get(module)];
    const missing = [...(used?.names ?? [])].filter((name) => !defined.has(name));
    const unused = [...defined].filter((name) => used?.isByValue === false && !used.names.has(name));
    expect({ module, missing, unused }).toEqual({ module, missing: [], unused: [] });
  }
});

test('only elements have global styles, and no component names a class of its own', () => {
  expect([...classesIn(join(CONSOLE, 'styles.css'))]).toEqual(['css']);
  for (const file of filesWith('.tsx')) {
    expect([file, readFileSync(file, 'utf8').match(/className="[^"]*"|className=\{`/g)]).toEqual([file, null]);
  }
});

test('no style sheet contains words, which would be the same in every language', () => {
  const words = filesWith('.css').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/content:.*;/g)].flatMap(([rule]) =>
      [...rule.matchAll(/'([^']*)'/g)]
        .filter(([, text = '']) => /\p{L}/u.test(text))
        .map(([text]) => `${file}: ${text}`),
    ),
  );
  expect(words).toEqual([]);
});
