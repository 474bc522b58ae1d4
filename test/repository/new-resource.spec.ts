import { readdirSync, readFileSync } from 'node:fs';

/** Generated, or edited only by whoever wants to: the seed knows the kinds of records that it was taught. */
const LEFT_OUT = /^client\/src\/api\.ts$|^tools\/seed\//;

interface NamedFile {
  readonly path: string;
  readonly text: string;
}

/** The names of a shipment's resource in code: services, SERVICES, NewService, ServiceFields, service.entity, serviceID. */
function namesOf(kind: string): RegExp {
  const title = kind.charAt(0).toUpperCase() + kind.slice(1);
  return new RegExp(`\\b(${kind}s|${kind.toUpperCase()}S|New${title}|${title}Fields|${kind}\\.entity|${kind}ID)\\b`);
}

/** The files of services, and those that name both agents and services and so would have to name one more. */
function filesToEdit(files: readonly NamedFile[]): string[] {
  return files
    .filter(({ path }) => !LEFT_OUT.test(path))
    .filter(({ path, text }) => {
      const isOwn = path.startsWith('src/shipments/services/') || path === 'src/model/service.entity.ts';
      return isOwn || (namesOf('agent').test(text) && namesOf('service').test(text));
    })
    .map(({ path }) => path)
    .sort();
}

function filesIn(...folders: string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => `${parentPath}/${name}`),
  );
}

function readAll(paths: readonly string[]): NamedFile[] {
  return paths.map((path) => ({ path, text: readFileSync(path, 'utf8') }));
}

/** The files in the table of CONTRIBUTING.md. */
function listedFiles(): string[] {
  const [, section = ''] = readFileSync('CONTRIBUTING.md', 'utf8').split('## Add a resource');
  const [table = ''] = section.split('\n## ');
  return [...table.matchAll(/^\| `([^`]+)`/gm)].map(([, path]) => path ?? '').sort();
}

test('a new resource of a shipment takes the files that CONTRIBUTING.md lists, and these are twelve at most', () => {
  const listed = listedFiles();
  const sources = [...filesIn('src', 'client/src', 'scripts', 'deploy'), 'docs/api.md', 'client/README.md'];
  expect(listed.filter((path) => !/^(migrations|test)\//.test(path))).toEqual(filesToEdit(readAll(sources)));
  expect(listed.length).toBeLessThanOrEqual(12);
  const strangers = readAll(listed).filter(({ path, text }) => !/service/i.test(path + text));
  expect(strangers).toEqual([]);
});
